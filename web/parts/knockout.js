import { tokenLabel, tokenLabels } from '../draw/label.js';
import { divergence, headRow, largestAt, traceWeights, wholeVocabulary } from './measure.js';

/**
 * The words of an attribute `knockout` → { heads: Set of "LAYER.HEAD", others: words such as "mlp.3", unknown: words that this model
 * has nothing for }.
 */
export function parseKnockout(words, { nLayer, nHead }) {
  const heads = new Set();
  const others = [];
  const unknown = [];
  for (const word of (words ?? '').split(/[\s,，]+/).filter(Boolean)) {
    const head = /^h\.(\d{1,4})\.(\d{1,4})$/.exec(word);
    const mlp = /^mlp\.(\d{1,4})$/.exec(word);
    if (head && Number(head[1]) < nLayer && Number(head[2]) < nHead) heads.add(`${Number(head[1])}.${Number(head[2])}`);
    else if (mlp && Number(mlp[1]) < nLayer) others.push(`mlp.${Number(mlp[1])}`);
    else unknown.push(word);
  }
  return { heads, others: [...new Set(others)], unknown };
}

/** The other way round, layers and heads in order; null when nothing is out, so that no attribute is left. */
export function formatKnockout({ heads, others = [] }) {
  const order = (name) => name.split('.').reduce((sum, part) => sum * 10_000 + Number(part), 0);
  const words = [...heads].sort((a, b) => order(a) - order(b)).map((name) => `h.${name}`);
  return [...words, ...others].join(' ') || null;
}

/**
 * The candidates to show, each { id, label, before, after }: the `fixed` likeliest before, in their order, then the likeliest after
 * that are not among them, filled up with the next of before. A bar keeps its place while switches are thrown.
 */
export function chooseCandidates(before, after, { fixed = 3, count = 6 } = {}) {
  const shown = before.slice(0, fixed);
  const has = ({ id }) => shown.some((entry) => entry.id === id);
  for (const list of [after.slice(0, fixed), before]) {
    for (const entry of list) if (shown.length < count && !has(entry)) shown.push(entry);
  }
  const p = (list) => new Map(list.map((entry) => [entry.id, entry.p]));
  const [first, second] = [p(before), p(after)];
  return shown.map(({ id, token, bytes }) => ({ id, label: tokenLabel(token, bytes), before: first.get(id), after: second.get(id) }));
}

/** What every head looks at most from the last token → L × H of { place, label, weight }. */
function lastLooks({ weights, tokens }, labels) {
  return weights.map((layer) =>
    Array.from({ length: layer.shape[0] }, (_, head) => {
      const row = headRow(layer, head, tokens.length - 1);
      const place = largestAt(row);
      return { place, label: labels[place], weight: row[place] };
    }),
  );
}

const best = ({ id, token, bytes, p }) => ({ id, label: tokenLabel(token, bytes), word: token.trim(), p });

/**
 * One text with everything on and with `knockout` (words that the model knows).
 * → { text, labels, dropped, looks, rows, rest: { before, after }, before, after, kl }; `before` and `after` are the likeliest token { id, label, word, p },
 * after.first is the probability left to the first answer; kl in nats. `guesses`, a Map, keeps what the text is continued by with everything on.
 */
export async function measureSide(engine, text, { model, layers, knockout, guesses = new Map() }) {
  const guess = (out) => engine.next(text, { model, top: wholeVocabulary, knockout: out }).then(({ candidates }) => candidates);
  const traced = await traceWeights(engine, text, { model, layers, knockout });
  const key = JSON.stringify([model, text]);
  if (!guesses.has(key)) guesses.set(key, await guess(''));
  const before = guesses.get(key);
  const after = knockout ? await guess(knockout) : before;
  const labels = tokenLabels(traced.tokens, traced.bytes);
  const rows = chooseCandidates(before, after);
  const left = (name) => Math.max(0, 1 - rows.reduce((sum, row) => sum + row[name], 0));
  return {
    text,
    labels,
    dropped: traced.dropped,
    looks: lastLooks(traced, labels),
    rows,
    rest: { count: before.length - rows.length, before: left('before'), after: left('after') },
    before: best(before[0]),
    after: { ...best(after[0]), first: rows[0].after },
    kl: knockout ? divergence(before, after) : 0,
  };
}

/**
 * Every head left out by itself, on top of `base`, for each text → [{ layer, head, kl, sides: [{ kl, label, p, from, first }, …] }, …], the largest
 * effect on any of the texts first. `from` and `first` are the probability of the answer that was likeliest, before and after; `label`, `p` the likeliest after.
 */
export async function sweepAll(engine, texts, { model, base }) {
  const byHead = new Map();
  for (const [i, text] of texts.entries()) {
    const { candidates } = await engine.next(text, { model, top: 1, knockout: base });
    for (const { layer, head, kl, token, bytes, p, pFirst } of await engine.sweep(text, { model, knockout: base })) {
      const key = `${layer}.${head}`;
      if (!byHead.has(key)) byHead.set(key, { layer, head, kl: 0, sides: [] });
      const entry = byHead.get(key);
      entry.kl = Math.max(entry.kl, kl);
      entry.sides[i] = { kl, label: tokenLabel(token, bytes), p, from: candidates[0].p, first: pFirst, answer: tokenLabel(candidates[0].token, candidates[0].bytes) };
    }
  }
  return [...byHead.values()].sort((a, b) => b.kl - a.kl);
}

/**
 * What there is to say when exactly one head is out: `spare` when it looks at the very word that is the answer and the answer stays, with the
 * number of other heads that look there too; `decides` when it looks elsewhere and the answer changes; null otherwise.
 */
export function lesson(side, heads) {
  if (heads.size !== 1) return null;
  const [layer, head] = [...heads][0].split('.').map(Number);
  const look = side.looks[layer][head];
  const answer = side.before.label.replace(/^␣/, '');
  const atAnswer = (other) => other.weight >= 0.5 && other.label.replace(/^␣/, '') === answer;
  const stays = side.after.id === side.before.id;
  if (atAnswer(look) && stays) {
    const others = side.looks.flat().filter((other) => other !== look && atAnswer(other)).length;
    return { kind: 'spare', look, others };
  }
  if (!stays && look.label.replace(/^␣/, '') !== answer) return { kind: 'decides', look };
  return null;
}
