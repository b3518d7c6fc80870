// A power law through measured points: y = floor + a·x^(−alpha), with standard errors.
//
// Least squares of log y, because losses scatter by a share of themselves rather than by an amount. Without a floor that is the straight line in
// log-log axes (Kaplan et al., "Scaling Laws for Neural Language Models", 2020, equation 1.1). With one it is the form of Hoffmann et al., "Training
// Compute-Optimal Large Language Models", 2022, equation 2, in one variable, minimised as Levenberg and Marquardt do (Nocedal and Wright, "Numerical
// Optimization", 2006, section 10.3). Standard errors are those of nonlinear regression: s²·(JᵀJ)⁻¹ with s² the squared residuals per degree of
// freedom; what is computed from the parameters gets its error by the delta method (Seber and Wild, "Nonlinear Regression", 1989, sections 2.1 and 5.1).

/** The inverse of a symmetric positive matrix (Gauss and Jordan), or null where there is none to speak of. */
function inverse(matrix) {
  const size = matrix.length;
  // Scaled to ones on the diagonal, so that what is nearly singular can be told from what is merely small.
  const scales = matrix.map((row, i) => 1 / Math.sqrt(row[i]));
  if (!scales.every(Number.isFinite)) return null;
  const rows = matrix.map((row, i) => [...row.map((x, j) => x * scales[i] * scales[j]), ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let i = 0; i < size; i++) {
    const pivot = rows[i][i];
    if (!(pivot > 1e-13)) return null;
    rows[i] = rows[i].map((x) => x / pivot);
    for (let j = 0; j < size; j++) {
      if (j === i) continue;
      const factor = rows[j][i];
      rows[j] = rows[j].map((x, k) => x - factor * rows[i][k]);
    }
  }
  return rows.map((row, i) => row.slice(size).map((x, j) => x * scales[i] * scales[j]));
}

const dot = (u, v) => u.reduce((sum, x, i) => sum + x * v[i], 0);

/** vᵀ·M·v */
const quadratic = (matrix, v) => dot(v, matrix.map((row) => dot(row, v)));

/** JᵀJ and Jᵀr. */
function normalEquations(jacobian, residuals) {
  const columns = jacobian[0].map((_, i) => jacobian.map((row) => row[i]));
  return { matrix: columns.map((u) => columns.map((v) => dot(u, v))), vector: columns.map((u) => dot(u, residuals)) };
}

/**
 * The curve in u = log x − centre, where its parameters hardly depend on each other: e^b·e^(−alpha·u) + floor. A model is
 * { value(parameters, u), slopes(parameters, u): of log value by each parameter, allowed(parameters) }.
 */
const straight = {
  value: ([b, alpha], u) => Math.exp(b - alpha * u),
  slopes: (_, u) => [1, -u],
  allowed: () => true,
};
const bent = {
  value: ([b, alpha, floor], u) => floor + Math.exp(b - alpha * u),
  slopes: ([b, alpha, floor], u) => {
    const above = Math.exp(b - alpha * u);
    return [above, -u * above, 1].map((slope) => slope / (floor + above));
  },
  allowed: ([, , floor]) => floor >= 0,
};

/** The squared residuals of log y, and what leads down from here. */
function look(model, parameters, us, logs) {
  const residuals = us.map((u, i) => logs[i] - Math.log(model.value(parameters, u)));
  return { residuals, cost: dot(residuals, residuals) };
}

/** Levenberg and Marquardt from a start → { parameters, cost }. */
function descend(model, start, us, logs) {
  let parameters = start;
  let { residuals, cost } = look(model, parameters, us, logs);
  let damping = 1e-3;
  for (let round = 0; round < 500 && damping < 1e12; round++) {
    const { matrix, vector } = normalEquations(us.map((u) => model.slopes(parameters, u)), residuals);
    const inverted = inverse(matrix.map((row, i) => row.map((x, j) => (i === j ? x * (1 + damping) : x))));
    const step = inverted?.map((row) => dot(row, vector));
    const next = step && parameters.map((value, i) => value + step[i]);
    const there = next && model.allowed(next) ? look(model, next, us, logs) : null;
    if (!there || !(there.cost <= cost)) {
      damping *= 10;
      continue;
    }
    const done = step.every((x, i) => Math.abs(x) <= 1e-13 * (Math.abs(parameters[i]) + 1e-9));
    parameters = next;
    ({ residuals, cost } = there);
    damping = Math.max(damping / 10, 1e-12);
    if (done) break;
  }
  return { parameters, cost };
}

/** The straight line through (u, log(y − floor)) → [b, alpha]. */
function line(us, logs) {
  const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
  const [u0, log0] = [mean(us), mean(logs)];
  const alpha = -us.reduce((sum, u, i) => sum + (u - u0) * (logs[i] - log0), 0) / us.reduce((sum, u) => sum + (u - u0) ** 2, 0);
  return [log0 + alpha * u0, alpha];
}

function check(points, floor) {
  if (!Array.isArray(points) || points.length < 3) throw new RangeError(`a power law needs at least 3 points, got ${points?.length ?? points}`);
  points.forEach(({ x, y }, i) => {
    for (const [name, value] of Object.entries({ x, y })) {
      if (!Number.isFinite(value) || value <= 0) throw new RangeError(`point ${i}: ${name} must be a positive number, got ${value}`);
    }
  });
  const different = new Set(points.map(({ x }) => x)).size;
  const needed = floor ? 3 : 2;
  if (different < needed) throw new RangeError(`a power law ${floor ? 'with a floor ' : ''}needs ${needed} different x, got ${different}`);
}

/**
 * The power law y = floor + a·x^(−alpha) of least squares in log y.
 *  points: [{ x, y }, …], at least 3, all positive.
 *  floor: whether there is one; it is then 0 or above. Where the points would have it below, it is 0 and the rest as without.
 * → {
 *   a, alpha, floor,
 *   errors: { a, alpha, floor }: standard errors; null where no point is to spare or the points don't settle it, and for a floor that isn't fitted or is 0,
 *   residual: scatter of the points around the line as a share of y, per degree of freedom; null where there is none,
 *   rSquared: of log y, the share of its variance that the line explains,
 *   degreesOfFreedom,
 *   predict(x): the line there,
 *   deviation(x): its standard error there, or null,
 * }
 * Throws RangeError for fewer than 3 points, too few different x, and numbers that are not positive.
 */
export function fitPowerLaw(points, { floor: hasFloor = false } = {}) {
  check(points, hasFloor);
  const logs = points.map(({ y }) => Math.log(y));
  const centre = points.reduce((sum, { x }) => sum + Math.log(x), 0) / points.length;
  const us = points.map(({ x }) => Math.log(x) - centre);

  let model = straight;
  let parameters = line(us, logs);
  let { cost } = look(model, parameters, us, logs);
  if (hasFloor) {
    const least = Math.min(...points.map(({ y }) => y));
    // From several floors, because from a bad one the way down may end beside the valley.
    const fits = [0.02, 0.3, 0.6, 0.85, 0.97].map((share) => {
      const floor = share * least;
      return descend(bent, [...line(us, points.map(({ y }) => Math.log(y - floor))), floor], us, logs);
    });
    const best = fits.reduce((a, b) => (b.cost < a.cost ? b : a));
    if (best.cost < cost && best.parameters[2] > 1e-9 * least) {
      model = bent;
      ({ parameters, cost } = best);
    }
  }

  const [b, alpha, floor = 0] = parameters;
  const degreesOfFreedom = points.length - (hasFloor ? 3 : 2);
  const variance = degreesOfFreedom > 0 ? cost / degreesOfFreedom : null;
  const inverted = variance === null ? null : inverse(normalEquations(us.map((u) => model.slopes(parameters, u)), us).matrix);
  const covariance = inverted?.map((row) => row.map((x) => x * variance));
  const error = (slopes) => (covariance ? Math.sqrt(Math.max(0, quadratic(covariance, slopes.slice(0, parameters.length)))) : null);
  const a = Math.exp(b + alpha * centre);
  const predict = (x) => floor + a * x ** -alpha;
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const spread = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
  return {
    a,
    alpha,
    floor,
    errors: { a: error([a, a * centre, 0]), alpha: error([0, 1, 0]), floor: model === bent ? error([0, 0, 1]) : null },
    residual: variance === null ? null : Math.sqrt(variance),
    rSquared: spread > 0 ? 1 - cost / spread : 1,
    degreesOfFreedom,
    predict,
    deviation: (x) => {
      const u = Math.log(x) - centre;
      const slopes = model.slopes(parameters, u).map((slope) => slope * model.value(parameters, u));
      return error(slopes);
    },
  };
}
