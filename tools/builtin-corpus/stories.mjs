// Short stories and scenes. Nobody is named, and nothing called by its kind, before the text has introduced it.
import { fill } from './draw.mjs';
import * as lx from './lexicon.mjs';

export const formsZh = {
  opening: ['从前，有一只{trait}的{kind}，名叫{n}。', '从前，{p}住着一只{trait}的{kind}，大家叫它{n}。', '有一天，一只叫{n}的{kind}来到{p}。', '很久很久以前，有一只{kind}，它的名字叫{n}。'],
  habits: ['{n}喜欢{do}，还喜欢吃{food}。', '{n}每天都去{p}{do}。', '{n}很想学{do}。', '{n}最爱吃{food}。'],
  friend: [
    ['一天早上，{n}遇到了一只叫{m}的{kind2}。', '在{q}，{n}看见了一只叫{m}的{kind2}。', '有一天，一只叫{m}的{kind2}来到{q}。'],
    ['“我们一起玩好吗？”{n}问。“好啊！”{m}说。', '{n}送给{m}一些{food}。{m}说：“谢谢你！”', '{m}很{feel}，{n}帮助了{m}。', '{n}说：“很高兴认识你。”{m}说：“我也很高兴认识你。”'],
    ['{n}和{m}一起玩到太阳下山。', '{n}和{m}在{q}吃了{food}。', '可是天下起了大雨，{n}和{m}跑回家了。'],
    ['从此，{n}和{m}成了最好的朋友。', '{n}和{m}从此过上了幸福的生活。', '{kind}和{kind2}成了好朋友。'],
  ],
  treasure: [
    ['有一天，{n}在{q}捡到了一{unit}{thing}。', '今天天气真好，{n}在树下看见了一{unit}{thing}。'],
    ['{n}非常{feel}。', '“这是什么？”{n}问。', '{kind}非常{feel}。'],
    ['{n}把{thing}带回家。', '{n}把{thing}放进盒子里。', '后来，{n}带着{thing}回家睡觉了。'],
    ['{n}开心极了。', '{n}永远忘不了这一天。', '{kind}很喜欢{thing}。'],
  ],
  end: '故事讲完了。',
};
export const formsEn = {
  opening: [
    'Once upon a time, there was a {trait} {kind} named {n}.', 'Once upon a time, a {trait} {kind} lived near the {p}. The {kind} was called {n}.',
    'One day, a {kind} named {n} went to the {p}.', 'Once upon a time, there lived a {trait} {kind} in a {colour} house. The name of the {kind} was {n}.',
  ],
  habits: ['{n} liked to {do} and eat {food}.', '{n} loved {doing} in the {p}.', 'Every day, {n} went to the {p} to {do}.', '{n} wanted to learn to {do}.'],
  friend: [
    ['One morning, {n} met a {kind2} named {m}.', 'In the {q}, {n} saw a {kind2} named {m}.', 'One day, a {kind2} named {m} came to the {q}.'],
    [
      '"Do you want to play with me?" asked {n}. "Yes!" said {m}.', '{n} gave {m} some {food}. "Thank you very much," said {m}.',
      '"Nice to meet you," said {n}. "Nice to meet you too," said {m}.', '{m} was {feel}. {n} helped {m}.',
    ],
    ['{n} and {m} played together until the sun went down.', '{n} and {m} ate {food} by the {q}.', 'But it began to rain, and {n} and {m} ran home.'],
    ['From that day on, {n} and {m} were best friends.', '{n} and {m} lived happily ever after.', 'The {kind} and the {kind2} became good friends.'],
  ],
  treasure: [
    ['One day, {n} found a {thing} in the {q}.', 'One sunny day, {n} saw a {thing} under a tree.'],
    ['{n} was very {feel}.', '"What is this?" asked {n}.', 'The {kind} was very {feel}.'],
    ['{n} took the {thing} home.', '{n} put the {thing} in a box.', 'Then {n} took the {thing} home and went to sleep.'],
    ['{n} was happy.', 'And {n} never forgot that day.', 'The {kind} loved the {thing} very much.'],
  ],
  end: ' The end.',
};

/** The English text with "an" before vowels. */
export const withArticles = (text) => text.replace(/\b([Aa]) (?=[aeiou])/g, '$1n ');

/** The sentences of one story: two of introduction, then an adventure, cut off at a random place. */
function tell(draw, slots, forms) {
  const parts = [forms.opening, forms.habits, ...(draw.chance(0.6) ? forms.friend : forms.treasure)];
  const sentences = parts.map((choices) => draw.fill(choices, slots));
  return sentences.slice(0, draw.choice([3, 4, 5, 6, 6, 6]));
}

/** 从前，有一只可爱的小猫，名叫咪咪。…… */
export function storyZh(draw) {
  const [n, m] = draw.sample(lx.petsZh, 2);
  const [kind, kind2] = draw.sample(lx.animalsZh, 2);
  const [p, q] = draw.sample(lx.placesZh, 2);
  const [unit, thing] = draw.choice(lx.treasuresZh);
  const slots = {
    n, m, kind, kind2, p, q, unit, thing, do: draw.choice(lx.actionsZh), food: draw.choice(lx.foodsZh), feel: draw.choice(lx.feelingsZh),
    trait: draw.choice(lx.traitsZh),
  };
  const sentences = tell(draw, slots, formsZh);
  return sentences.join('') + (sentences.length === 6 && draw.chance(0.3) ? formsZh.end : '');
}

/** Once upon a time, there was a little cat named Lily. … */
export function storyEn(draw) {
  const [n, m] = draw.sample(lx.namesEn, 2);
  const [kind, kind2] = draw.sample(lx.animalsEn, 2);
  const [p, q] = draw.sample(lx.placesEn, 2);
  const verb = draw.below(lx.actionsEn.length);
  const slots = {
    n, m, kind, kind2, p, q, do: lx.actionsEn[verb], doing: lx.doingEn[verb], food: draw.choice(lx.foodsEn), feel: draw.choice(lx.feelingsEn),
    trait: draw.choice(lx.traitsEn), colour: draw.choice(lx.coloursEn), thing: draw.choice(lx.treasuresEn),
  };
  const sentences = tell(draw, slots, formsEn);
  return withArticles(sentences.join(' ')) + (sentences.length === 6 && draw.chance(0.3) ? formsEn.end : '');
}

/** 早上，小明去公园跑步。他看见了小红。…… */
export function sceneZh(draw) {
  const [n, m] = draw.sample(lx.namesZh, 2);
  const item = draw.choice(lx.itemsZh);
  const he = lx.boysZh.includes(n) ? '他' : '她';
  const slots = {
    n, m, item, he, unit: lx.measureOf(item), they: he === '他' || lx.boysZh.includes(m) ? '他们' : '她们',
    when: draw.choice(['早上', '下午', '晚上', '星期天', '放学后']), place: draw.choice(lx.placesZh), do: draw.choice(lx.actionsZh),
    feel: draw.choice(lx.feelingsZh), food: draw.choice(lx.foodsZh),
  };
  return fill('{when}，{n}去{place}{do}。{he}看见了{m}。', slots) + draw.fill([
    '{n}说：“你好，{m}！”{m}很{feel}。', '{they}一起{do}，玩得很开心。', '{m}送给{n}一{unit}{item}，{n}说：“谢谢你！”',
    '{n}问{m}：“你喜欢吃什么？”{m}说：“我喜欢吃{food}。”',
  ], slots);
}

/** In the morning, Tom went to the park to run. Lily was there too. … */
export function sceneEn(draw) {
  const [n, m] = draw.sample(lx.namesEn, 2);
  const slots = {
    n, m, when: draw.choice(['In the morning', 'In the afternoon', 'On Sunday', 'After school']), place: draw.choice(lx.placesEn),
    do: draw.choice(lx.actionsEn), food: draw.choice(lx.foodsEn), item: draw.choice(lx.itemsEn),
  };
  return withArticles(fill('{when}, {n} went to the {place} to {do}. {m} was there too.', slots) + draw.fill([
    ' {n} said, "Hello, {m}!"', ' {n} and {m} had a good time.', ' {m} gave {n} a {item}. "Thank you very much," said {n}.',
    ' "What do you like to eat?" asked {n}. "I like {food}," said {m}.',
  ], slots));
}
