// Sentences of glassbox-scaling, made of computed numbers. words: strings of `scaling` in one language.
import { powerName } from '../draw/log-plot.js';
import { decimalsFor, formatFixed, formatNumber, formatPercent } from '../draw/number.js';
import { bestSplit, computeOf, kaplanSplit, laws, lossOf, lossParts, lossRange, trained } from './scaling-laws.js';
import { lossIn, lowestOf } from './scaling-runs.js';

const names = {
  zh: [[1e12, '万亿'], [1e8, '亿'], [1e4, '万']],
  en: [[1e12, 'trillion'], [1e9, 'billion'], [1e6, 'million']],
};

/** A large amount in the words of a language, to 3 digits: 322 亿, 1.4 trillion; beyond the words as a power of ten. */
export function amountText(x, language) {
  const rounded = Number(x.toPrecision(3));
  if (rounded >= 1e16) {
    const exponent = Math.floor(Math.log10(rounded) + 1e-9);
    const mantissa = Number((rounded / 10 ** exponent).toPrecision(3));
    return mantissa === 1 ? powerName(exponent) : `${mantissa}×${powerName(exponent)}`;
  }
  const [size, name] = names[language].find(([one]) => rounded >= one) ?? [1, ''];
  const share = Number((rounded / size).toPrecision(3));
  const text = Number.isInteger(share) ? formatFixed(share, 0) : String(share);
  return name ? `${text}\u00a0${name}` : text;
}

/** How often a text was read: 7.4, 74. */
export const timesText = (x) => (x < 1.005 ? '1' : x >= 10 ? formatFixed(x, 0) : String(Number(x.toPrecision(2))));

/** A loss with as many digits as tell two apart. */
export const lossText = (x) => formatFixed(x, 3);

const outsideOf = (law, n, d) => {
  const out = (value, [least, most]) => value < least || value > most;
  const [far, long] = [out(n, trained[law].n), out(d, trained[law].d)];
  return far && long ? 'both' : far ? 'n' : long ? 'd' : null;
};

/** The point of the plot, its compute, and the better split of it → { main, lines, better: { n, d } or null }. */
export function lawSentences({ law, n, d }, words, language) {
  const amount = (x) => amountText(x, language);
  const loss = lossOf(law, n, d);
  const c = computeOf(n, d);
  const lines = [words.flops(amount(n), amount(d), amount(c)), words.ratio(formatNumber(d / n)), words.choices(lossText(loss), formatNumber(Math.exp(loss)))];
  let main = words.sumKaplan(lossText(loss));
  let better = null;
  if (law === 'kaplan') lines.push(words.kaplanNote);
  else {
    const { floor, size, data } = lossParts(law, n, d);
    main = words.sum(lossText(floor), lossText(size), lossText(data), lossText(loss));
    const { alpha, beta } = laws[law];
    const best = bestSplit(law, c);
    if (Math.abs(Math.log(best.n / n)) < 0.01) lines.push(words.isBest);
    else {
      lines.push(words.lacks[alpha * size > beta * data ? 'size' : 'data'], words.better(amount(best.n), amount(best.d), lossText(best.loss)));
      better = best;
    }
  }
  if (loss > lossRange(law)[1]) lines.push(words.above);
  else {
    const outside = outsideOf(law, n, d);
    if (outside) lines.push(words.outside(words.outsideNames[outside]));
  }
  return { main, lines, better };
}

/** The range of N around the best one of C in which the loss is at most `share` above the least. */
export function flatRange(law, c, share) {
  const best = bestSplit(law, c);
  const end = (direction) => {
    let [near, far] = [0, 20];
    for (let i = 0; i < 60; i += 1) {
      const middle = (near + far) / 2;
      const n = best.n * Math.exp(direction * middle);
      if (lossOf(law, n, c / 6 / n) <= best.loss * (1 + share)) near = middle;
      else far = middle;
    }
    return best.n * Math.exp(direction * near);
  };
  return { low: end(-1), high: end(1) };
}

/** One compute split in the ways of three papers. */
export function splitSentences({ c, n }, words, language) {
  const amount = (x) => amountText(x, language);
  const best = bestSplit('hoffmann', c);
  const loss = lossOf('hoffmann', n, c / 6 / n);
  const more = loss / best.loss - 1;
  const here = words.splitHere(amount(n), amount(c / 6 / n), lossText(loss)) + (more < 5e-5 ? words.splitAt : words.splitMore(formatPercent(more)));
  const flat = flatRange('hoffmann', c, 0.005);
  const kaplan = kaplanSplit(c);
  return {
    main: here,
    lines: [
      ...['hoffmann', 'besiroglu'].map((law) => {
        const { n: size, d, loss: least } = bestSplit(law, c);
        return words.splitBest(words.laws[law], amount(size), amount(d), lossText(least), formatNumber(d / size));
      }),
      words.kaplanBest(amount(kaplan.n), amount(kaplan.d)),
      words.flat(amount(flat.low), amount(flat.high), formatPercent(0.005)),
    ],
  };
}

/** How far a prediction is off, as a signed percentage. */
export function offText(guess, loss) {
  const share = formatPercent(Math.abs(guess / loss - 1));
  return share.startsWith('<') ? share : `${guess < loss ? '−' : '+'}${share}`;
}

/** The fitted line, and what it says of the models that it was not made of. */
export function oursSentences({ runs, fit, count, per }, words) {
  const { family, bytesPerToken } = runs;
  if (!fit) return { main: words.cantFit, lines: [] };
  const shown = (x) => lossText(lossIn(x, per, bytesPerToken));
  const hasFloor = fit.floor > 0;
  const scale = lossIn(1, per, bytesPerToken);
  const main = words.fitSays(hasFloor ? formatNumber(fit.floor * scale) : null, formatNumber(fit.a * scale), formatNumber(fit.alpha));
  const lines = [];
  const { errors } = fit;
  if (fit.deviation && errors.alpha !== null) {
    const list = [
      ...(hasFloor && errors.floor !== null ? [[words.errorNames.floor, fit.floor * scale, errors.floor * scale]] : []),
      [words.errorNames.alpha, fit.alpha, errors.alpha],
    ].map(([name, value, error]) => `${name} ${words.withError(formatFixed(value, decimalsFor(error, 2)), formatFixed(error, decimalsFor(error, 2)))}`);
    lines.push(words.fitErrors(list.join(words.join)));
  }
  lines.push((hasFloor ? words.tenfold : words.tenfoldFree)(formatPercent(10 ** -fit.alpha)));
  const last = family[family.length - 1];
  const off = (run) => Math.abs(fit.predict(run.n) / run.loss - 1);
  if (count < family.length) lines.push(words.largest(words.modelName(last.layers, last.width), shown(fit.predict(last.n)), shown(last.loss), formatPercent(off(last))));
  else lines.push(words.allUsed(formatPercent(Math.max(...family.map(off)))));
  return { main, lines };
}

/** One run with less and less different text, against the one with most. */
export function dataSentences({ runs, run }, words, language) {
  const amount = (x) => amountText(x, language);
  const chosen = runs.data[run];
  if (!chosen) return { main: words.nothing, lines: [] };
  const [most] = runs.data;
  const lines = [];
  if (chosen === most) lines.push(words.dataMost);
  else lines.push(words.dataMore(lossText(chosen.loss - most.loss)));
  const lowest = lowestOf(chosen);
  lines.push(lowest.loss < chosen.loss - 0.005 ? words.dataTurn(amount(lowest.tokens), lossText(lowest.loss), lossText(chosen.loss)) : words.dataStill);
  return { main: words.dataSays(amount(chosen.unique), timesText(chosen.times), lossText(chosen.loss), lossText(chosen.learned)), lines };
}

/** The sentences of a view → { main, lines, better? }. state: of readSettings, with runs, fit and count for the measured views. */
export function sentencesFor(state, words, language) {
  if (state.view === 'law') return lawSentences(state, words, language);
  if (state.view === 'split') return splitSentences(state, words, language);
  if (state.view === 'ours') return oursSentences(state, words);
  return dataSentences(state, words, language);
}
