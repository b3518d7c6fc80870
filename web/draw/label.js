const spaces = { ' ': '␣', '\n': '⏎', '\t': '⇥', '\u3000': '␣', '\u00a0': '␣' };
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const hex = (n, width) => n.toString(16).toUpperCase().padStart(width, '0');

/** Bytes as a small joined label, `‹E5 B0›`. */
export const bytesLabel = (bytes) => `‹${Array.from(bytes, (b) => hex(b, 2)).join(' ')}›`;

/** True when the bytes of a token are not whole characters, so that it can't be shown as text. */
export function isPartial(bytes) {
  try {
    strict.decode(Uint8Array.from(bytes));
    return false;
  } catch {
    return true;
  }
}

/**
 * What stands for a token beside a grid: white space and control characters drawn, invisible ones named by their code
 * point, a part of a character as its bytes. `bytes` may be left out; then `token` is taken as it is.
 */
export function tokenLabel(token, bytes) {
  if (bytes && isPartial(bytes)) return bytesLabel(bytes);
  if (token === '') return '‹›';
  const alone = /^[\p{Cf}\p{Mn}\p{Me}]+$/u.test(token);
  let label = '';
  for (const char of token) {
    const code = char.codePointAt(0);
    if (spaces[char]) label += spaces[char];
    else if (code < 128 && /\p{Cc}/u.test(char)) label += `‹${hex(code, 2)}›`;
    else if (/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(char) || (alone && /\p{Cf}/u.test(char))) label += `‹${hex(code, 4)}›`;
    else if (/\p{Zs}/u.test(char)) label += '␣';
    else label += alone ? `◌${char}` : char;
  }
  return label;
}

/** Labels of a whole text: `tokens` and `bytes` side by side. */
export const tokenLabels = (tokens, bytes) => tokens.map((token, i) => tokenLabel(token, bytes?.[i]));

const wide = /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
const graphemes = globalThis.Intl?.Segmenter ? new Intl.Segmenter('zh', { granularity: 'grapheme' }) : null;

/** The characters of a label as a reader counts them. */
export const characters = (label) => (graphemes ? Array.from(graphemes.segment(label), (s) => s.segment) : Array.from(label));

/** Rough width of a label in em, so that room can be kept without a screen to measure on. */
export function labelWidth(label) {
  let em = 0;
  for (const char of characters(label)) em += wide.test(char) ? 1 : /[A-Z␣⏎⇥mwMW‹›◌]/.test(char) ? 0.78 : 0.58;
  return em;
}

/** The width of drawn characters in em. Emoji are wider than the square that other full-width characters fill. */
export const glyphWidth = (text) => characters(text).reduce((em, char) => em + (/\p{Extended_Pictographic}/u.test(char) ? 1.4 : labelWidth(char)), 0);

/** The label cut to at most `em`, with … where something was cut. */
export function clipLabel(label, em) {
  if (labelWidth(label) <= em) return label;
  let kept = '';
  for (const char of characters(label)) {
    if (labelWidth(kept + char) > em - 0.9) break;
    kept += char;
  }
  return `${kept}…`;
}
