// How many parameters a model of GPT-2's build has, from its sizes alone.

/** The four published sizes of GPT-2: configurations of Radford et al. 2019 as they were released. */
export const gpt2Sizes = [
  { name: 'GPT-2 small', layers: 12, width: 768, vocabulary: 50257, context: 1024 },
  { name: 'GPT-2 medium', layers: 24, width: 1024, vocabulary: 50257, context: 1024 },
  { name: 'GPT-2 large', layers: 36, width: 1280, vocabulary: 50257, context: 1024 },
  { name: 'GPT-2 XL', layers: 48, width: 1600, vocabulary: 50257, context: 1024 },
].map((sizes) => ({ ...sizes, inner: 4 * sizes.width, tied: true }));

/** A loaded model's sizes. */
export const sizesOf = ({ nLayer, nEmbd, vocabSize, nPositions, nInner, tieWordEmbeddings }) => ({
  layers: nLayer,
  width: nEmbd,
  vocabulary: vocabSize,
  context: nPositions,
  inner: nInner,
  tied: tieWordEmbeddings,
});

/** The sizes that a reader may change, and how large each may be. */
export const sizeNames = ['layers', 'width', 'vocabulary', 'context'];
export const mostSize = { layers: 1000, width: 100_000, vocabulary: 10_000_000, context: 10_000_000 };

/** A size as a reader types it → a whole number, or NaN. */
export function parseSize(text, name) {
  const plain = String(text).normalize('NFKC').replace(/[\s,_，]/g, '');
  const n = /^\d{1,9}$/.test(plain) ? Number(plain) : NaN;
  return n >= 1 && n <= mostSize[name] ? n : NaN;
}

/** The attribute `sizes`, "layers width vocabulary context" → sizes, or null when it is none. */
export function parseSizes(text) {
  const words = String(text ?? '').trim().split(/\s+/);
  const numbers = words.map((word, i) => parseSize(word, sizeNames[i] ?? 'layers'));
  if (words.length !== sizeNames.length || numbers.some(Number.isNaN)) return null;
  const sizes = Object.fromEntries(sizeNames.map((name, i) => [name, numbers[i]]));
  return { ...sizes, inner: 4 * sizes.width, tied: true };
}

export const formatSizes = (sizes) => sizeNames.map((name) => sizes[name]).join(' ');

/**
 * The parameters part by part: { rows: [{ part, each: of one layer or table, times, count, terms: the factors }], layer: of one layer, total }. A weight matrix from n to m numbers has n·m
 * parameters and a bias of m; a norm has a gain and a bias of the width.
 */
export function countParameters({ layers, width, vocabulary, context, inner, tied }) {
  const row = (part, each, times, terms) => ({ part, each, times, count: each * times, terms });
  const rows = [
    row('wte', vocabulary * width, 1, [[vocabulary, width]]),
    row('wpe', context * width, 1, [[context, width]]),
    row('ln_1', 2 * width, layers, [[2, width]]),
    row('c_attn', width * 3 * width + 3 * width, layers, [[width, 3 * width], [3 * width]]),
    row('attn.c_proj', width * width + width, layers, [[width, width], [width]]),
    row('ln_2', 2 * width, layers, [[2, width]]),
    row('c_fc', width * inner + inner, layers, [[width, inner], [inner]]),
    row('mlp.c_proj', inner * width + width, layers, [[inner, width], [width]]),
    row('ln_f', 2 * width, 1, [[2, width]]),
  ];
  if (!tied) rows.push(row('lm_head', vocabulary * width, 1, [[vocabulary, width]]));
  const inLayer = rows.filter(({ part }) => ['ln_1', 'c_attn', 'attn.c_proj', 'ln_2', 'c_fc', 'mlp.c_proj'].includes(part));
  return { rows, layer: inLayer.reduce((sum, { each }) => sum + each, 0), total: rows.reduce((sum, { count }) => sum + count, 0) };
}

/** The parts as a reader thinks of them → [{ group, count, share }]: tables, attention, MLP, norms. */
export function parameterGroups({ rows, total }) {
  const groups = { tables: ['wte', 'wpe', 'lm_head'], attention: ['c_attn', 'attn.c_proj'], mlp: ['c_fc', 'mlp.c_proj'], norms: ['ln_1', 'ln_2', 'ln_f'] };
  return Object.entries(groups).map(([group, parts]) => {
    const count = rows.filter(({ part }) => parts.includes(part)).reduce((sum, one) => sum + one.count, 0);
    return { group, count, share: count / total };
  });
}
