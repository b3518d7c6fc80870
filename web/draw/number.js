/** Rounds to `decimals` places, halves away from zero as on a pocket calculator. */
export function roundTo(x, decimals) {
  const factor = 10 ** decimals;
  const scaled = Math.abs(x) * factor;
  // A double just below a decimal half was a half when a reader wrote it down.
  const whole = Math.floor(scaled + 0.5 + Math.min(1e-6, scaled * 1e-12 + 1e-9));
  return whole === 0 ? 0 : Number((Math.sign(x) * (whole / factor)).toFixed(Math.min(20, decimals)));
}

/** How many decimals show `significant` digits of `x`; never negative. */
export function decimalsFor(x, significant = 3) {
  const size = Math.abs(x);
  if (!(size > 0) || !Number.isFinite(size)) return significant - 1;
  return Math.max(0, significant - 1 - Math.floor(Math.log10(size) + 1e-12));
}

const raised = (n) => String(n).replace(/[-0-9]/g, (c) => (c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[c]));

function group(digits) {
  const [whole, fraction] = digits.split('.');
  const grouped = whole.length > 3 ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** `x` with exactly `decimals` places, a real minus sign and groups of three. */
export function formatFixed(x, decimals) {
  if (x === -Infinity) return '−∞';
  if (x === Infinity) return '∞';
  if (Number.isNaN(x)) return '?';
  const rounded = roundTo(x, decimals);
  return (rounded < 0 ? '−' : '') + group(Math.abs(rounded).toFixed(decimals));
}

/** `x` with `significant` digits; whole numbers plain, very small and very large ones as powers of ten. */
export function formatNumber(x, significant = 3) {
  if (!Number.isFinite(x)) return formatFixed(x, 0);
  if (Number.isInteger(x) && Math.abs(x) < 1e7) return formatFixed(x, 0);
  const size = Math.abs(x);
  if (size < 1e-4 || size >= 1e7) {
    const [mantissa, exponent] = size.toExponential(significant - 1).split('e');
    return `${x < 0 ? '−' : ''}${mantissa}×10${raised(Number(exponent))}`;
  }
  return formatFixed(x, decimalsFor(x, significant));
}

/** `x` as `formatNumber` shows it, as a number: what a reader would type into a calculator. */
export function shownValue(x, significant = 3) {
  if (!Number.isFinite(x) || Number.isInteger(x)) return x;
  const size = Math.abs(x);
  if (size < 1e-4 || size >= 1e7) return Number(x.toExponential(significant - 1));
  return roundTo(x, decimalsFor(x, significant));
}

/** A weight 0…1: three decimals from 0.1 on, three significant digits below. */
export const formatWeight = (w) => (w >= 0.0995 ? formatFixed(w, 3) : formatNumber(w, 3));

/** A probability as a percentage with one decimal, never 0 or 100 by rounding alone. */
export function formatPercent(p) {
  if (p > 0.9995 && p < 1) return '> 99.9%';
  if (p > 0 && p < 0.0005) return '< 0.1%';
  return `${formatFixed(p * 100, 1)}%`;
}
