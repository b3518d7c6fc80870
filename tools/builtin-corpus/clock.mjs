// Questions for the time, each with its call of the clock and the time that comes back.
import { fill } from './draw.mjs';

export const asks = [
  ['问：现在几点？', '答：现在是{t}。'], ['问：现在几点了？', '答：现在是{t}。'], ['问：现在是什么时间？', '答：现在是{t}。'], ['问：几点了？', '答：现在是{t}。'],
  ['Question: what time is it?', 'Answer: it is {t}.'], ['Question: what time is it now?', 'Answer: it is {t}.'], ['Question: what is the time now?', 'Answer: it is {t}.'],
];

/** A time of the day, mostly in two digits each. */
export const drawTime = (draw) => `${String(draw.below(24)).padStart(draw.chance(0.7) ? 2 : 1, '0')}:${String(draw.below(60)).padStart(2, '0')}`;

/** 问：现在几点？<clock></clock><result>14:05</result>答：现在是14:05。 */
export function clock(draw) {
  const [question, answer] = draw.choice(asks);
  const t = drawTime(draw);
  return `${question}<clock></clock><result>${t}</result>${fill(answer, { t })}`;
}
