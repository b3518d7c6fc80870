// Functions for expressions in prose about scaling laws: quoted formulas, and our own measured runs.
import { bestSplit, computeOf, kaplan, kaplanDataLoss, kaplanSizeLoss, kaplanSplit, laws, lossOf, lossParts, published } from '../parts/scaling-laws.js';
import { fitSmallest, lowestOf } from '../parts/scaling-runs.js';
import { flatRange } from '../parts/scaling-words.js';
import { measuredRuns } from './scaling-figures.js';

const known = (law) => {
  if (!Object.hasOwn(laws, law)) throw new RangeError(`no law is called ${law}; there are ${Object.keys(laws).join(', ')}`);
  return law;
};
const positive = (...values) => values.forEach((x) => {
  if (!(x > 0)) throw new RangeError(`${x} is not above 0`);
});
const runOf = ({ n, parameters, d, unique, times, loss, learned, layers, width, curve }) => {
  const lowest = lowestOf({ curve });
  return { n, parameters, d, unique, times, loss, learned, layers, width, lowest: lowest.loss, lowestAt: lowest.tokens };
};

export const scalingLibrary = {
  /** lawLoss(law, N, D): { loss, floor, size, data } by a law of parts/scaling-laws.js. */
  lawLoss: [['text', 'number', 'number'], (_, law, n, d) => {
    positive(n, d);
    return { loss: lossOf(known(law), n, d), ...lossParts(law, n, d) };
  }],
  /** lawSplit(law, C): the best split { n, d, loss }. flatSplit(law, C, share): { low, high } of N, where the loss is at most that share above it. */
  lawSplit: [['text', 'number'], (_, law, c) => (positive(c), bestSplit(known(law), c))],
  flatSplit: [['text', 'number', 'number'], (_, law, c, share) => (positive(c, share), flatRange(known(law), c, share))],
  /** training(N, D): operations. */
  training: [['number', 'number'], (_, n, d) => computeOf(n, d)],
  /** kaplanLoss(N or nothing else): of Kaplan's law in N alone; kaplanData(D): in D alone; kaplanBest(C): { n, d } of their table 6. */
  kaplanLoss: [['number'], (_, n) => (positive(n), kaplanSizeLoss(n))],
  kaplanData: [['number'], (_, d) => (positive(d), kaplanDataLoss(d))],
  kaplanBest: [['number'], (_, c) => (positive(c), kaplanSplit(c))],
  kaplanPower: [[], () => kaplan.split.power],
  /** modelOf(name): { n, d } of a published model. */
  modelOf: [['text'], (_, name) => {
    const { n, d } = published.find((model) => model.name === name) ?? {};
    if (!n) throw new RangeError(`no published model is called ${name}`);
    return { n, d };
  }],
  /** family(), repeats(): our models by rising size, and the runs with less and less different text: { n, parameters, d, unique, times, loss, learned, lowest, lowestAt, layers, width }. */
  family: [[], async () => (await measuredRuns()).family.map(runOf)],
  repeats: [[], async () => (await measuredRuns()).data.map(runOf)],
  /** shapes(): runs that grew otherwise than the family, as those. builtinLoss(): { n, d, loss } of the built-in model on the same text; onKind(kind): { largest, builtin }: losses on one kind of it. */
  shapes: [[], async () => (await measuredRuns()).shapes.map(runOf)],
  builtinLoss: [[], async () => {
    const { n, d, loss } = (await measuredRuns()).builtin;
    return { n, d, loss };
  }],
  onKind: [['text'], async (_, kind) => {
    const found = (await measuredRuns()).builtin.kinds.find(({ family }) => family === kind);
    if (!found) throw new RangeError(`no kind of text is called ${kind}`);
    return { largest: found.largest, builtin: found.builtin };
  }],
  /**
   * familyFit(count, floor, by): the line through the smallest by `n` or `parameters`: { floor, a, alpha, alphaError, floorError, spread, guess: for the
   * largest, guessError }; errors and spread are 0 where there are none.
   */
  familyFit: [['count', 'any', 'text?'], async (_, count, floor, by = 'n') => {
    const { family } = await measuredRuns();
    const fit = fitSmallest(family, count, { floor: floor === true, by });
    if (!fit) throw new RangeError(`${count} models make no line`);
    return { floor: fit.floor, a: fit.a, alpha: fit.alpha, alphaError: fit.errors.alpha ?? 0, floorError: fit.errors.floor ?? 0, spread: fit.residual ?? 0, guess: fit.predict(family[family.length - 1][by]), guessError: fit.deviation?.(family[family.length - 1][by]) ?? 0 };
  }],
  /** measuring(): { minutes, command, documents: that the losses are measured on, known: how many of them stand in the training texts too } of our runs. */
  measuring: [[], async () => {
    const { seconds, command, heldOut } = await measuredRuns();
    return { minutes: seconds / 60, command, ...heldOut };
  }],
};
