// How far the vectors of " bank" lie apart in its two senses, after each layer.
import { slice } from './runner.mjs';

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const cosine = (a, b) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));

/** Mean cosine between two sets of vectors, without a vector's with itself. */
function meanCosine(first, second) {
  const all = first.flatMap((a) => second.filter((b) => b !== a).map((b) => cosine(a, b)));
  return all.reduce((sum, c) => sum + c, 0) / all.length;
}

/**
 * Cosines of the vectors of " bank" within a sense and across the two, as they are and with the mean of both senses
 * removed → [{layer, within, across, centred_within, centred_across}]; layer −1 is the embedding with its position.
 */
export async function measureBankVectors(runner, items) {
  const names = ['h.0.resid_in', ...Array.from({ length: runner.layers }, (_, layer) => `h.${layer}.resid_out`)];
  const word = await runner.first(' bank');
  const vectors = { money: names.map(() => []), river: names.map(() => []) };
  for (const { prompt, expect } of items) {
    const { ids, activations } = await runner.trace(prompt, names);
    names.forEach((name, i) => vectors[expect][i].push(Array.from(slice(activations[name], ids.indexOf(word)))));
  }
  return names.map((_, i) => {
    const [money, river] = [vectors.money[i], vectors.river[i]];
    const center = (set, c) => set.reduce((sum, vector) => sum + vector[c], 0) / set.length;
    const middle = money[0].map((_x, c) => (center(money, c) + center(river, c)) / 2);
    const centred = [money, river].map((set) => set.map((vector) => vector.map((x, c) => x - middle[c])));
    const both = (a, b) => ({ within: (meanCosine(a, a) + meanCosine(b, b)) / 2, across: meanCosine(a, b) });
    const [plain, apart] = [both(money, river), both(...centred)];
    return { layer: i - 1, ...plain, centred_within: apart.within, centred_across: apart.across };
  });
}
