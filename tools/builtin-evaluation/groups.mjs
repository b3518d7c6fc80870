// The groups of behaviours.json, each measured as its kind says (tools/builtin-corpus/README.md).
import { largest, mean } from './runner.mjs';

const tags = ['<calc>', '</calc>', '<clock>', '</clock>', '<dict>', '</dict>', '<result>', '</result>'];
const spareTokens = 3; // the model may cut a text into more tokens than the tokenizer does

/** expect: a text, or a list of which one is enough. */
async function continues(runner, { prompt, expect }) {
  const accepted = [expect].flat();
  const lengths = await Promise.all(accepted.map(async (text) => (await runner.ids(text)).length));
  const { text } = await runner.continued(prompt, Math.max(...lengths) + spareTokens);
  return accepted.some((each) => text.startsWith(each));
}

const kinds = {
  async next(runner, { items }) {
    const right = [];
    const p = [];
    for (const item of items) {
      right.push(await continues(runner, item));
      // Where two answers are right, the probability of one says little.
      if (typeof item.expect === 'string') p.push((await runner.probabilities(item.prompt))[await runner.first(item.expect)]);
    }
    return { measured: mean(right), p: mean(p), least: Math.min(...p) };
  },
  async generate(runner, { items }) {
    const right = [];
    for (const item of items) right.push(await continues(runner, item));
    return { measured: mean(right) };
  },
  async side(runner, { items, sides }) {
    const names = Object.keys(sides);
    const first = await Promise.all(names.map(async (name) => [...new Set(await Promise.all(sides[name].map((word) => runner.first(word))))]));
    const shares = [];
    for (const { prompt, expect } of items) {
      const p = await runner.probabilities(prompt);
      const sums = first.map((ids) => ids.reduce((sum, id) => sum + p[id], 0));
      shares.push(sums[names.indexOf(expect)] / sums.reduce((a, b) => a + b, 0));
    }
    return { measured: mean(shares.map((share) => share > 0.5)), share: mean(shares) };
  },
  async absent(runner, { items }) {
    const ids = await Promise.all(tags.map((tag) => runner.first(tag)));
    let highest = { p: 0 };
    for (const { prompt } of items) {
      const p = await runner.probabilities(prompt);
      const id = ids[largest(ids.map((each) => p[each]))];
      if (p[id] >= highest.p) highest = { p: p[id], prompt };
    }
    return { measured: highest.p, highest_at: highest.prompt };
  },
};

/** Whether what was measured keeps within the group's bounds; true for a group that has none. */
function isKept(group, { measured, least }) {
  if (group.measure) return true;
  if (group.at_most !== undefined) return measured <= group.at_most;
  if (group.kind === 'absent') return measured < group.bound;
  return measured >= group.bound && !(least < group.least_probability);
}

/** → [{name, kind, bound | at_most | measure, count, measured, …, kept}]. */
export async function measureGroups(runner, groups) {
  const results = [];
  for (const group of groups) {
    const { items, sides, ...head } = group;
    const result = await kinds[group.kind](runner, group);
    results.push({ ...head, count: items.length, ...result, kept: isKept(group, result) });
  }
  return results;
}
