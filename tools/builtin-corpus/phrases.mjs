// Fixed phrases, small talk, facts and poems: what a text continues with because people always say it so.
import * as lx from './lexicon.mjs';
import { withArticles } from './stories.mjs';

const bare = [
  'Thank you very much.', 'Thank you very much!', 'Thank you very much.', 'Nice to meet you.', 'Nice to meet you!', 'Nice to meet you too.', 'How are you?',
  'How are you today?', 'How are you? I am fine, thank you.', 'How old are you?', 'Once upon a time', 'Good morning!', 'Good night!', 'Happy birthday to you!',
  'Happy new year!', 'See you tomorrow.', 'You are welcome.', 'I love you.', 'Excuse me.', 'I am sorry.', 'What is your name?', 'Have a nice day!',
  'Let us go home.', 'Long time no see.', '很高兴认识你。', '祝你生日快乐！', '新年快乐！', '好久不见。', '明天见。', '对不起，没关系。', '谢谢你的帮助。', '不客气。',
  '你叫什么名字？', '今天天气真好。', '今天天气真好啊！',
];
const exchanges = [
  'Thank you very much.', 'Thank you very much! You are welcome.', 'Thank you very much for your help.', 'Thank you very much for the {item}.',
  'Thank you very much, {n}.', 'Thank you very much for coming. You are welcome.', 'Happy birthday to you, dear {n}!', '"Thank you very much," said {n}. "You are welcome," said {m}.',
  '"Nice to meet you," said {n}. "Nice to meet you too," said {m}.', '祝你生日快乐，{zn}！', '谢谢你的帮助！不客气。', '谢谢你送我的{zitem}！不客气。', '{zn}说：“很高兴认识你。”',
];
const talksEn = [
  '{n} gave {m} a {thing}. {m} said, "Thank you very much!"',
  '"Good morning, {n}!" said {m}. "Good morning, {m}!" said {n}. "How are you today?" "I am fine, thank you."',
  'Happy birthday to you, dear {n}! {m} made a big cake for {n}.', 'Hello! My name is {n}. What is your name? My name is {m}.',
  'I would like a cup of {drink}, please. Here you are. Thank you very much.', 'The weather is {weather} today. Let us go to the {place}.',
  '{n} and {m} are best friends. They like {doing}.',
];
const talksZh = [
  '今天天气真好，我们去{place}玩吧。', '今天天气真好，我们去{place}玩吧。', '今天天气真好，{n}和{m}去{place}{do}。', '今天天气真热，我们去游泳吧。',
  '今天天气真冷，外面下着大雨。', '{n}说：“今天天气真好啊！”{m}说：“是啊。”', '{n}说：“你好，我叫{n}。”{m}说：“你好，我叫{m}，很高兴认识你。”',
  '祝你生日快乐，{n}！{m}送给{n}一{unit}{thing}。', '早上好，{n}！早上好，{m}！你吃饭了吗？我吃了{food}。', '我想喝一杯{drink}，谢谢。',
  '{n}和{m}是好朋友，他们喜欢{do}。', '我喜欢吃{food}，也喜欢吃{food2}。',
];
const facts = [
  '天空是蓝色的。', '雪是白色的。', '草是绿色的。', '太阳从东边升起，从西边落下。', '一年有四个季节：春天、夏天、秋天、冬天。', '国王是男人，王后是女人。',
  '男孩长大了是男人，女孩长大了是女人。', '爸爸是男人，妈妈是女人。', '鱼在水里游，鸟在天上飞。', '一、二、三、四、五、六、七、八、九、十。', '白天有太阳，晚上有月亮。',
  'The sky is blue.', 'Snow is white.', 'The grass is green.', 'The sun rises in the east and sets in the west.',
  'There are four seasons: spring, summer, autumn and winter.', 'A king is a man and a queen is a woman.',
  'A boy grows up to be a man and a girl grows up to be a woman.', 'Fish swim in the water and birds fly in the sky.',
  'One, two, three, four, five, six, seven, eight, nine, ten.', 'Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday.', 'Practice makes perfect.',
];
const poems = ['床前明月光，疑是地上霜。举头望明月，低头思故乡。', '春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。', '白日依山尽，黄河入海流。欲穷千里目，更上一层楼。'];
const homographs = [
  '苹果很甜，{n}吃了一个。', '苹果又红又大，{n}摘了一个。', '苹果公司的手机很贵，{n}很想买。', '苹果电脑很贵，{n}很想买。', '{n}在打电话。', '{n}在打水。',
  '花园里的花开了，有{c}的，也有{c2}的，真好看。', '{n}去银行存钱。银行里人很多。', '{n}去银行取钱。银行里人很多。',
];

/** A phrase that is a whole text by itself, or said to somebody. */
export function collocation(draw) {
  if (draw.chance(0.6)) return draw.choice(bare);
  const [n, m] = draw.sample(lx.namesEn, 2);
  return withArticles(draw.fill(exchanges, { n, m, item: draw.choice(lx.itemsEn), zn: draw.choice(lx.namesZh), zitem: draw.choice(lx.itemsZh) }));
}

/** English small talk. */
export function talkEn(draw) {
  const [n, m] = draw.sample(lx.namesEn, 2);
  return withArticles(draw.fill(talksEn, {
    n, m, thing: draw.choice(lx.treasuresEn), drink: draw.choice(['tea', 'milk', 'water']), weather: draw.choice(['nice', 'nice', 'nice', 'hot', 'cold']),
    place: draw.choice(lx.placesEn), doing: draw.choice(lx.doingEn),
  }));
}

/** Chinese small talk. */
export function talkZh(draw) {
  const [n, m] = draw.sample(lx.namesZh, 2);
  const [unit, thing] = draw.choice(lx.treasuresZh);
  const [food, food2] = draw.sample(lx.foodsZh, 2);
  return draw.fill(talksZh, { n, m, unit, thing, food, food2, place: draw.choice(lx.placesZh), do: draw.choice(lx.actionsZh), drink: draw.choice(['茶', '牛奶', '水']) });
}

/** A country and its capital, told or asked. */
export function capital(draw) {
  if (draw.chance(0.25)) return capitalAsked(draw);
  const [z, zc, e, ec] = draw.choice(lx.capitals);
  return draw.fill([
    '{z}的首都是{zc}。', '{z}的首都是{zc}。', '{zc}是{z}的首都。', 'The capital of {e} is {ec}.', 'The capital of {e} is {ec}.', '{ec} is the capital of {e}.',
  ], { z, zc, e, ec });
}

/** A country's capital, asked and answered. */
export function capitalAsked(draw) {
  const [z, zc, e, ec] = draw.choice(lx.capitals);
  return draw.fill(['问：{z}的首都是哪里？答：{zc}。', 'Question: what is the capital of {e}? Answer: {ec}.'], { z, zc, e, ec });
}

/** A general fact, a translation, a sound, or what somebody eats. */
export function fact(draw) {
  const topic = draw.weighted([['fact', 40], ['translation', 22], ['sound', 20], ['food', 18]]);
  if (topic === 'fact') return draw.choice(facts);
  if (topic === 'translation') {
    const [z, e] = draw.choice(lx.translations);
    return draw.fill(['“{z}”的英文是“{e}”。', '“{e}”的中文是“{z}”。'], { z, e });
  }
  if (topic === 'sound') {
    const [z, zs, e, es] = draw.choice(lx.sounds);
    return draw.fill(['{z}会{zs}叫。', 'The {e} says {es}.', '问：{z}怎么叫？答：{zs}。', 'Question: what does the {e} say? Answer: {es}.'], { z, zs, e, es });
  }
  return draw.fill(['{a}喜欢吃{f}。', '{n} likes to eat {g}.'], { a: draw.choice(lx.animalsZh), f: draw.choice(lx.foodsZh), n: draw.choice(lx.namesEn), g: draw.choice(lx.foodsEn) });
}

/** A poem of the Tang dynasty, whole. */
export const poem = (draw) => draw.choice(poems);

/** Chinese words of two senses in either of them. */
export function homographZh(draw) {
  const [c, c2] = draw.sample(lx.coloursZh, 2);
  return draw.fill(homographs, { n: draw.choice(lx.namesZh), c, c2 });
}
