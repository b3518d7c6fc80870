// Strings of glassbox-heads, glassbox-qkv and glassbox-knockout.
export const heads = {
  title: 'The heads of one layer',
  titleAt: (from, layer) => `Looking from “${from}”: the heads of layer ${layer}`,
  lead: 'Choose a token to see what each head of this layer looks at from there, and how their results become one vector.',
  from: 'Look from which token',
  looking: '1 Each looks for itself',
  head: (i) => `Head ${i}`,
  short: (i) => `head ${i}`,
  strip: (i, from, to, weight) => `Weights of head ${i} from “${from}”, most on “${to}”, ${weight}`,
  looks: ({ from, layer, heads, count, to, at }) =>
    heads === 1
      ? `Layer ${layer} has a single head; from “${from}” it looks most at “${to}” (token ${at}).`
      : count === heads
        ? `In layer ${layer}, looking from “${from}”, all ${heads} heads look most at “${to}” (token ${at}).`
        : count > 1
          ? `In layer ${layer}, looking from “${from}”, ${count} of ${heads} heads look most at “${to}” (token ${at}).`
          : `In layer ${layer}, looking from “${from}”, the ${heads} heads look most at ${heads} different tokens.`,
  roles: 'Nobody gives the heads their tasks; training does. Some look at the word before, some at the start, and many resist explanation.',
  joined: '2 Side by side, times W_O',
  joinedLabel: (heads, from, to) => `The vectors of ${heads} heads side by side make ${from} numbers, which W_O turns into ${to}`,
  concat: (heads, depth) => `${heads} heads give ${depth} numbers each, ${heads * depth} side by side`,
  times: (from, to) => `× W_O (${from} × ${to}), plus bias`,
  out: (n) => `${n} numbers: what this layer’s attention adds to the token`,
  colours: (a, b) => `Orange is positive, blue negative; full colour is ±${a} above, ±${b} below`,
  adding: '3 Who adds how much',
  sum: 'Added up',
  adds: ({ heads, norms, sum, less }) =>
    heads === 1
      ? `There is one head; its vector has the length ${sum}.`
      : `A bar is the length of the vector that a head adds (after W_O), a percentage its part of the lengths’ total. Lengths don’t add up: the ${heads} lengths make ${norms}, the ${heads} vectors added up have the length ${sum}, ${less}% less, since they point in different directions and partly cancel. The bias belongs to no head.`,
  header: ['head', 'looks most at', 'weight', 'length', 'share'],
};

export const qkv = {
  title: 'One vector, three faces',
  titleAt: (token, layer, head) => `q, k and v of “${token}”: layer ${layer}, head ${head}`,
  lead: 'The same vector times three different matrices makes the query q, the key k and the value v. The matrices hold what the model learned. Choose a number of q, k or v to see how it is computed.',
  token: 'Which token',
  which: 'Which matrix',
  sentence: ({ token, layer, head, channels, depth }) =>
    `As “${token}” enters layer ${layer}, its vector after LayerNorm has ${channels} numbers; head ${head} turns it into ${depth} numbers by each of W_Q, W_K and W_V (${channels} → ${depth}). In GPT-2 it is 768\u00a0→\u00a064.`,
  inputLabel: (token, n) => `The vector of “${token}” after LayerNorm, ${n} numbers`,
  matrix: (part, rows, columns) => `W_${part.toUpperCase()} (${rows} × ${columns})`,
  matrixLabel: (part, rows, columns) => `Matrix W_${part.toUpperCase()}, ${rows} rows and ${columns} columns, coloured by size and sign`,
  output: (part, n) => `${part}: ${n} numbers`,
  count: (n) => `: ${n} numbers`,
  entry: (part, index, value) => `number ${index} of ${part}, ${value}`,
  colours: (x) => `Orange is positive, blue negative, at full colour beyond ±${x} in the matrices.`,
  choose: 'Choose a column of a matrix or a cell of the strip below it; arrow keys work too. Counting starts at 0.',
  products: (part, index, n) => `Number ${index} of ${part}: x times column ${index} of W_${part.toUpperCase()}`,
  adds: (part, index, sum, bias, value) => `The products add up to ${sum}; with the bias ${bias}, number ${index} of ${part} is ${value}`,
  number: (part) => `Which number of ${part}`,
  multiply: 'Multiply',
  inColumn: (index, n) => `, column ${index}, ${n} times`,
  sum: 'Add up',
  ofTerms: (n) => `, sum of ${n} terms`,
  bias: 'Bias',
  same: 'the same as the engine’s',
  first: 'term 0',
  last: (n) => `term ${n}`,
  header: ['i', 'x', 'W', 'product', 'sum so far'],
};

export const knockout = {
  title: 'Switch heads off and see whether the answer changes',
  lead: 'Every head is a switch. Turn one off and see how far the next word of both sentences moves.',
  textA: 'First sentence',
  textB: 'Sentence to compare',
  empty: 'Both sentences are empty. Write one, or choose an example.',
  board: 'Where each head looks from the last word',
  help: (count) =>
    count > 1
      ? 'In each cell: the word this head looks at most from the last word, and its weight; first sentence above, second below. Choose a cell to turn it off or on.'
      : 'In each cell: the word this head looks at most from the last word, and its weight. Choose a cell to turn it off or on.',
  headName: (head) => `head ${head}`,
  layerName: (layer) => `layer ${layer}`,
  wholeLayer: (layer) => `All heads of layer ${layer}`,
  cell: (layer, head, looks, kl) =>
    `Layer ${layer}, head ${head}, looks at ${looks.map(([label, weight]) => `“${label}” ${weight}`).join('; ')}${kl === null ? '' : `; without it the KL divergence is ${kl} nats`}`,
  tryAll: 'Try each one',
  allOn: 'All on',
  unknown: (words, layer, head) => `This model has no ${words}, which was left aside. Layers are 0–${layer}, heads 0–${head}.`,
  dropped: (count, kept) => `The model sees at most ${kept} tokens at a time; the oldest ${count} were left out.`,
  others: (words) => `Also off: ${words}.`,
  tokens: (counts) => `${counts.join(' and ')} tokens`,
  next: 'Next word',
  before: 'all on',
  after: 'without',
  restShort: 'others',
  allSays: (word, p) => `All on: “${word}” ${p}.`,
  stays: (heads, others, word, from, to) => `Without ${heads === 1 && !others ? 'this one head' : `these ${heads + others}`}, “${word}” goes from ${from} to ${to}.`,
  changes: (word, p, other, q) => `The answer changes from “${word}” ${p} to “${other}” ${q}.`,
  kl: 'How far the guess moves (KL divergence, nats)',
  spare: (label, weight, others) =>
    others
      ? `This head gives “${label}” a weight of ${weight}, and yet the answer stays without it: ${others === 1 ? 'one other head looks' : `${others} other heads look`} at “${label}” too, so it has spares.`
      : `This head gives “${label}” a weight of ${weight}, and yet the answer stays without it. A head that looks at the answer need not be needed for it.`,
  decides: (label, weight) => `This head looks most at “${label}” (${weight}), which is not the answer, and yet the answer changes without it. Where a model looks and what decides are two things.`,
  ranking: 'One off at a time: which matters most',
  fromAll: 'Each time one head is off, all others on.',
  onTop: (words) => `Each time one more head is off, beside ${words}.`,
  rankingHelp: (count) => `Ordered by the ${count > 1 ? 'larger KL divergence of the two sentences' : 'KL divergence'}. Choose a line to switch that head off; again to undo it.`,
  looksAt: (label) => `looks at “${label}”`,
  effect: (word, from, to) => `“${word}” ${from} → ${to}`,
  turns: (word) => `turns to “${word}”`,
  more: (count) => `Show ${count} more`,
  fewer: 'Show fewer',
  sweepMeasured: (count, ms) => `${count} runs, computed on this device in ${ms} ms.`,
  columns: ['text', 'off', 'token', 'probability, all on', 'probability without', 'KL divergence (nats)'],
  prompts: [
    { label: 'cat: tired / high', text: 'The cat could not jump onto the table because it was too tired. The one that was too tired is the', textB: 'The cat could not jump onto the table because it was too high. The one that was too high is the' },
    { label: '小猫：累 / 高', text: '小猫没有跳上桌子，因为它太累了。太累的是', textB: '小猫没有跳上桌子，因为它太高了。太高的是' },
    { label: 'Thank you very', text: 'Thank you very', textB: '' },
  ],
};
