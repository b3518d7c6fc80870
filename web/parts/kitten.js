import { tokenLabels } from '../draw/label.js';
import { findNounHead, headRow, placeOf } from './measure.js';

/** Words that a sentence's riddle may hang on, tried in this order. */
const pronouns = ['它', 'it', '他', '她', 'he', 'she', 'they'];

/** Places where two lists of tokens differ; null when they are not of one length or do not differ. */
export function differences(first, second) {
  if (first.length !== second.length) return null;
  const places = first.flatMap((token, i) => (token === second[i] ? [] : [i]));
  return places.length ? places : null;
}

const probability = (candidates, word) => candidates.find(({ token }) => token === word)?.p ?? 0;

/**
 * Two sentences of which a word makes the difference, seen by the one head that shows best where it is settled.
 *
 * → { hash, config, layer, head, changed: the places that differ, asked: the last place, pronoun: its place, steady: whether the pronoun's row is the same
 *   in both, answers: two labels, sides: two of { text, labels, asks: T weights of the last place's row, pronounRow: weights of the pronoun's row, up to itself,
 *   place, weight, shares: [p of the first answer, p of the second, p of all others] } }
 * or null when the two are no such pair: of different length, not different, continued by the same word or by one that they do not hold.
 */
export async function measureKitten(engine, [text, textB], { model = 'builtin', word } = {}) {
  const { hash, config } = await engine.load(model);
  const found = await findNounHead(engine, [text, textB], { model });
  if (!found || found.sides[0].answer === found.sides[1].answer) return null;
  const [first, second] = found.sides;
  const changed = differences(first.tokens, second.tokens);
  if (!changed || changed[0] === 0) return null;
  const before = (place) => place >= 0 && place < changed[0];
  const wanted = (word ? [word] : pronouns).map((one) => placeOf(first.tokens, one)).find(before);
  const pronoun = wanted ?? changed[0] - 1;
  const last = first.tokens.length - 1;
  const sides = found.sides.map((side, i) => {
    const shares = found.sides.map(({ answer }) => probability(side.candidates, answer));
    return {
      text: [text, textB][i],
      labels: tokenLabels(side.tokens, side.bytes),
      asks: headRow(side.weights[found.layer], found.head, last),
      pronounRow: headRow(side.weights[found.layer], found.head, pronoun).subarray(0, pronoun + 1),
      place: side.place,
      weight: side.weight,
      dropped: side.dropped,
      shares: [...shares, Math.max(0, 1 - shares[0] - shares[1])],
    };
  });
  return {
    hash,
    config,
    layer: found.layer,
    head: found.head,
    changed,
    asked: last,
    pronoun,
    steady: sides[0].pronounRow.every((weight, i) => weight === sides[1].pronounRow[i]),
    answers: sides.map(({ labels, place }) => labels[place]),
    sides,
  };
}
