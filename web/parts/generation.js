// One generation measured: settings from attributes, the clock of this page, several runs and what they say together.
import { readSettings } from './next-token.js';

/** Positions of the slider of new tokens. */
export const lengths = [1, 4, 8, 16, 24, 40, 60, 100, 160, 240, 320];
export const mostTokens = 1000;
export const views = ['line', 'race', 'cache', 'work'];

/** What holds without attributes. */
export const usual = { maxTokens: 24, temperature: 0, topK: 0, topP: 1, seed: 1 };

const isGiven = (text) => text !== null && text !== undefined && String(text).trim() !== '';

/** Attributes as numbers: { maxTokens, temperature, topK, topP, seed, bad: names of those that could not be read and count as left out }. */
export function readRun({ maxTokens, temperature, topK, topP, seed }) {
  const { bad, ...draw } = readSettings({ temperature: isGiven(temperature) ? temperature : usual.temperature, topK, topP, seed });
  let count = usual.maxTokens;
  if (isGiven(maxTokens)) {
    const value = Number(String(maxTokens).normalize('NFKC'));
    if (Number.isInteger(value) && value >= 1 && value <= mostTokens) count = value;
    else bad.unshift('maxTokens');
  }
  // A temperature that could not be read counts as left out, and then nothing is drawn.
  const cold = bad.includes('temperature') ? usual.temperature : draw.temperature;
  return { maxTokens: count, temperature: cold, topK: draw.topK, topP: draw.topP, seed: draw.seed, bad };
}

/** The smallest step that a clock makes, in ms, as far as a few of its steps tell. */
export function clockStep(now = () => performance.now()) {
  let least = Infinity;
  const start = now();
  for (let seen = 0, last = start; seen < 6 && last - start < 200; ) {
    const next = now();
    if (next <= last) continue;
    least = Math.min(least, next - last);
    last = next;
    seen += 1;
  }
  return Number.isFinite(least) ? Number(least.toPrecision(2)) : 0.1;
}

/** Middle, least and largest of a list → { median, least, most, count }. */
export function spread(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  return { median, least: sorted[0], most: sorted.at(-1), count: sorted.length };
}

const endOf = ({ startMs, ms }) => startMs + ms;
const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);

/** What generate gives, with the times of its steps counted from the beginning of the first. */
const fromStart = (run) => {
  const origin = run.steps[0].startMs;
  return { ...run, steps: run.steps.map((step) => ({ ...step, startMs: step.startMs - origin })) };
};

/** From the first piece that is read to the last, with what lies between the steps, in ms. */
export const wholeMs = (steps) => endOf(steps.at(-1));

/** When the first new token was there, in ms: the text cut, the prompt read, the token drawn. */
export const firstTokenMs = ({ tokeniseMs, steps }) => tokeniseMs + (steps.length > 1 ? steps[1].startMs : endOf(steps[0]));

/** New tokens per second after the first; null where too little of the clock went by to tell. */
export function rateOf(steps, least) {
  const after = steps.slice(1);
  const ms = after.length ? endOf(after.at(-1)) - after[0].startMs : 0;
  return ms >= least ? (after.length / ms) * 1000 : null;
}

/** Neighbouring steps of one kind, taken together until they fill `least` ms → [{ kind, from, to: indexes, startMs, endMs, steps }]. */
export function groupSteps(steps, least) {
  const groups = [];
  steps.forEach((step, i) => {
    const last = groups.at(-1);
    if (last && last.kind === step.kind && step.kind !== 'prefill' && last.endMs - last.startMs < least) {
      last.to = i + 1;
      last.endMs = endOf(step);
      last.steps += 1;
    } else groups.push({ kind: step.kind, from: i, to: i + 1, startMs: step.startMs, endMs: endOf(step), steps: 1 });
  });
  // What is left over at the end is too short for the clock by itself.
  const [before, last] = groups.slice(-2);
  if (groups.length > 1 && before.kind === last.kind && last.endMs - last.startMs < least) {
    before.to = last.to;
    before.endMs = last.endMs;
    before.steps += last.steps;
    groups.pop();
  }
  return groups;
}

/** The run whose whole is the middle one of all. */
export const middleRun = (runs) => [...runs].sort((a, b) => wholeMs(a.steps) - wholeMs(b.steps))[Math.floor((runs.length - 1) / 2)];

/** Steps of one kind added up: what they read and did. */
export function totalOf(steps) {
  return {
    steps: steps.length,
    tokens: sum(steps, (step) => step.tokens),
    multiplyAdds: sum(steps, (step) => step.multiplyAdds),
    bytes: sum(steps, (step) => step.weightBytes + step.cacheRead + step.cacheWritten),
    weightBytes: sum(steps, (step) => step.weightBytes),
    cacheRead: sum(steps, (step) => step.cacheRead),
    ms: sum(steps, (step) => step.ms),
  };
}

/**
 * What the runs say together. runs: [{ tokeniseMs, steps }]; prefill: { ms: list, repeats } timed by itself, or null; clock: its smallest step in ms
 * → { first: spread of ms to the first token, rate: spread of tokens/s or null, whole: spread of ms, tokenise: spread of ms, prefill: spread of ms,
 *   work: { prefill, decode }: of one pass { tokens, multiplyAdds, weightBytes, cacheRead, bytes, ms, gigabytes: spread of GB/s, gigaflops: spread of GFLOP/s } },
 *   where decode is the mean of the steps, null without any.
 */
export function summary({ runs, prefill, clock }) {
  const least = 10 * clock;
  const rates = runs.map(({ steps }) => rateOf(steps, least));
  const first = runs[0].steps[0];
  const decodes = runs.map(({ steps }) => totalOf(steps.filter(({ kind }) => kind !== 'prefill')));
  const prefillMs = prefill ? prefill.ms : runs.map(({ steps }) => steps[0].ms);
  const speed = (work, times) => {
    const fair = times.every((ms) => ms >= least || prefill);
    return {
      gigabytes: fair ? spread(times.map((ms) => work.bytes / ms / 1e6)) : null,
      gigaflops: fair ? spread(times.map((ms) => (2 * work.multiplyAdds) / ms / 1e6)) : null,
    };
  };
  const one = totalOf([first]);
  const all = decodes[0];
  const per = (name) => all[name] / all.steps;
  return {
    first: spread(runs.map(firstTokenMs)),
    rate: rates.includes(null) ? null : spread(rates),
    whole: spread(runs.map(({ steps }) => wholeMs(steps))),
    tokenise: spread(runs.map(({ tokeniseMs }) => tokeniseMs)),
    prefill: spread(prefillMs),
    work: {
      prefill: { ...one, ms: spread(prefillMs), ...speed(one, prefillMs) },
      decode: all.steps
        ? {
            steps: all.steps,
            tokens: per('tokens'),
            multiplyAdds: per('multiplyAdds'),
            weightBytes: per('weightBytes'),
            cacheRead: per('cacheRead'),
            bytes: per('bytes'),
            ms: spread(decodes.map(({ ms }) => ms / all.steps)),
            gigabytes: decodes.every(({ ms }) => ms >= least) ? spread(decodes.map(({ bytes, ms }) => bytes / ms / 1e6)) : null,
            gigaflops: decodes.every(({ ms }) => ms >= least) ? spread(decodes.map(({ multiplyAdds, ms }) => (2 * multiplyAdds) / ms / 1e6)) : null,
          }
        : null,
    },
  };
}

let turn = Promise.resolve();

/** Runs `measure` when no other measurement of this page runs: two at once would time each other. */
export function inTurn(measure) {
  const mine = turn.then(measure);
  turn = mine.catch(() => {});
  return mine;
}

const patience = 8000; // ms after which what was measured has to do

/**
 * Measures a generation. rounds: the most, the least, and the ms after which no more than those begin; with `race` each round runs with and without the cache, in turns.
 * `onStage({ stage, done, of })` hears of the stages write, time and prefill, `onToken` of each token of the first run. Cancelled in between it gives what there is.
 * → { runs, off: runs without cache or null, prefill, clock, tokens: [{ id, token, bytes }], written: their text, dropped, same: whether both wrote the same, stopped }
 */
export async function measureGeneration(engine, text, { model, race, rounds = { most: 7, least: 3, ms: race ? 1500 : 700 }, ...options }, { signal, onStage = () => {}, onToken = () => {} }) {
  const found = { runs: [], off: race ? [] : null, prefill: null, clock: clockStep(), tokens: [], written: '', dropped: 0, same: true, stopped: false };
  const asked = { ...options, model, signal };
  try {
    // The first run shows the tokens as they come, and warms up.
    onStage({ stage: 'write', done: 0, of: options.maxTokens });
    const written = await engine.generate(text, {
      ...asked,
      onToken: (token) => {
        if (signal.aborted) return;
        found.tokens.push(token);
        onToken(token);
        onStage({ stage: 'write', done: found.tokens.length, of: options.maxTokens });
      },
    });
    found.written = written.text;
    // Tokens come by a way of their own, and may be a little later than the end.
    for (let waited = 0; found.tokens.length < written.ids.length && waited < 100; waited += 1) await new Promise((resolve) => setTimeout(resolve, 2));
    found.dropped = written.dropped;
    const start = performance.now();
    for (let round = 0; round < rounds.most; round += 1) {
      // An odd number has a middle one.
      if (round >= rounds.least && round % 2 && performance.now() - start > rounds.ms) break;
      if (round > 0 && performance.now() - start > patience) break;
      onStage({ stage: 'time', done: round, of: rounds.most });
      const run = await engine.generate(text, asked);
      found.same &&= run.ids.join() === written.ids.join();
      if (race) {
        const other = await engine.generate(text, { ...asked, cache: false });
        found.same &&= other.ids.join() === written.ids.join();
        found.off.push(fromStart(other));
      }
      found.runs.push(fromStart(run));
    }
    if (!race && found.runs[0].steps[0].ms < 20 * found.clock) {
      onStage({ stage: 'prefill', done: 0, of: 1 });
      const [timed] = await engine.timePrefill([found.runs[0].steps[0].tokens], { model, text, runs: 5, signal });
      found.prefill = { ms: timed.ms, repeats: timed.repeats };
    }
  } catch (error) {
    if (error?.code !== 'cancelled' || !signal.aborted) throw error;
    found.stopped = true;
    if (found.off) found.off.length = Math.min(found.off.length, found.runs.length);
  }
  return found;
}
