import { formatFixed, roundTo } from '../draw/number.js';
import { parseNumber } from './attributes.js';

// A guess is kept under a name made of the question itself, so that a changed question is asked anew.
const prefix = 'glassbox-check ';

/** A short name for a question: an FNV-1a hash of its words. */
export function keyOf(words) {
  let hash = 0x811c9dc5;
  for (const char of words.join('\n')) hash = Math.imul(hash ^ char.codePointAt(0), 0x01000193) >>> 0;
  return prefix + hash.toString(36);
}

// The browser may refuse to keep anything; then a guess lasts as long as the page.
const storage = (act) => {
  try {
    return act(globalThis.localStorage);
  } catch {
    return null;
  }
};

/** The kept guess, a number, or null. */
export const recall = (key) =>
  storage((box) => {
    const kept = box.getItem(key);
    return kept === null || kept === '' || !Number.isFinite(Number(kept)) ? null : Number(kept);
  });
export const remember = (key, guess) => storage((box) => box.setItem(key, String(guess)));
export const forget = (key) => storage((box) => box.removeItem(key));

/** The attribute `answer`, a number from 1 to `count` → that number, or null when it is none. */
export function rightOption(answer, count) {
  const n = Number(answer);
  return Number.isInteger(n) && n >= 1 && n <= count ? n : null;
}

/** An option as a number: `0.5`, `50 %`, `50%`; NaN when it is none. */
function optionNumber(text) {
  const share = /^(.*?)\s*[%％]$/.exec(text.trim());
  return share ? parseNumber(share[1]) / 100 : parseNumber(text);
}

/** The option (from 1) that says the computed word, or the one whose number is nearest to the computed number; null when none does. */
export function judgeOptions(options, value) {
  if (typeof value === 'string') {
    const at = options.findIndex((option) => option.trim() === value.trim());
    return at < 0 ? null : at + 1;
  }
  let best = null;
  options.forEach((option, i) => {
    const away = Math.abs(optionNumber(option) - value);
    if (Number.isFinite(away) && (best === null || away < best.away)) best = { n: i + 1, away };
  });
  return best?.n ?? null;
}

/**
 * How far a guessed number is off, on a scale of length `span` → { off, grade }: grade 0 is within a twentieth of the scale, 1 within
 * a fifth, 2 farther off.
 */
export function judgeNumber(guess, value, span) {
  const off = Math.abs(guess - value);
  const part = off / span;
  return { off, grade: part <= 0.05 ? 0 : part <= 0.2 ? 1 : 2 };
}

/** A number of a check as shown: as a percentage with `unit="%"`, else with one decimal more than the slider's step. */
export function showValue(x, unit, step = 0.01) {
  if (unit === '%') return `${formatFixed(x * 100, 1)}%`;
  const decimals = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)));
  const exact = roundTo(x, decimals) === x;
  return formatFixed(x, exact ? decimals : decimals + 1);
}
