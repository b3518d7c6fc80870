// The fit of a power law, on points whose law is known.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Draw } from '../../tools/builtin-corpus/draw.mjs';
import { fitPowerLaw } from '../../web/parts/power-law.js';

const sizes = [6.6e3, 2.5e4, 5.7e4, 1.5e5, 2.3e5, 4.5e5, 9.9e5];
const law = { a: 80, alpha: 0.4, floor: 0.7 };
const straight = { a: 8.5, alpha: 0.12, floor: 0 };
const value = ({ a, alpha, floor }, x) => floor + a * x ** -alpha;
const pointsOf = (of, xs = sizes) => xs.map((x) => ({ x, y: value(of, x) }));
const near = (actual, expected, share) => assert.ok(Math.abs(actual - expected) <= share * Math.abs(expected), `${actual} is not ${expected}`);

/** A normal deviate (Box and Muller). */
const normal = (draw) => Math.sqrt(-2 * Math.log(1 - draw.uniform())) * Math.cos(2 * Math.PI * draw.uniform());
const noisy = (points, share, draw) => points.map(({ x, y }) => ({ x, y: y * Math.exp(share * normal(draw)) }));

test('exact points give back their law', () => {
  for (const [of, floor] of [[straight, false], [law, true], [straight, true], [{ a: 406.4, alpha: 0.34, floor: 1.69 }, true], [{ a: 3e-4, alpha: -0.5, floor: 0 }, false]]) {
    const fit = fitPowerLaw(pointsOf(of), { floor });
    near(fit.a, of.a, 1e-6);
    near(fit.alpha, of.alpha, 1e-7);
    assert.ok(Math.abs(fit.floor - of.floor) < 1e-7);
    assert.ok(fit.rSquared > 1 - 1e-12);
    assert.ok(fit.residual < 1e-8);
    near(fit.predict(3e7), value(of, 3e7), 1e-6);
    assert.ok(fit.deviation(3e7) < 1e-6);
  }
});

test('it does not depend on the units of either axis', () => {
  const fit = fitPowerLaw(pointsOf(law), { floor: true });
  const scaled = fitPowerLaw(pointsOf(law).map(({ x, y }) => ({ x: x / 1e6, y: y * 1e3 })), { floor: true });
  near(scaled.alpha, fit.alpha, 1e-7);
  near(scaled.floor, fit.floor * 1e3, 1e-7);
  near(scaled.predict(0.5), fit.predict(5e5) * 1e3, 1e-7);
});

test('a straight line leaves a bent family worse explained than a floor does', () => {
  const points = noisy(pointsOf(law), 0.003, new Draw(5));
  const [without, within] = [fitPowerLaw(points, { floor: false }), fitPowerLaw(points, { floor: true })];
  assert.ok(without.residual > 5 * within.residual);
  assert.ok(without.alpha < within.alpha);
  assert.equal(without.degreesOfFreedom, 5);
  assert.equal(within.degreesOfFreedom, 4);
  // By definition: what is left of the squares of log y.
  const logs = points.map(({ y }) => Math.log(y));
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const left = points.reduce((sum, { x, y }) => sum + (Math.log(y) - Math.log(without.predict(x))) ** 2, 0);
  near(without.rSquared, 1 - left / logs.reduce((sum, log) => sum + (log - mean) ** 2, 0), 1e-12);
  near(without.residual, Math.sqrt(left / 5), 1e-12);
});

test('the straight fit and its errors are those of linear regression', () => {
  const points = noisy(pointsOf(straight), 0.02, new Draw(8));
  const fit = fitPowerLaw(points);
  const [xs, ys] = [points.map(({ x }) => Math.log(x)), points.map(({ y }) => Math.log(y))];
  const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
  const spread = xs.reduce((sum, x) => sum + (x - mean(xs)) ** 2, 0);
  const slope = xs.reduce((sum, x, i) => sum + (x - mean(xs)) * (ys[i] - mean(ys)), 0) / spread;
  const cut = mean(ys) - slope * mean(xs);
  const variance = xs.reduce((sum, x, i) => sum + (ys[i] - cut - slope * x) ** 2, 0) / (xs.length - 2);
  near(fit.alpha, -slope, 1e-9);
  near(fit.a, Math.exp(cut), 1e-9);
  near(fit.errors.alpha, Math.sqrt(variance / spread), 1e-9);
  near(fit.errors.a, Math.exp(cut) * Math.sqrt(variance * (1 / xs.length + mean(xs) ** 2 / spread)), 1e-9);
  near(fit.deviation(1e7), fit.predict(1e7) * Math.sqrt(variance * (1 / xs.length + (Math.log(1e7) - mean(xs)) ** 2 / spread)), 1e-9);
});

// Student's t: how often |t| stays below 1, and below the second number, at these degrees of freedom.
for (const { of, floor, share, one, bound } of [
  { of: straight, floor: false, share: 0.02, one: 0.6368, bound: 2.571 },
  { of: law, floor: true, share: 0.004, one: 0.6261, bound: 2.776 },
]) {
  test(`the errors hold at the rate of Student's t, ${floor ? 'with' : 'without'} a floor`, () => {
    const draw = new Draw(11);
    const trials = 1000;
    const hits = {};
    for (let i = 0; i < trials; i++) {
      const fit = fitPowerLaw(noisy(pointsOf(of), share, draw), { floor });
      const scores = { alpha: (fit.alpha - of.alpha) / fit.errors.alpha, line: (fit.predict(3e6) - value(of, 3e6)) / fit.deviation(3e6) };
      if (floor) scores.floor = (fit.floor - of.floor) / fit.errors.floor;
      for (const [name, t] of Object.entries(scores)) {
        hits[name] ??= { one: 0, bound: 0 };
        if (Math.abs(t) < 1) hits[name].one += 1;
        if (Math.abs(t) < bound) hits[name].bound += 1;
      }
    }
    for (const [name, hit] of Object.entries(hits)) {
      assert.ok(Math.abs(hit.one / trials - one) < 0.05, `${name}: within one error in ${hit.one / trials}, not ${one}`);
      assert.ok(Math.abs(hit.bound / trials - 0.95) < 0.025, `${name}: within ${bound} errors in ${hit.bound / trials}, not 0.95`);
    }
  });
}

test('points that would have a floor below 0 get none', () => {
  // Bent the other way: log y falls faster and faster.
  const points = sizes.map((x) => ({ x, y: Math.exp(2 - 0.02 * Math.log(x / 1e3) ** 2) }));
  const [without, within] = [fitPowerLaw(points), fitPowerLaw(points, { floor: true })];
  assert.equal(within.floor, 0);
  assert.equal(within.errors.floor, null);
  assert.equal(within.alpha, without.alpha);
});

test('three points settle a line with a floor, and leave its errors unknown', () => {
  const fit = fitPowerLaw(pointsOf(law, [1e4, 1e5, 1e6]), { floor: true });
  near(fit.alpha, law.alpha, 1e-6);
  assert.deepEqual(fit.errors, { a: null, alpha: null, floor: null });
  assert.equal(fit.residual, null);
  assert.equal(fit.deviation(1e7), null);
});

test('points that settle no line are refused by name', () => {
  const refuse = (points, message, options) => assert.throws(() => fitPowerLaw(points, options), (error) => error instanceof RangeError && message.test(error.message));
  refuse([], /at least 3 points, got 0/);
  refuse(undefined, /at least 3 points, got undefined/);
  refuse(pointsOf(law, [1e4, 1e5]), /at least 3 points, got 2/);
  refuse(pointsOf(law, [1e5, 1e5, 1e5]), /needs 2 different x, got 1/);
  refuse(pointsOf(law, [1e4, 1e5, 1e5, 1e5]), /with a floor needs 3 different x, got 2/, { floor: true });
  for (const y of [NaN, Infinity, 0, -1, undefined, '3']) refuse([...pointsOf(law), { x: 5, y }], /point 7: y must be a positive number/);
  for (const x of [NaN, Infinity, 0, -1]) refuse([{ x, y: 2 }, ...pointsOf(law)], /point 0: x must be a positive number/);
});

test('equal losses are a flat line', () => {
  const fit = fitPowerLaw(sizes.map((x) => ({ x, y: 2 })), { floor: true });
  near(fit.predict(1e8), 2, 1e-6);
  assert.ok(Number.isFinite(fit.alpha));
});
