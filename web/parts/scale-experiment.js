// The experiment of glassbox-scale: how much is drawn, at which widths, and its attributes.

export const rows = 64;
export const keys = 16;
export const mostPower = 10;
export const usual = { d: 64, seed: 1 };

/** Of any attribute `d` the nearest power of two that there is → { value, changed }. */
export function nearestWidth(raw) {
  const number = raw === null || raw === undefined ? usual.d : Number(raw);
  if (Number.isNaN(number) || String(raw).trim() === '') return { value: usual.d, changed: true };
  const power = Math.min(mostPower, Math.max(0, Math.round(Math.log2(Math.max(1, number)))));
  return { value: 2 ** power, changed: 2 ** power !== number };
}

/** A seed that the engine takes: a whole number from 0 up; the usual one in place of anything else. */
export function readSeed(raw) {
  const number = raw === null || raw === undefined || String(raw).trim() === '' ? NaN : Number(raw);
  return Number.isSafeInteger(number) && number >= 0 ? number : usual.seed;
}

/** One draw at every width that there is → [{ d, raw, scaled }] with the engine's measures. */
export function experiments(engine, seed) {
  const widths = Array.from({ length: mostPower + 1 }, (_, i) => 2 ** i);
  return Promise.all(widths.map(async (d) => ({ d, ...(await engine.scaleExperiment({ d, rows, keys, seed })) })));
}
