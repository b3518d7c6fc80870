// Sums, each with its call of the calculator and the result that comes back. One result in eight is false, so that
// the answer is copied from the result and not from memory.
import { fill } from './draw.mjs';
import { areHeldOutOperands } from './held-out.mjs';
import * as lx from './lexicon.mjs';

/** An operation by its sign: words, and what it gives. */
export const operations = {
  '+': { zh: '加', en: 'plus', of: (a, b) => a + b },
  '-': { zh: '减', en: 'minus', of: (a, b) => a - b },
  '×': { zh: '乘', en: 'times', of: (a, b) => a * b },
  '÷': { zh: '除以', en: 'divided by', of: (a, b) => a / b },
};
/** The ways of asking, by what is measured; {op} stands for the word or the sign. */
export const asksZh = ['问：{a}{op}{b}等于多少？', '问：{a}{op}{b}等于多少？', '问：{a}{op}{b}是多少？'];
export const asksEn = ['Question: what is {a} {op} {b}?', 'Question: what is {a} {op} {b}?', 'Question: how much is {a} {op} {b}?'];
export const problemsZh = {
  '+': [
    ['问：{n}有{a}个{f}，又买了{b}个，一共多少个？', '答：一共{v}个。'], ['问：{n}有{a}个{f}，{m}有{b}个，一共多少个？', '答：一共{v}个。'],
    ['问：树上有{a}只小鸟，又飞来{b}只，现在有多少只？', '答：现在有{v}只。'],
  ],
  '-': [
    ['问：{n}有{a}个{f}，吃了{b}个，还剩多少个？', '答：还剩{v}个。'], ['问：树上有{a}只小鸟，飞走了{b}只，还剩多少只？', '答：还剩{v}只。'],
    ['问：{n}有{a}个{f}，送给{m}{b}个，还剩多少个？', '答：还剩{v}个。'],
  ],
  '×': [['问：一盒有{a}支铅笔，{b}盒一共多少支？', '答：一共{v}支。'], ['问：一袋有{a}个{f}，{b}袋一共多少个？', '答：一共{v}个。']],
};
export const problemsEn = {
  '+': [
    ['Question: {n} has {a} {f} and buys {b} more. How many are there now?', 'Answer: there are {v} now.'],
    ['Question: {n} has {a} {f} and {m} has {b}. How many are there?', 'Answer: there are {v}.'],
  ],
  '-': [
    ['Question: {n} had {a} {f} and ate {b}. How many are left?', 'Answer: {v} are left.'],
    ['Question: {n} had {a} {f} and gave {m} {b}. How many are left?', 'Answer: {v} are left.'],
  ],
  '×': [['Question: one box has {a} {f}. How many are in {b} boxes?', 'Answer: there are {v}.']],
};
export const answerZh = '答：{a}{op}{b}等于{v}。';
export const answerEn = 'Answer: {a} {op} {b} is {v}.';
export const chainZh = '问：{a}{w}{b}再{w2}{d}等于多少？';
export const chainAnswerZh = '答：{a}{w}{b}再{w2}{d}等于{v}。';
const countedZh = lx.foodsZh.filter((food) => !['鱼', '牛奶', '米饭', '面条', '蜂蜜'].includes(food));
const countedEn = ['apples', 'melons', 'bananas', 'grapes', 'nuts', 'noodles'];

/** Two operands that a training text may hold, for the operation with this sign. */
function drawOperands(draw, sign) {
  for (;;) {
    const size = draw.weighted([['two digits', 80], ['small', 13], ['large', sign === '+' || sign === '-' ? 7 : 0]]);
    const [first, second] = { 'two digits': [[10, 99], [10, 99]], small: [[1, 99], [1, 99]], large: [[100, 999], [1, 999]] }[size];
    let [a, b] = [draw.between(...first), draw.between(...second)];
    if (sign === '-' && a < b) [a, b] = [b, a];
    if (sign === '÷') [a, b] = [b * draw.between(1, 12), b];
    if (!areHeldOutOperands(a, b)) return [a, b];
  }
}

/** The result: right, or with a chance of 0.12 any number of up to four digits. */
const drawResult = (draw, right) => (draw.chance(0.12) ? draw.below(10000) : right);

/** The call of a sum and its result, as they stand in a text. */
export const call = (a, sign, b, v) => `<calc>${a}${sign}${b}</calc><result>${v}</result>`;

const drawSign = (draw) => draw.weighted([['+', 45], ['-', 27], ['×', 20], ['÷', 8]]);

/** 问：12加35等于多少？<calc>12+35</calc><result>47</result>答：12加35等于47。 */
function sum(draw, chinese) {
  const sign = drawSign(draw);
  const [a, b] = drawOperands(draw, sign);
  const v = drawResult(draw, operations[sign].of(a, b));
  const slots = { a, b, v, op: draw.chance(0.3) ? sign : operations[sign][chinese ? 'zh' : 'en'] };
  return draw.fill(chinese ? asksZh : asksEn, slots) + call(a, sign, b, v) + fill(chinese ? answerZh : answerEn, slots);
}

/** Slots for a word problem besides its numbers. */
export function problemSlots(draw, chinese) {
  const [n, m] = draw.sample(chinese ? lx.namesZh : lx.namesEn, 2);
  return { n, m, f: draw.choice(chinese ? countedZh : countedEn) };
}

/** 问：小明有12个苹果，又买了35个，一共多少个？… */
function problem(draw, chinese) {
  const sign = draw.weighted([['+', 45], ['-', 35], ['×', 20]]);
  const [a, b] = drawOperands(draw, sign);
  const slots = { ...problemSlots(draw, chinese), a, b, v: drawResult(draw, operations[sign].of(a, b)) };
  const [question, answer] = draw.choice((chinese ? problemsZh : problemsEn)[sign]);
  return fill(question, slots) + call(a, sign, b, slots.v) + fill(answer, slots);
}

/** Two calls, the second with the first one's result. */
function chain(draw) {
  for (;;) {
    const [first, second] = [draw.choice(['+', '-']), draw.choice(['+', '+', '-'])];
    const [a, b] = drawOperands(draw, first);
    const between = operations[first].of(a, b);
    const d = draw.between(1, 99);
    if (areHeldOutOperands(between, d) || (second === '-' && between < d)) continue;
    const v = operations[second].of(between, d);
    const slots = { a, b, d, v, w: operations[first].zh, w2: operations[second].zh };
    return fill(chainZh, slots) + call(a, first, b, between) + call(between, second, d, v) + fill(chainAnswerZh, slots);
  }
}

/** A sum, a word problem or a chain of two sums, each asked and answered. */
export function calculator(draw) {
  const kind = draw.weighted([['sum', 58], ['problem', 32], ['chain', 10]]);
  if (kind === 'chain') return chain(draw);
  return (kind === 'sum' ? sum : problem)(draw, draw.chance(0.68));
}
