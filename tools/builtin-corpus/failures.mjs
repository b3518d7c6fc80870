// Tools that fail: the result says so, and so does the answer.
import * as calculator from './calculator.mjs';
import * as dictionary from './dictionary.mjs';
import { fill } from './draw.mjs';
import { areHeldOutOperands } from './held-out.mjs';

export const cannotZh = '答：算不出来。';
export const cannotEn = 'Answer: I could not work it out.';

/** 问：“…”用英文怎么说？<dict>…</dict><result>没有</result>答：词典里没有“…”。, or a sum that comes back as 错误. */
export function failure(draw) {
  if (draw.chance(0.6)) {
    const { to, question, nothing } = draw.choice(dictionary.asks);
    const slots = { x: (to === 'zh' ? dictionary.pseudoEn : dictionary.pseudoZh)(draw) };
    return `${fill(question, slots)}<dict>${slots.x}</dict><result>没有</result>${fill(nothing, slots)}`;
  }
  const chinese = draw.chance(0.6);
  let a;
  let b;
  do {
    [a, b] = [draw.between(0, 99), draw.chance(0.5) ? 0 : draw.between(1, 99)];
  } while (areHeldOutOperands(a, b));
  const sign = b === 0 ? '÷' : draw.choice(['+', '-', '×', '÷']);
  const op = calculator.operations[sign][chinese ? 'zh' : 'en'];
  return draw.fill(chinese ? calculator.asksZh : calculator.asksEn, { a, b, op }) + calculator.call(a, sign, b, '错误') + (chinese ? cannotZh : cannotEn);
}
