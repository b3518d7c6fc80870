const length = (vector) => Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));

/**
 * What the heads of one layer do at one position. weights (H,T,T), z (H,T,D), out (T,C): activations; parts (H,T,C): what each head adds
 * after W_O, bias apart.
 * → { heads: [{ row, top, weight, norm, share }], concat (H·D), output (C), norms: their sum, sum: the norm of the parts' sum }
 */
export function headsAt({ weights, z, out, parts, position }) {
  const [count, size, depth] = z.shape;
  const channels = out.shape[1];
  const total = new Float64Array(channels);
  const concat = new Float32Array(count * depth);
  const heads = Array.from({ length: count }, (_, head) => {
    const start = (head * size + position) * size;
    const row = weights.data.slice(start, start + position + 1);
    const top = row.reduce((best, weight, i) => (weight > row[best] ? i : best), 0);
    const from = (head * size + position) * channels;
    const part = parts.data.slice(from, from + channels);
    part.forEach((x, i) => {
      total[i] += x;
    });
    concat.set(z.data.subarray((head * size + position) * depth, (head * size + position + 1) * depth), head * depth);
    return { row, top, weight: row[top], norm: length(part) };
  });
  const norms = heads.reduce((sum, head) => sum + head.norm, 0);
  for (const head of heads) head.share = norms > 0 ? head.norm / norms : 0;
  return { heads, concat, output: out.data.slice(position * channels, (position + 1) * channels), norms, sum: length(total) };
}

/** The position that most heads look at most, and how many of them do → { position, count }. */
export function favourite(heads) {
  const counts = new Map();
  for (const { top } of heads) counts.set(top, (counts.get(top) ?? 0) + 1);
  const [position, count] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0];
  return { position, count };
}

/** Weights, head vectors and what they add, of a whole text in one layer, from the engine → what `headsAt` takes, and the tokens. */
export async function askHeads(engine, text, { model = 'builtin', layer }) {
  const prefix = `h.${layer}.attn.`;
  const [traced, parts] = await Promise.all([
    engine.trace(text, { model, names: ['weights', 'z', 'out'].map((name) => prefix + name) }),
    engine.headOutputs(text, { model, layer }),
  ]);
  const { tokens, bytes, dropped, activations } = traced;
  return { tokens, bytes, dropped, weights: activations[`${prefix}weights`], z: activations[`${prefix}z`], out: activations[`${prefix}out`], parts };
}
