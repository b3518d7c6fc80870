// Parts of the model as switches, and what turning them off does to the guess. `engine` is an EngineClient or an EngineSession.
import { tokenLabel } from '../draw/label.js';
import { formatPercent } from '../draw/number.js';

/** What is turned off for the whole model. */
export const wholeSwitches = ['no-positions', 'no-mask', 'no-scale'];

/**
 * The words of an attribute `knockout` → { off: Set of words in order, unknown: words that this model has nothing for }. Words: `h.2.1` a head, `h.2.attn` the attention of a layer,
 * `mlp.3`, and those of wholeSwitches.
 */
export function parseSwitches(words, { nLayer, nHead }) {
  const off = new Set();
  const unknown = [];
  for (const word of String(words ?? '').split(/[\s,，]+/).filter(Boolean)) {
    const head = /^h\.(\d{1,4})\.(\d{1,4})$/.exec(word);
    const attention = /^h\.(\d{1,4})\.attn$/.exec(word);
    const mlp = /^mlp\.(\d{1,4})$/.exec(word);
    if (head && Number(head[1]) < nLayer && Number(head[2]) < nHead) off.add(`h.${Number(head[1])}.${Number(head[2])}`);
    else if (attention && Number(attention[1]) < nLayer) off.add(`h.${Number(attention[1])}.attn`);
    else if (mlp && Number(mlp[1]) < nLayer) off.add(`mlp.${Number(mlp[1])}`);
    else if (wholeSwitches.includes(word)) off.add(word);
    else unknown.push(word);
  }
  return { off: inOrder(off, { nLayer, nHead }), unknown };
}

/** Every switch of a model in the order of the board. */
export function allSwitches({ nLayer, nHead }) {
  const layer = (i) => [`h.${i}.attn`, ...Array.from({ length: nHead }, (_, head) => `h.${i}.${head}`), `mlp.${i}`];
  return [...wholeSwitches, ...Array.from({ length: nLayer }, (_, i) => layer(i)).flat()];
}

const inOrder = (off, config) => new Set(allSwitches(config).filter((word) => off.has(word)));

/** The attribute; null when nothing is off. */
export const formatSwitches = (off) => [...off].join(' ') || null;

/** One switch thrown. */
export function toggled(off, word, config) {
  const next = new Set(off);
  if (!next.delete(word)) next.add(word);
  return inOrder(next, config);
}

/** Sets of switches that readers try: name → words. */
export function switchSets({ nLayer }) {
  const each = (make) => Array.from({ length: nLayer }, (_, i) => make(i)).join(' ');
  return {
    attention: each((i) => `h.${i}.attn`),
    mlp: each((i) => `mlp.${i}`),
    both: each((i) => `h.${i}.attn mlp.${i}`),
    positions: 'no-positions',
    mask: 'no-mask',
    scale: 'no-scale',
  };
}

/** Whether no token can learn anything of the others: each layer's attention is off, as a whole or head by head. */
export const isAlone = (off, { nLayer, nHead }) =>
  Array.from({ length: nLayer }, (_, layer) => off.has(`h.${layer}.attn`) || Array.from({ length: nHead }, (__, head) => off.has(`h.${layer}.${head}`)).every(Boolean)).every(Boolean);

/**
 * What the model is taken to by its switches: null with all on; 'part' when something was left out that training always had; 'rule' when a rule that training always kept is broken
 * (positions, mask, scale); 'alone' when the last token is all that counts.
 */
export function strangeness(off, config) {
  if (!off.size) return null;
  if (isAlone(off, config)) return 'alone';
  return wholeSwitches.some((word) => off.has(word)) ? 'rule' : 'part';
}

/**
 * A text with everything on and with `off` → { rows: [{ id, label, before, after }], rest: { before, after }, before, after: the likeliest { id, label, p }, kl (nats), dropped }. Bars keep their places: the
 * likeliest before first, then those that came up.
 */
export async function measureSwitches(engine, text, { model = 'builtin', off, fixed = 4, count = 7 }) {
  const { before, after, kl, dropped } = await engine.switchEffect(text, { model, knockout: [...off].join(' '), top: count });
  const p = (list) => new Map(list.map((one) => [one.id, one.p]));
  const [was, now] = [p(before), p(after)];
  const shown = before.slice(0, fixed);
  for (const one of [...after.slice(0, count - fixed), ...before]) if (shown.length < count && !shown.some(({ id }) => id === one.id)) shown.push(one);
  const rows = shown.map(({ id, token, bytes }) => ({ id, label: tokenLabel(token, bytes), before: was.get(id), after: now.get(id) }));
  const left = (name) => Math.max(0, 1 - rows.reduce((sum, row) => sum + row[name], 0));
  const best = ({ id, token, bytes, p: share }) => ({ id, label: tokenLabel(token, bytes), p: share });
  return { rows, rest: { before: left('before'), after: left('after') }, before: best(before[0]), after: best(after[0]), kl, dropped };
}

/** Each switch by itself, on top of none → [{ word, kl, label, p }], the largest change first. stop() ends it early with null. */
export async function sweepSwitches(engine, text, { model = 'builtin', config, stop = () => false }) {
  const rows = [];
  for (const word of allSwitches(config)) {
    if (stop()) return null;
    const { after, kl } = await engine.switchEffect(text, { model, knockout: word, top: 1 });
    rows.push({ word, kl, label: tokenLabel(after[0].token, after[0].bytes), p: after[0].p });
  }
  return rows.sort((a, b) => b.kl - a.kl);
}

/** The name of a switch in words. */
export function switchName(word, words) {
  const [, layer, head] = /^h\.(\d+)\.(\d+|attn)$/.exec(word) ?? [];
  if (head === 'attn') return words.attentionOf(Number(layer));
  if (head !== undefined) return words.headOf(Number(layer), Number(head));
  return word.startsWith('mlp.') ? words.mlpOf(Number(word.slice(4))) : words.whole[word];
}

/** What came of `count` switches, in a sentence. */
export function switchSays({ before, after, rows }, count, words) {
  if (count === 0) return words.allSays(before.label, formatPercent(before.p));
  if (before.id === after.id) return words.stays(count, before.label, formatPercent(before.p), formatPercent(rows[0].after));
  return words.changes(count, before.label, formatPercent(before.p), after.label, formatPercent(after.p));
}
