// What is measured on a model, the same way in the page, in Node at build time, and in tests. `engine` is an EngineClient or an EngineSession.

/** The place of a word among tokens, blanks aside: the first where it stands, −1 when it does not. */
export const placeOf = (tokens, word) => tokens.findIndex((token) => token.trim() === word.trim());

/** Row `row` of head `head` of an activation (H,T,S) → S numbers. */
export function headRow({ shape: [, rows, columns], data }, head, row) {
  const start = (head * rows + row) * columns;
  return data.subarray(start, start + columns);
}

/** Index of the largest number; the first of equals. */
export function largestAt(numbers) {
  let best = 0;
  for (let i = 1; i < numbers.length; i++) if (numbers[i] > numbers[best]) best = i;
  return best;
}

/** Attention weights of all layers → { tokens, bytes, dropped, weights: L × {shape: [H, T, T], data} }. */
export async function traceWeights(engine, text, { model = 'builtin', layers, knockout = '' }) {
  const names = Array.from({ length: layers }, (_, layer) => `h.${layer}.attn.weights`);
  const { tokens, bytes, dropped, activations } = await engine.trace(text, { model, names, knockout });
  return { tokens, bytes, dropped, weights: names.map((name) => activations[name]) };
}

/**
 * KL divergence of the guess `after` from the guess `before`, in nats: Σ p·ln(p/q). Both are whole guesses [{ id, logit }], in any order; from the
 * logits, since a probability may be too small for its number.
 */
export function divergence(before, after) {
  const logarithms = (guess) => {
    const top = guess.reduce((most, { logit }) => Math.max(most, logit), -Infinity);
    const sum = guess.reduce((total, { logit }) => total + Math.exp(logit - top), 0);
    return new Map(guess.map(({ id, logit }) => [id, logit - top - Math.log(sum)]));
  };
  const q = logarithms(after);
  let sum = 0;
  for (const [id, lnP] of logarithms(before)) sum += Math.exp(lnP) * (lnP - q.get(id));
  return Math.max(0, sum);
}

/** More tokens than any vocabulary has: asks for the whole guess. */
export const wholeVocabulary = 1_000_000;

/**
 * The head that shows where two texts are settled: of all heads the one whose row at the last token looks most at the word
 * that each text is continued by, measured by the smaller of the two weights.
 *
 * texts: two strings → { layer, head, score, sides: [{ answer, place, weight, tokens, bytes, candidates, weights }, …] }, where
 * candidates is the whole guess; null when a text does not hold the word that it is continued by.
 */
export async function findNounHead(engine, texts, { model = 'builtin' } = {}) {
  const { config } = await engine.load(model);
  const sides = [];
  for (const text of texts) {
    const traced = await traceWeights(engine, text, { model, layers: config.nLayer });
    const { candidates } = await engine.next(text, { model, top: wholeVocabulary });
    const answer = candidates[0].token;
    sides.push({ ...traced, candidates, answer, place: placeOf(traced.tokens, answer) });
  }
  if (sides.some(({ place }) => place < 0)) return null;
  let best = { score: -1 };
  for (let layer = 0; layer < config.nLayer; layer++) {
    for (let head = 0; head < config.nHead; head++) {
      const looks = sides.map(({ weights, place, tokens }) => headRow(weights[layer], head, tokens.length - 1)[place]);
      const score = Math.min(...looks);
      if (score > best.score) best = { layer, head, score, looks };
    }
  }
  return {
    layer: best.layer,
    head: best.head,
    score: best.score,
    sides: sides.map((side, i) => ({ ...side, weight: best.looks[i] })),
  };
}

/**
 * Words for knock-outs in which heads may be named by what is measured on the texts: `noun` (findNounHead), `noun-layer` (its whole layer),
 * `strongest` (the head whose knock-out moves the guess most). Everything else stays → "h.2.1 …".
 * Throws RangeError when there is no such head.
 */
export async function resolveKnockout(engine, words, { model = 'builtin', text, textB }) {
  const list = [];
  for (const word of words.split(/\s+/).filter(Boolean)) {
    if (word === 'noun' || word === 'noun-layer') {
      const found = await findNounHead(engine, [text, textB], { model });
      if (!found) throw new RangeError('no head is found: a text does not hold the word that it is continued by');
      if (word === 'noun') list.push(`h.${found.layer}.${found.head}`);
      else {
        const { config } = await engine.load(model);
        for (let head = 0; head < config.nHead; head++) list.push(`h.${found.layer}.${head}`);
      }
    } else if (word === 'strongest') {
      const [first] = await engine.sweep(text, { model, knockout: list.join(' ') });
      list.push(`h.${first.layer}.${first.head}`);
    } else list.push(word);
  }
  return [...new Set(list)].join(' ');
}

/**
 * One number or word about a model, named by an expression:
 * - `p(小猫)`: probability that the next token is that one (blanks at its ends aside; the likeliest if several are);
 * - `next()`: the likeliest next token, a string;
 * - `kl()`: how far the knock-outs move the guess, in nats;
 * - `h.2.attn.weights[1,-1,0]`: an entry of the trace; −1 is the last;
 * - `noun.weights[-1,0]`: an entry of the weights of the head that findNounHead finds for `text` and `textB`; likewise `noun.q[…]`.
 * `knockout` (words of resolveKnockout) holds for all but the finding of heads.
 * Throws RangeError for an expression that can't be read or an entry that is not there, EngineError when the engine refuses.
 */
export async function evaluateExpression(engine, expression, { model = 'builtin', text, textB, knockout = '' }) {
  const source = expression.trim();
  const out = await resolveKnockout(engine, knockout, { model, text, textB });
  const guess = (knocked) => engine.next(text, { model, top: wholeVocabulary, knockout: knocked }).then(({ candidates }) => candidates);
  if (source === 'next()') return (await guess(out))[0].token.trim();
  if (source === 'kl()') return divergence(await guess(''), await guess(out));
  const word = /^p\((.*)\)$/.exec(source)?.[1];
  if (word !== undefined) {
    const found = (await guess(out)).find(({ token }) => token.trim() === word.trim());
    if (!found) throw new RangeError(`${source}: the vocabulary has no such token`);
    return found.p;
  }
  const entry = /^([a-z][a-z0-9_.]*)\[\s*(-?\d+(?:\s*,\s*-?\d+)*)\s*\]$/.exec(source);
  if (!entry) throw new RangeError(`${source}: not an expression that can be read`);
  let name = entry[1];
  let places = entry[2].split(',').map(Number);
  if (name.startsWith('noun.')) {
    const found = await findNounHead(engine, [text, textB], { model });
    if (!found) throw new RangeError(`${source}: no head is found`);
    name = `h.${found.layer}.attn.${name.slice('noun.'.length)}`;
    places = [found.head, ...places];
  }
  const { activations } = await engine.trace(text, { model, names: [name], knockout: out });
  const { shape, data } = activations[name];
  if (places.length !== shape.length) throw new RangeError(`${source}: ${name} has ${shape.length} dimensions`);
  let at = 0;
  for (const [i, place] of places.entries()) {
    const index = place < 0 ? shape[i] + place : place;
    if (index < 0 || index >= shape[i]) throw new RangeError(`${source}: ${name} has shape (${shape.join(', ')})`);
    at = at * shape[i] + index;
  }
  return data[at];
}
