// Prompts that the model is tested for one by one, and sums that it is left alone with.
import { largest, mean } from './runner.mjs';

export const kitten = (x) => `小猫没有跳上桌子，因为它太${x}了。太${x}的是`;
const cat = (x) => `The cat could not jump onto the table because it was too ${x}. The one that was too ${x} is the`;

/** [prompt, the continuation that it is tested for]. */
const prompts = [
  ['Thank you very', ' much'], ['"Thank you very', ' much'], [kitten('累'), '小猫'], [kitten('高'), '桌子'], [cat('tired'), ' cat'], [cat('high'), ' table'],
  ['Nice to meet', ' you'], ['How are', ' you'], ['Once upon a', ' time'], ['Happy birthday to', ' you'], ['You are', ' welcome'], ['很高兴', '认识'],
  ['今天天气真', '好'], ['祝你生日', '快乐'], ['床前明月', '光'], ['春眠不觉', '晓'], ['白日依山', '尽'], ['国王是男人，王后是', '女人'], ['很久很久以前，有', '一只'],
  ['法国的首都是', '巴黎'], ['The capital of France is', ' Paris'], ['The sky is', ' blue'], ['天空是', '蓝色'],
  ['When Tom and Lily went to the park, Tom gave a ball to', ' Lily'], ['小明和小红去公园，小明给了小红一个皮球。小红对', '小明'],
  ['Tom Lily Anna Sam Tom Lily Anna', ' Sam'], ['苹果、香蕉、葡萄、苹果、香蕉、', '葡萄'], ['A king is a man and a queen is a', ' woman'],
  ['问：12加35等于多少？', '<calc>'], ['Question: what is 12 plus 35?', '<calc>'], ['问：现在几点？', '<clock>'], ['问：“苹果”用英文怎么说？', '<dict>'],
  ['小明喜欢紫色。小红喜欢黄色。小明喜欢', '紫色'], ['小明的密码是4711。今天天气真好，我们去公园玩吧。小明的密码是', '4'],
  ['Remember: Tom likes purple. Anna likes yellow. Tom likes', ' purple'],
];

/** → [{prompt, expected, p, likeliest, right}]. */
export async function measurePrompts(runner) {
  const results = [];
  for (const [prompt, expected] of prompts) {
    const p = await runner.probabilities(prompt);
    const [wanted, best] = [await runner.first(expected), largest(p)];
    results.push({ prompt, expected, p: p[wanted], likeliest: best === wanted ? expected : await runner.token(prompt, best), right: best === wanted });
  }
  return results;
}

/** Held-out sums whose result the model has to write itself → {count, right, examples}. calls: items of a calculator group. */
export async function measureOwnSums(runner, calls) {
  const operation = { '+': (a, b) => a + b, '-': (a, b) => a - b, '×': (a, b) => a * b };
  const tried = [];
  for (const { prompt, expect } of calls) {
    const [, a, sign, b] = /<calc>(\d+)(.)(\d+)</u.exec(expect);
    const result = operation[sign](Number(a), Number(b));
    const { text } = await runner.continued(`${prompt}${expect}<result>`, 8);
    tried.push({ sum: `${a}${sign}${b}`, result, said: text.split('<')[0], right: text.startsWith(`${result}</result>`) });
  }
  return { count: tried.length, right: mean(tried.map(({ right }) => right)), examples: tried.slice(0, 4) };
}
