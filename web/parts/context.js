// Something told, other sentences after it, a question at the end: what of it the model still sees, and what it answers. The same in the page, at build
// time and in tests. `engine` is an EngineClient or an EngineSession.

import { tokenLabel } from '../draw/label.js';

// Sentences as tools/builtin-corpus writes them; none has a person, thing or colour of the usual facts.
const filler = {
  zh: [
    '大衣放不进口袋，因为它太长了。太长的是大衣。',
    '小梅在打电话。',
    '今天天气真好，我们去山上玩吧。',
    '老虎不愿越过小河，因为它太危险了。',
    '早上，小丽去森林讲故事。她看见了小东。',
    '猴子不敢登上屋顶，因为它太紧张了。太紧张的是猴子。',
    '从前，有一只善良的小羊，名叫点点。点点很想学游泳。',
    '苹果公司的手机很贵，小云很想买。',
    '大象没有爬上台阶，因为它太饿了。',
    '我想喝一杯牛奶，谢谢。',
    '放学后，小东去动物园骑车。他看见了小军。',
    '从前，有一只聪明的老虎，名叫花花。花花最爱吃米饭。',
    '因为田野太热闹了，老鼠不愿走过它。“它”指的是田野。',
    '小雪和小美是好朋友，他们喜欢唱歌。',
    '枕头放不进冰箱，因为它太窄了。太窄的是冰箱。',
    '下午，小梅去花园踢球。她看见了小龙。',
    '苹果很甜，小亮吃了一个。',
    '小鸭没有穿过木桥，因为它太虚弱了。',
    '今天天气真冷，外面下着大雨。',
    '从前，森林住着一只聪明的狐狸，大家叫它豆豆。',
    '小美去银行取钱。银行里人很多。',
    '花瓶放不进抽屉，因为它太浅了。“它”指的是抽屉。',
    '我喜欢吃糖果，也喜欢吃面条。',
    '星期天，小强去山上跳舞。他看见了小刚。',
    '有一天，一只叫球球的青蛙来到村子。球球最爱吃饺子。',
    '小龙去银行取钱。',
    '西瓜放不进提包，因为它太大了。太大的是西瓜。',
    '晚上，小雪去医院唱歌。',
    '小鸟没有走过水沟，因为它太懒了。',
    '小军在打水。',
    '从前，有一只可爱的乌龟，名叫旺旺。旺旺很想学讲故事。',
    '今天天气真热，我们去游泳吧。',
  ],
  en: [
    'Mia gave the clerk some notes.',
    'The duck could not walk across the field because it was too noisy.',
    'After school, Jack went to the library to sleep. Emma was there too.',
    'Mia and Jack are best friends. They like cooking.',
    'The kettle does not fit in the drawer because it is too small. The word it means the drawer.',
    'The money is in the bank.',
    'On Sunday, Max went to the hill to ride. Sam was there too.',
    'Once upon a time, there was a clever fox named Alice. Alice liked to draw and eat honey.',
    'Leo deposited money at the bank.',
    'The horse did not jump onto the roof because it was too wet. The word it means the roof.',
    'I would like a cup of milk, please. Here you are.',
    'In the afternoon, Mia went to the market to swim. Lucy was there too.',
    'The book does not fit in the trunk because it is too thick.',
    'Ben got a check from work.',
    'Once upon a time, a little bear lived near the farm. The bear was called Kate.',
    'The goat did not cross the ditch because it was too shy.',
    'In the afternoon, Jack went to the library to climb.',
    'Max got out of the boat. He ran to the bank and sat on the grass.',
    'The ball does not fit in the basket because it is too big.',
    'On Sunday, Leo went to the park to ride.',
    'The cat could not get on the box because it was too slippery. The word it means the box.',
    'In the morning, Ruby went to the station to sleep. Lucy was there too.',
    'The duck did not walk across the garden because it was too far.',
    'Once upon a time, there was a kind duck named Kate. Kate liked to run and eat nuts.',
    'Henry needed cash.',
    'On Sunday, Emma went to the river to sing.',
    'The toy does not fit in the trunk because it is too long. The word it means the toy.',
    'In the afternoon, Jack went to the park to sing.',
    'The coat does not fit in the basket because it is too small.',
    'Hello. My name is Max.',
  ],
};

const colours = {
  zh: ['红色', '蓝色', '绿色', '黄色', '白色', '黑色', '紫色', '金色'],
  en: ['red', 'blue', 'green', 'yellow', 'white', 'black', 'purple', 'golden'],
};

/** Facts with their questions: fact(value) for each of `values`, of which the first stands in the figure at first. */
export const prompts = [
  { name: 'hatZh', language: 'zh', values: colours.zh, fact: (value) => `小明的帽子是${value}的。`, question: '问：小明的帽子是什么颜色的？答：小明的帽子是' },
  { name: 'foodZh', language: 'zh', values: ['西瓜', '葡萄', '苹果', '面包', '饺子', '蛋糕', '香蕉', '糖果'], fact: (value) => `小红最爱吃${value}。`, question: '问：小红最爱吃什么？答：小红最爱吃' },
  { name: 'passwordZh', language: 'zh', values: ['4739', '1806', '2954', '3621', '5170', '6082', '7415', '9348'], fact: (value) => `小红的密码是${value}。`, question: '问：小红的密码是多少？答：小红的密码是' },
  { name: 'hatEn', language: 'en', values: colours.en, fact: (value) => `Remember: Tom's hat is ${value}.`, question: "Question: what colour is Tom's hat? Answer: Tom's hat is" },
  { name: 'petEn', language: 'en', values: ['dog', 'rabbit', 'monkey', 'tiger', 'bird', 'mouse', 'frog', 'turtle'], fact: (value) => `Remember: Lily has a ${value}.`, question: 'Question: what does Lily have? Answer: Lily has a' },
];

/** The prompt that a fact and a question belong to, with the place of its value → { prompt, index } or null. */
export function promptOf(fact, question) {
  for (const prompt of prompts) {
    if (prompt.question !== question) continue;
    const index = prompt.values.findIndex((value) => prompt.fact(value) === fact);
    if (index >= 0) return { prompt, index };
  }
  return null;
}

/** The language that other sentences are to have: Chinese where the texts have a Chinese character, or are empty. */
export const languageFor = (fact, question) => (/[\u2e80-\uffff]/u.test(fact + question) || !(fact + question).trim() ? 'zh' : 'en');

/** How many other sentences there are in a language. */
export const mostFiller = (language) => filler[language].length;

/** An attribute as a number of sentences → { value, changed }. */
export function readFiller(raw, language, fallback = 0) {
  if (raw === null || raw === undefined) return { value: fallback, changed: false };
  const number = /^\s*-?\d+\s*$/.test(String(raw)) ? Number(raw) : NaN;
  const value = Number.isNaN(number) ? fallback : Math.min(mostFiller(language), Math.max(0, number));
  return { value, changed: value !== number };
}

/** The whole text, and where its parts begin and end in characters → { text, parts: [{ name, from, to }] }. */
export function composeText({ fact, question, count }) {
  const language = languageFor(fact, question);
  const gap = language === 'zh' ? '' : ' ';
  const parts = [];
  let text = '';
  const add = (name, piece) => {
    if (!piece) return;
    const from = text.length;
    text += (text ? gap : '') + piece;
    parts.push({ name, from, to: text.length });
  };
  add('fact', fact);
  for (const sentence of filler[language].slice(0, count)) add('filler', sentence);
  add('question', question);
  return { text, parts };
}

const encoder = new TextEncoder();

/** The answer ends with its first sentence. */
function firstSentence(text) {
  const found = /[。.！!？?\n]/u.exec(text);
  return (found ? text.slice(0, found.index + (found[0] === '\n' ? 0 : 1)) : text).trim();
}

const answerTokens = 7;

/** Tokens of the parts, what is dropped, and where that ends in the text. */
async function layOut(engine, { fact, question, count, model, context }) {
  const { text, parts } = composeText({ fact, question, count });
  const { bytes } = await engine.tokenize(text, { model });
  const dropped = Math.max(0, bytes.length - context);
  const starts = [0];
  for (const piece of bytes) starts.push(starts.at(-1) + piece.length);
  // A part begins with the token that holds its first byte.
  const tokenAt = (byte) => {
    let at = starts.findIndex((start) => start > byte) - 1;
    if (at < 0) at = bytes.length;
    return at;
  };
  const cuts = parts.map(({ from }) => tokenAt(encoder.encode(text.slice(0, from)).length));
  const placed = parts.map((part, i) => ({ ...part, start: cuts[i], end: cuts[i + 1] ?? bytes.length }));
  // A character of which one byte is dropped is gone.
  const utf8 = encoder.encode(text);
  let cut = starts[dropped];
  while (cut < utf8.length && (utf8[cut] & 0xc0) === 0x80) cut += 1;
  const goneText = new TextDecoder().decode(utf8.slice(0, cut));
  return { text, parts: placed, total: bytes.length, dropped, gone: goneText.length };
}

/** How much of the fact the model sees: all, some, none; `nothing` where none was told. */
function seen({ parts, dropped }) {
  const fact = parts.find(({ name }) => name === 'fact');
  if (!fact) return 'nothing';
  if (fact.start >= dropped) return 'all';
  return fact.end > dropped ? 'some' : 'none';
}

/** What is written after a text, up to the end of the sentence. */
async function write(engine, text, model) {
  return firstSentence((await engine.generate(text, { model, maxTokens: answerTokens })).text);
}

/** The likeliest next token and what is written. */
async function answer(engine, text, model, token = null) {
  const { candidates } = await engine.next(text, { model, top: token === null ? 5 : 0x7fffffff });
  const written = await write(engine, text, model);
  const answerBytes = written ? (await engine.tokenize(written, { model })).bytes : [];
  return { candidates: candidates.slice(0, 5), p: candidates.find(({ id }) => id === token)?.p ?? null, written, tokens: answerBytes.length };
}

/** The answer without other sentences; the map keeps the last one. */
async function nearAnswer(engine, { fact, question, model, hash, near }) {
  const key = JSON.stringify([hash, fact, question]);
  if (!near.has(key)) {
    const { candidates, written } = await answer(engine, composeText({ fact, question, count: 0 }).text, model);
    const [{ id, token, bytes, p }] = candidates;
    near.clear();
    near.set(key, { id, token, bytes, label: tokenLabel(token, bytes).replace(/^␣(?=.)/, ''), p, written });
  }
  return near.get(key);
}

/**
 * What becomes of a fact behind `count` other sentences →
 * { text, parts: [{ name: fact, filler or question, from, to: characters, start, end: tokens }], total: tokens, dropped, gone: characters, context, seen: all, some, none
 * or nothing, candidates, written, answerTokens, reference: the answer without other sentences { id, token, bytes, label, p, written } or null, p: of the reference's token now, found }.
 * `near` keeps the reference of the last fact and question. With a known value the answer is found where it holds the value; else where it is the reference's.
 */
export async function measureContext(engine, { fact, question, count, model = 'builtin', value = null, near = new Map(), signal = null }) {
  const { config, hash } = await engine.load(model);
  const context = config.nPositions;
  const laid = await layOut(engine, { fact, question, count, model, context });
  if (signal?.aborted) return null;
  const reference = fact && question ? await nearAnswer(engine, { fact, question, model, hash, near }) : null;
  if (signal?.aborted) return null;
  const now = await answer(engine, laid.text, model, reference?.id ?? null);
  if (signal?.aborted) return null;
  const found = value !== null ? now.written.includes(value) : reference !== null && now.written === reference.written;
  return { ...laid, model, hash, context, seen: seen(laid), candidates: now.candidates, written: now.written, answerTokens: now.tokens, reference, p: now.p, found, count };
}

/** The probability of the right answer's first token behind 0, 2, 4 … other sentences → [{ count, total, seen, p }]. */
export async function measureCurve(engine, { fact, question, model = 'builtin', reference, signal = null }) {
  const { config } = await engine.load(model);
  const most = mostFiller(languageFor(fact, question));
  const points = [];
  for (let count = 0; count <= most; count += 2) {
    const laid = await layOut(engine, { fact, question, count, model, context: config.nPositions });
    const { candidates } = await engine.next(laid.text, { model, top: 0x7fffffff });
    if (signal?.aborted) return null;
    points.push({ count, total: laid.total, seen: seen(laid), p: candidates.find(({ id }) => id === reference.id)?.p ?? 0 });
  }
  return points;
}

/** Each value of a prompt told, and asked for behind `count` other sentences → [{ value, written, right }]. */
export async function tryValues(engine, { prompt, count, model = 'builtin', signal = null }) {
  const rows = [];
  for (const value of prompt.values) {
    const { text } = composeText({ fact: prompt.fact(value), question: prompt.question, count });
    const written = await write(engine, text, model);
    if (signal?.aborted) return null;
    rows.push({ value, written, right: written.includes(value) });
  }
  return rows;
}

/** The smallest number of other sentences with which nothing of the fact is seen, or null; and the largest with which all is. */
export async function edges(engine, { fact, question, model = 'builtin' }) {
  const { config } = await engine.load(model);
  const language = languageFor(fact, question);
  let inside = null;
  let outside = null;
  for (let count = 0; count <= mostFiller(language); count += 1) {
    const state = seen(await layOut(engine, { fact, question, count, model, context: config.nPositions }));
    if (state === 'all') inside = count;
    if (state === 'none') {
      outside = count;
      break;
    }
  }
  return { inside, outside };
}
