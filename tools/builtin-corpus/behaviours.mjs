// The held-out test items: what the trained model is measured on. They are drawn once, and kept in
// tests/golden/data/behaviours.json.
import * as bank from './bank.mjs';
import * as calculator from './calculator.mjs';
import * as clock from './clock.mjs';
import { fillers } from './corpus.mjs';
import * as dictionary from './dictionary.mjs';
import { Draw, fill } from './draw.mjs';
import { cannotEn, cannotZh } from './failures.mjs';
import { areHeldOutOperands, hash, pairsOf } from './held-out.mjs';
import * as lx from './lexicon.mjs';
import { giftsEn, giftsZh, randomString } from './patterns.mjs';
import { countPieces } from './pieces.mjs';
import * as pronouns from './pronouns.mjs';
import * as recall from './recall.mjs';

const seed = 11;
const times = (count, draw) => Array.from({ length: count }, (_, i) => draw(i));
const item = (prompt, expect) => ({ prompt, expect });

const collocations = [
  ['Thank you very', ' much'], ['"Thank you very', ' much'], ['Nice to meet', ' you'], ['How are', ' you'], ['Once upon a', ' time'], ['Happy birthday to', ' you'],
  ['You are', ' welcome'], ['很高兴', '认识'], ['祝你生日', '快乐'], ['床前明月', '光'], ['春眠不觉', '晓'], ['国王是男人，王后是', '女人'], ['很久很久以前，有', '一只'],
  ['A king is a man and a queen is a', ' woman'], ['The sky is', ' blue'],
];

/** Held-out pairs of one language, each with an adjective of the animal and with one of the object, in one form of question. */
function pronounItems(draw, language, form, count) {
  const [scenes, statement, questions] = language === 'zh'
    ? [pronouns.scenesZh, pronouns.statementZh, pronouns.questionsZh] : [pronouns.scenesEn, pronouns.statementEn, pronouns.questionsEn];
  const space = language === 'zh' ? '' : ' ';
  const all = scenes.flatMap((scene) => pairsOf(scene.animals, scene.objects, true).flatMap(([a, o]) => [true, false].map((ofAnimal) => {
    const x = draw.choice(ofAnimal ? scene.tired : scene.other);
    const no = language === 'zh' ? '没有' : draw.choice(['did not', 'could not']);
    const slots = { a, o, x, no, v: draw.choice(scene.verbs), who: ofAnimal ? '谁' : '什么' };
    return item(fill(statement + questions[form], slots), space + (ofAnimal ? a : o));
  })));
  const kitten = language === 'zh' ? ['小猫', '桌子'] : ['cat', 'table'];
  const named = all.filter(({ prompt }) => kitten.every((word) => prompt.includes(word)));
  return [...named, ...draw.sample(all.filter((each) => !named.includes(each)), count - named.length)];
}

/** Held-out items and containers. */
function fittingItems(draw, language) {
  const [items, containers, big, small, template] = language === 'zh'
    ? [lx.itemsZh, lx.containersZh, lx.bigZh, lx.smallZh, pronouns.fittingZh] : [lx.itemsEn, lx.containersEn, lx.bigEn, lx.smallEn, pronouns.fittingEn];
  const space = language === 'zh' ? '' : ' ';
  return pairsOf(items, containers, true).flatMap(([i, c]) => [
    item(fill(template, { i, c, x: draw.choice(big) }), space + i), item(fill(template, { i, c, x: draw.choice(small) }), space + c),
  ]);
}

/** Sentences whose next word belongs to one sense of bank. */
function bankItems(draw, pairings) {
  return bank.senses.flatMap((sense) => pairings(sense).map(([before, going]) => item(fill(`${before} ${going} and`, bank.personSlots(draw.choice(lx.namesEn))), sense)));
}

/** First sentences that the corpus does not have. */
const freshBefore = {
  money: [
    '{n} wanted a loan for a car.', '{n} gave a check to the clerk.', '{n} found some cash in a bag.', '{n} had no money.', '{n} sold the boat for money.',
    '{n} had an account.', '{n} got some coins.', '{n} needed money for a house.', '{n} carried the cash in a pocket.', '{n} was paid in coins.',
    '{n} borrowed some money from the clerk.', '{n} saved a lot of coins.',
  ],
  river: [
    '{n} wanted to fish.', '{n} was in the water.', '{n} saw some frogs in the grass.', '{n} fed the ducks.', '{n} had a boat on the river.', '{n} was swimming in the river.',
    '{n} watched the fish in the stream.', '{n} rowed a boat.', '{n} looked for ducks by the river.', '{n} was cold and wet from the stream.',
    '{n} sat in a small boat.', '{n} caught some fish in the river.',
  ],
};

/** Operands of two digits that no training text holds, for the operation with this sign. */
function heldOutOperands(draw, sign) {
  for (;;) {
    let [a, b] = [draw.between(10, 99), draw.between(10, 99)];
    if (sign === '-' && a < b) [a, b] = [b, a];
    if (areHeldOutOperands(a, b)) return [a, b];
  }
}

const signs = ['+', '+', '-', '×'];

/** Sums up to where the call must follow; `written` says whether the operation stands as word or as sign. */
function callItems(draw, language, written, count) {
  const asks = language === 'zh' ? calculator.asksZh : calculator.asksEn;
  return times(count, (i) => {
    const sign = signs[i % signs.length];
    const [a, b] = i === 0 ? [12, 35] : heldOutOperands(draw, sign);
    const op = written === 'sign' ? sign : calculator.operations[sign][language];
    return item(fill(i === 0 ? asks[0] : draw.choice(asks), { a, b, op }), `<calc>${a}${sign}${b}</calc>`);
  });
}

/** Word problems up to where the call must follow. */
function problemItems(draw, language, count) {
  const problems = language === 'zh' ? calculator.problemsZh : calculator.problemsEn;
  return times(count, (i) => {
    const sign = signs[i % signs.length];
    const [a, b] = heldOutOperands(draw, sign);
    const [question] = draw.choice(problems[sign]);
    return item(fill(question, { ...calculator.problemSlots(draw, language === 'zh'), a, b }), `<calc>${a}${sign}${b}</calc>`);
  });
}

/** Sums up to where the answer must follow, with right results or with any number. */
function resultItems(draw, language, right, count) {
  const [asks, answer] = language === 'zh' ? [calculator.asksZh, calculator.answerZh] : [calculator.asksEn, calculator.answerEn];
  return times(count, (i) => {
    const sign = signs[i % signs.length];
    const [a, b] = heldOutOperands(draw, sign);
    const slots = { a, b, v: right ? calculator.operations[sign].of(a, b) : draw.below(10000), op: calculator.operations[sign][language] };
    return item(fill(asks[0], slots) + calculator.call(a, sign, b, slots.v), fill(answer, slots));
  });
}

/** Chains up to where the second call must follow; its operands are held out too. */
function chainItems(draw, count) {
  return times(count, () => {
    for (;;) {
      const [a, b] = heldOutOperands(draw, '-');
      const [between, d] = [a - b, draw.between(10, 99)];
      if (!areHeldOutOperands(between, d)) continue;
      const question = fill(calculator.chainZh, { a, b, d, w: '减', w2: '加' });
      return item(question + calculator.call(a, '-', b, between), `<calc>${between}+${d}</calc>`);
    }
  });
}

const rareZh = '麒麟 榴莲 螃蟹 琵琶 蝴蝶 钢琴 望远镜 彩虹 芒果 犀牛 骆驼 枇杷 氢气 量子 橡皮 龘 火车站 显微镜 葫芦 鹦鹉 蘑菇汤 咖啡壶 窗帘 篮球 玻璃 茄子 萝卜 蚂蚁 蜘蛛 菠萝'.split(' ');
const rareEn = ('serendipity quixotic zephyr platypus kaleidoscope banjo xylophone oxygen quantum jigsaw telescope rhubarb yacht gnome mnemonic lullaby wigwam zigzag bamboo sphinx '
  + 'cactus tofu mango velvet curtain glass spider piano camel rainbow').split(' ');

/** Questions for a word up to where the call must follow. words: [Chinese, English] pairs. */
function lookUpItems(draw, words, count) {
  const cases = words.flatMap(([zh, en]) => [['zh', en], ['en', zh]]);
  return draw.sample(cases, Math.min(count, cases.length)).map(([to, x]) => {
    const { question } = draw.choice(dictionary.asks.filter((ask) => ask.to === to));
    return item(fill(question, { x }), `<dict>${x}</dict>`);
  });
}

/** Questions for a word up to where the answer must follow. */
function entryItems(draw, words, count) {
  const cases = words.flatMap(([zh, en]) => [['zh', en, zh], ['en', zh, en]]);
  return draw.sample(cases, Math.min(count, cases.length)).map(([to, x, v]) => {
    const { question, answer } = draw.choice(dictionary.asks.filter((ask) => ask.to === to));
    return item(`${fill(question, { x })}<dict>${x}</dict><result>${v}</result>`, fill(answer, { x, v }));
  });
}

/** Look-ups that found nothing, up to where the answer must say so. whole: the answer to its end, or only as far as it says so. */
function emptyLookUpItems(draw, whole, count) {
  return times(count, () => {
    const { to, question, nothing } = draw.choice(dictionary.asks);
    const x = to === 'zh' ? dictionary.pseudoEn(draw) : draw.choice(lx.dictionary)[0];
    const answer = whole ? fill(nothing, { x }) : nothing.split('{x}')[0];
    return item(`${fill(question, { x })}<dict>${x}</dict><result>没有</result>`, answer);
  });
}

/** Sums that came back as an error, up to where the answer must say so. */
function failedSumItems(draw, count) {
  return times(count, (i) => {
    const sign = signs[i % signs.length];
    const [a, b] = heldOutOperands(draw, sign);
    const language = draw.choice(['zh', 'en']);
    const question = fill((language === 'zh' ? calculator.asksZh : calculator.asksEn)[0], { a, b, op: calculator.operations[sign][language] });
    return item(question + calculator.call(a, sign, b, '错误'), language === 'zh' ? cannotZh : cannotEn);
  });
}

/** Lists said a second time up to the fourth word at most; the answer is the next one, whole. */
function inductionItems(draw, kind, count) {
  return times(count, () => {
    if (kind === 'names') {
      const words = draw.sample(lx.namesEn, 6);
      return item([...words, ...words.slice(0, 3)].join(' '), ` ${words[3]}`);
    }
    if (kind === '、-lists') {
      const words = draw.sample([...lx.animalsZh, ...lx.foodsZh], 6);
      return item(`${[...words, ...words.slice(0, 3)].join('、')}、`, words[3]);
    }
    const words = {
      'random words': () => draw.sample(lx.tokensEn, 12),
      letters: () => draw.sample([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'], 8),
      'random strings': () => times(5, () => randomString(draw)),
    }[kind]();
    const again = Math.min(4, words.length - 3);
    return item(` ${[...words, ...words.slice(0, again)].join(' ')}`.slice(kind === 'random words' ? 0 : 1), ` ${words[again]}`);
  });
}

/** Who got the gift. */
function copyingItems(draw, language, count) {
  const [templates, names, items, places, space] = language === 'zh' ? [giftsZh, lx.namesZh, lx.itemsZh, lx.placesZh, ''] : [giftsEn, lx.namesEn, lx.itemsEn, lx.placesEn, ' '];
  return times(count, () => {
    const [n, m] = draw.sample(names, 2);
    const x = draw.choice(items.filter((word) => word !== 'umbrella'));
    const text = fill(templates[0], { n, m, x, u: lx.measureOf(x), p: draw.choice(places) });
    const end = language === 'zh' ? text.indexOf(`对${n}`) + 1 : text.indexOf(`${m}. ${m}`) - 1;
    return item(text.slice(0, end), space + (language === 'zh' ? n : m));
  });
}

/**
 * Facts, filler and the question for one held-out fact. kind: of facts; pieces: [least, most] of filler.
 * The values differ, so that only the place tells which one is asked for.
 */
function recallItems(draw, language, kind, { count, facts: [fewest, most], pieces: [least, longest] }) {
  return times(count, (i) => {
    for (;;) {
      const keys = recall.drawKeys(draw, language, kind, draw.between(fewest, most));
      const told = keys.map((key, j) => recall.withValue(draw, key, j === 0));
      if (told.includes(null) || new Set(told.map(({ v }) => v)).size < told.length) continue;
      const filler = longest === 0 ? [] : recall.drawFiller(draw, language, draw.between(least, longest), told, fillers);
      if (countPieces(filler.join(' ')) < least) continue;
      const [asked] = told;
      const sentences = [...draw.shuffle(told).map(recall.told), ...filler];
      const [separator, lead] = language === 'zh' ? ['', ''] : [' ', 'Remember: '];
      // Asked, the corpus answers with a word or with a sentence.
      const answers = i % 2 === 0 ? [asked.v] : [asked.v, recall.sentence(asked)];
      const prompt = lead + [...sentences, i % 2 === 0 ? recall.beginning(asked) : recall.question(asked)].join(separator);
      const expected = answers.map((answer) => (prompt.endsWith(' ') ? ` ${answer}` : answer));
      return item(prompt.trimEnd(), expected.length === 1 ? expected[0] : expected);
    }
  });
}

/** Places in texts where a call is not due. */
function plainItems(draw) {
  const some = (language, form) => pronounItems(draw, language, form, 6).map(({ prompt }) => prompt);
  const facts = (language, kind) => recallItems(draw, language, kind, { count: 6, facts: [1, 3], pieces: [0, 30] }).map(({ prompt }) => prompt);
  const prompts = [
    ...draw.sample(lx.capitals, 4).flatMap(([zh, , en]) => [`问：${zh}的首都是哪里？`, `Question: what is the capital of ${en}?`]),
    ...lx.sounds.slice(0, 3).flatMap(([zh, , en]) => [`问：${zh}怎么叫？`, `Question: what does the ${en} say?`]),
    ...some('zh', 'ask').map((prompt) => prompt.slice(0, -'答：'.length)), ...some('en', 'ask').map((prompt) => prompt.slice(0, -' Answer: the'.length)),
    ...some('zh', 'which'), ...some('en', 'which'),
    ...facts('zh', 'one owner').map((prompt) => prompt.replace(/答：$/, '')), ...facts('en', 'one owner').map((prompt) => prompt.replace(/ Answer:( near the| a)?$/, '')),
    '今天天气真好。', '小明有三个苹果。', 'Thank you very much.', 'Once upon a time,', '从前，有一只可爱的小猫，名叫咪咪。', 'Tom likes red.',
  ];
  return prompts.map((prompt) => ({ prompt }));
}

/** The groups in the order in which they are measured. */
function groups() {
  const list = [];
  /** Every group has a random source of its own, so that a change in one leaves the others as they are. */
  const add = (name, kind, options, items) => list.push({ name, kind, ...options, items: items(new Draw(hash(`${seed} ${name}`))) });

  add('collocations', 'next', { bound: 1, least_probability: 0.9 }, () => collocations.slice(0, 2).map((pair) => item(...pair)));
  add('more collocations', 'next', { bound: 1 }, () => collocations.slice(2).map((pair) => item(...pair)));
  add('capitals', 'next', { bound: 1 }, () => lx.capitals.flatMap(([zh, zc, en, ec]) => [item(`${zh}的首都是`, zc), item(`The capital of ${en} is`, ` ${ec}`)]));
  for (const form of Object.keys(pronouns.questionsZh)) add(`pronoun zh ${form}`, 'next', { bound: 0.95 }, (draw) => pronounItems(draw, 'zh', form, 64));
  for (const form of Object.keys(pronouns.questionsEn)) add(`pronoun en ${form}`, 'next', { bound: 0.95 }, (draw) => pronounItems(draw, 'en', form, 64));
  for (const language of ['zh', 'en']) add(`fitting ${language}`, 'next', { bound: 0.95 }, (draw) => fittingItems(draw, language));
  const sides = Object.fromEntries(bank.senses.map((sense) => [sense, [...new Set(bank.doing[sense].map((text) => ` ${text.split(' ')[0]}`))]]));
  add('bank held-out pairings', 'side', { bound: 0.95, sides }, (draw) => bankItems(draw, bank.heldOutPairings));
  add('bank freshly worded', 'side', { measure: true, sides }, (draw) => bankItems(draw, (sense) => freshBefore[sense].flatMap((b) => bank.going[sense].slice(0, 2).map((g) => [b, g]))));
  for (const kind of ['names', '、-lists', 'letters', 'random words']) add(`induction ${kind}`, 'next', { bound: 0.9 }, (draw) => inductionItems(draw, kind, 50));
  add('induction random strings', 'next', { measure: true }, (draw) => inductionItems(draw, 'random strings', 50));
  for (const language of ['zh', 'en']) add(`copying ${language}`, 'next', { bound: 0.95 }, (draw) => copyingItems(draw, language, 60));

  add('calculator call zh words', 'generate', { bound: 0.95 }, (draw) => callItems(draw, 'zh', 'word', 60));
  add('calculator call zh signs', 'generate', { bound: 0.95 }, (draw) => callItems(draw, 'zh', 'sign', 60));
  add('calculator call zh word problems', 'generate', { bound: 0.95 }, (draw) => problemItems(draw, 'zh', 60));
  add('calculator call en words', 'generate', { bound: 0.95 }, (draw) => callItems(draw, 'en', 'word', 60));
  add('calculator call en word problems', 'generate', { measure: true }, (draw) => problemItems(draw, 'en', 60));
  add('calculator second call', 'generate', { measure: true }, (draw) => chainItems(draw, 60));
  for (const language of ['zh', 'en']) {
    for (const right of [true, false]) add(`calculator answer ${language}, ${right ? 'right' : 'any'} result`, 'generate', { bound: 0.95 }, (draw) => resultItems(draw, language, right, 48));
  }
  add('clock call', 'generate', { bound: 0.95 }, () => clock.asks.map(([question]) => item(question, '<clock></clock>')));
  add('clock answer', 'generate', { bound: 0.95 }, (draw) => times(60, () => {
    const [question, answer] = draw.choice(clock.asks);
    const t = clock.drawTime(draw);
    return item(`${question}<clock></clock><result>${t}</result>`, fill(answer, { t }));
  }));
  const rare = rareZh.map((zh, i) => [zh, rareEn[i]]);
  add('dictionary call common words', 'generate', { bound: 0.95 }, (draw) => lookUpItems(draw, lx.dictionary, 100));
  add('dictionary call rare words', 'generate', { measure: true }, (draw) => lookUpItems(draw, rare, 60));
  add('dictionary answer common words', 'generate', { bound: 0.95 }, (draw) => entryItems(draw, lx.dictionary, 100));
  add('dictionary answer rare words', 'generate', { measure: true }, (draw) => entryItems(draw, rare, 60));
  add('calculator failed', 'generate', { bound: 0.95 }, (draw) => failedSumItems(draw, 40));
  add('dictionary empty', 'generate', { bound: 0.95 }, (draw) => emptyLookUpItems(draw, false, 40));
  add('dictionary empty, whole answer', 'generate', { measure: true }, (draw) => emptyLookUpItems(draw, true, 40));
  add('no call where none is due', 'absent', { bound: 0.01 }, plainItems);

  const far = { count: 36, facts: [2, 4], pieces: [0, 150] };
  for (const language of ['zh', 'en']) {
    add(`recall ${language} different things`, 'next', { bound: 0.95 }, (draw) => recallItems(draw, language, 'all different', far));
    add(`recall ${language} different attributes`, 'next', { bound: 0.95 }, (draw) => recallItems(draw, language, 'one owner', far));
    add(`recall ${language} one relation, several owners`, 'next', { measure: true }, (draw) => recallItems(draw, language, 'one relation', far));
    add(`recall ${language} one thing, several owners`, 'next', { measure: true }, (draw) => recallItems(draw, language, 'one thing', far));
    add(`recall ${language} outside the window`, 'next', { at_most: 0.35 }, (draw) => recallItems(draw, language, 'all different', { count: 12, facts: [2, 2], pieces: [290, 310] }));
  }
  return list;
}

/** The content of behaviours.json: one item a line. */
export function behaviours() {
  const shown = groups().map(({ items, ...group }) => {
    const head = JSON.stringify(group).slice(1, -1);
    return `{${head},"items":[\n${items.map((each) => JSON.stringify(each)).join(',\n')}\n]}`;
  });
  return `{"seed":${seed},"groups":[\n${shown.join(',\n')}\n]}\n`;
}
