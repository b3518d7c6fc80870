// What tools/scaling trains and how: the sizes, the one recipe, and the fits. Pure.
import { fitPowerLaw } from '../web/parts/power-law.js';

/** As the built-in model's. */
const specialTokens = ['<|endoftext|>', '<calc>', '</calc>', '<clock>', '</clock>', '<dict>', '</dict>', '<result>', '</result>'];

/**
 * The family that the page shows. sizes, shapes: [width, layers]; limited: a size, and 1/which of the documents it learns from in each run;
 * rate: see learningRate.
 */
export const fullPlan = {
  corpusBytes: undefined, // as the built-in model's
  vocabSize: 2560,
  lexicon: true, // words of the built-in model's that become single tokens
  headWidth: 16, // a narrower model has one head
  sizes: [[16, 2], [32, 2], [48, 2], [64, 3], [80, 3], [96, 4], [128, 5]],
  shapes: [[8, 1], [16, 1]], // of one layer: what depth is worth; not part of the family
  limited: { size: [64, 3], parts: [12, 40, 120, 400] },
  steps: 2000,
  rowTokens: 128,
  tokensPerStep: 1024,
  rate: { at64: 0.016, power: 0.5 },
  heldOutDocuments: 4000,
  checkpointEvery: 250,
};

/** The same in seconds, for tests: its numbers mean nothing. */
export const smokePlan = {
  ...fullPlan,
  corpusBytes: 150000,
  vocabSize: 600,
  lexicon: false,
  headWidth: 4,
  sizes: [[4, 1], [8, 1], [12, 1], [16, 2]],
  shapes: [[16, 1]],
  limited: { size: [8, 1], parts: [4] },
  steps: 40,
  rowTokens: 32,
  tokensPerStep: 256,
  heldOutDocuments: 15,
  checkpointEvery: 8,
};

/** Kaplan et al. 2020 count N without both embedding tables: blocks of 12·C² weights and 13·C biases and gains, and the last norm. */
export const nonEmbedding = (width, layers) => layers * (12 * width * width + 13 * width) + 2 * width;

/**
 * Small models bear larger steps: the peak of the schedule falls as a power of the width. At widths 16 and 64 half and double of what the full plan
 * has were tried on half of the tokens, and were worse.
 */
export const learningRate = ({ at64, power }, width) => Number((at64 * (64 / width) ** power).toPrecision(3));

/** The families under which documents are filed, so that settings can say which ones a run may begin with. */
export const heldOutFamily = 'held-out';
export const partFamily = (k) => `part-${k}`;

/**
 * Where each part of the documents to learn from ends, the smallest first: those that all limited runs know, …, all.
 * → [{ family, end, share }], share: 1/share of the documents lie before `end`.
 */
export function partsOf({ limited }, documents) {
  const shares = [...limited.parts].sort((a, b) => b - a).concat(1);
  return shares.map((share, k) => ({ family: partFamily(k), end: Math.max(1, Math.floor(documents / share)), share }));
}

function settingsOf(plan, [width, layers], excluded) {
  return {
    vocab_size: plan.vocabSize,
    special_tokens: specialTokens,
    n_positions: plan.rowTokens,
    n_embd: width,
    n_head: Math.max(1, width / plan.headWidth),
    n_layer: layers,
    tokens_per_step: plan.tokensPerStep,
    learning_rate: learningRate(plan.rate, width),
    beta1: 0.9,
    beta2: 0.98,
    weight_decay: 0.05,
    clip_norm: 1,
    warm_up_steps: Math.round(plan.steps / 20),
    final_rate: 0.05,
    seed: 1,
    held_out: 0.02,
    start: 'gpt2',
    stages: [{ steps: plan.steps, row_tokens: plan.rowTokens, no_start: excluded }],
  };
}

/** Every run, in the order of training → [{ name, kind, size, share, settings }]; share: it learns from 1/share of the documents. */
export function runsOf(plan) {
  const parts = partsOf(plan, 1);
  const on = (kind, size) => ({ name: size.join('x'), kind, size, share: 1, settings: settingsOf(plan, size, [heldOutFamily]) });
  const family = plan.sizes.map((size) => on('family', size));
  const shapes = plan.shapes.map((size) => on('shape', size));
  const data = plan.limited.parts.map((share) => {
    const excluded = parts.filter((part) => part.share < share).map((part) => part.family);
    const { size } = plan.limited;
    return { name: `${size.join('x')}-text-${share}`, kind: 'data', size, share, settings: settingsOf(plan, size, [...excluded, heldOutFamily]) };
  });
  return [...family, ...data, ...shapes];
}

/**
 * What a token costs one size beside others, for the time that is left: multiply-adds of the blocks and of the output head, and roughly what norms,
 * attention and the softmax over the vocabulary take beside them.
 */
export const costOf = (plan, [width, layers]) => nonEmbedding(width, layers) + plan.vocabSize * (width + 30) + 500 * layers * width;

const rounded = (value) => (value === null ? null : Number(value.toPrecision(6)));

/** The lines through a family: over non-embedding and over all parameters, with and without a floor. */
export function fitFamily(runs) {
  const family = runs.filter((run) => run.kind === 'family');
  const fit = (count, floor) => {
    const { a, alpha, floor: lowest, errors, residual, rSquared } = fitPowerLaw(family.map((run) => ({ x: run[count], y: run.held_out_loss })), { floor });
    return {
      a: rounded(a), alpha: rounded(alpha), floor: rounded(lowest),
      errors: { a: rounded(errors.a), alpha: rounded(errors.alpha), floor: rounded(errors.floor) },
      residual: rounded(residual), r_squared: rounded(rSquared),
    };
  };
  const both = (count) => ({ without_floor: fit(count, false), with_floor: fit(count, true) });
  return { non_embedding: both('non_embedding'), parameters: both('parameters') };
}

const by = (name) => (a, b) => a[name] - b[name];

/** What the numbers of a file say and don't say, in sentences for whoever reads the file. */
export function remarksOn(file) {
  const { without_floor: straight, with_floor: bent } = file.fits.non_embedding;
  const family = file.runs.filter((run) => run.kind === 'family').sort(by('non_embedding'));
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  const remarks = [
    `A straight line in log-log axes explains ${percent(straight.r_squared)} of the variance of log loss (points lie ${percent(straight.residual)} off it): exponent ${straight.alpha.toFixed(3)} ± ${straight.errors.alpha.toFixed(3)}. ` +
      `With a floor it is ${percent(bent.r_squared)} (${percent(bent.residual)} off): exponent ${bent.alpha.toFixed(3)} ± ${bent.errors.alpha?.toFixed(3)}, floor ${bent.floor.toFixed(3)} ± ${bent.errors.floor?.toFixed(3)} nats a token.`,
    `Standard errors of fits are of the scatter around the line; one seed was trained. standard_error of a run is of the choice of held-out documents, which all runs share.`,
    `The corpus is drawn from a finite set of templates and word lists: ${file.held_out.also_in_training} of the ${file.held_out.documents} held-out documents stand word for word in the training texts. ` +
      `In natural text there are ever rarer patterns for larger models to learn; templates run out, and the line bends.`,
  ];
  const twins = file.runs.filter((run) => run.kind === 'shape').flatMap((run) => family.filter((one) => one.n_embd === run.n_embd).map((one) => [run, one]));
  for (const [shallow, one] of twins) {
    const on = ({ non_embedding: n }) => bent.floor + bent.a * n ** -bent.alpha;
    remarks.push(`${shallow.name} (${shallow.non_embedding} parameters without embeddings) reaches ${shallow.held_out_loss.toFixed(3)}, ${one.name} (${one.non_embedding}) ${one.held_out_loss.toFixed(3)}: ` +
      `${(shallow.held_out_loss - one.held_out_loss).toFixed(3)} for another layer, where the line with a floor has ${(on(shallow) - on(one)).toFixed(3)}. The line is that of this way of growing, mostly in width, and not of parameters however they are spent.`);
  }
  if (file.builtin) {
    const { loss, tokens, by_family: families } = file.builtin;
    const widest = [...families].sort((a, b) => b.largest - b.builtin - (a.largest - a.builtin)).slice(0, 3);
    remarks.push(`The floor is that of this recipe and so few tokens, not the text's own: on the same documents the built-in model (${tokens} tokens, three stages, a start that soon finds copying) reaches ${loss.toFixed(3)}. ` +
      `It is ahead of ${family.at(-1).name} most in ${widest.map((of) => `${of.family} (${of.builtin.toFixed(2)} against ${of.largest.toFixed(2)})`).join(', ')}.`);
  }
  return remarks;
}
