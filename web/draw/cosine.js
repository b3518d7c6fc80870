import { formatFixed } from './number.js';

/** A cosine with three decimals; one that is not exactly 1 never reads as 1. */
export function formatCosine(x) {
  const text = formatFixed(x, 3);
  if (Math.abs(x) < 1 && text.endsWith('1.000')) return x > 0 ? '> 0.999' : '< −0.999';
  return Math.abs(x) === 1 ? formatFixed(x, 0) : text;
}

/** Full colour of a strip: two and a half times the root mean square, so that single large numbers don't pale the rest. */
export function strongColour(...lists) {
  let sum = 0;
  let count = 0;
  for (const list of lists) {
    for (const x of list) sum += x * x;
    count += list.length;
  }
  return 2.5 * Math.sqrt(sum / (count || 1)) || 1;
}
