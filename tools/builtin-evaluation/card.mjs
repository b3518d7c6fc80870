// The model card, from what was measured and how the model was made.
import { cell } from '../builtin-corpus/readme.mjs';
import { capitals } from '../builtin-corpus/lexicon.mjs';

const thousands = (n) => n.toLocaleString('en-US');
const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)}%`;
const places = (n, digits = 2) => n.toFixed(digits);
const signed = (n) => `${n < 0 ? '−' : '+'}${places(Math.abs(n))}`;
const table = (head, rows) => [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
const code = (text) => `\`${text}\``;

/** What a group must reach, in words. */
function boundOf({ kind, bound, at_most: atMost, least_probability: least }) {
  if (atMost !== undefined) return `at most ${atMost}`;
  if (bound === undefined) return 'stated';
  if (kind === 'absent') return `below ${bound}`;
  return (bound === 1 ? 'all' : `≥ ${bound}`) + (least === undefined ? '' : `, each with P > ${least}`);
}

const notable = {
  previous_token: ['looks at the previous token', (h) => `weight ${places(h.previous_token)} in a list said again`],
  induction: ['looks at what followed the same token before (induction)', (h) => `weight ${places(h.induction)} in a list said again`],
  first_token: ['rests on the first token when nothing fits', (h) => `weight ${places(h.first_token)} in plain sentences`],
  noun_reader: ['looks from 的是 at the noun that is meant', (h) => `weight ${places(h.right_noun)} on it, ${places(h.other_noun)} on the other`],
  adjective_reader: ['looks from 的是 at the adjective', (h) => `weight ${places(h.adjective)} on its two places`],
  most_needed: ['the head that matters most for the pronoun', (h) => `without it mean probability of the right noun ${places(h.knocked_out.p, 3)}; the other noun is said in ${percent(h.knocked_out.other)}`],
};
const nameOf = ({ layer, head }) => `h.${layer}.${head}`;
const both = ({ cat, table: other }) => `${places(cat)} / ${places(other)}`;

/** README.md of the model's folder. evaluation, config, training: the JSON files beside it. */
/** A text that runs in circles is cut. */
const shortened = (text) => (text.length > 320 ? `${text.slice(0, 320)}…` : text);

export function modelCard({ evaluation: e, config, training }) {
  const { settings } = training;
  const { corpus, heads: h, stories } = e;
  const [last] = e.bank.slice(-1);
  const stages = settings.stages.map((stage) => `${thousands(stage.steps)} steps of ${stage.row_tokens}`).join(', ');
  const tested = e.prompts.filter(({ right }) => right);
  const bank = (name) => e.groups.find((group) => group.name === name);
  const sum = e.own_sums.examples[0];
  return `# Glassbox's built-in model

A GPT-2 small enough to come with a web page: ${config.n_layer} layers, width ${config.n_embd}, ${config.n_head} heads, context ${config.n_positions}, vocabulary ${config.vocab_size}, ${thousands(training.parameters)}
parameters in int8. It makes the lessons' examples really work and is no use for anything else.

- **Made from generated text only.** A program (\`tools/corpus\`) drew every training text from templates and word lists written for this project; three
  poems of the Tang dynasty are the only text by others, long in the public domain.
- **Licence: MIT**, for the weights as for the code.
- **Files**: \`model.safetensors\` (Hugging Face's GPT-2 names and Conv1D layout, head tied to \`wte\`; matrices in I8 with a scale per output channel), \`config.json\`,
  \`vocab.json\` and \`merges.txt\` (GPT-2's byte-level BPE, one token a digit, then the special tokens ${settings.special_tokens.map(code).join(' ')}),
  \`bigrams.bin\` (how often each pair of tokens stands in the corpus), \`dictionary.json\` (the words that \`<dict>\` finds), \`training.json\` (settings and losses), \`evaluation.json\` (everything measured).
- **Made again by** \`tools/train-builtin\`, measured by \`node tools/evaluate-builtin.mjs\`.

## What it can't do

It knows its templates and nothing else. It has no knowledge of the world beyond the facts listed here, can't calculate without its tool, holds no conversation, and
continues most other texts with nonsense. Nothing it says is advice. Names and animals were drawn evenly by chance. Of ${e.own_sums.count} sums of two-digit numbers whose result it had to write
itself, ${percent(e.own_sums.right)} were right (for ${sum.sum} it wrote ${code(sum.said)} instead of ${sum.result}).

## Corpus

${thousands(corpus.documents)} documents (${thousands(corpus.different)} different), ${places(corpus.bytes / 1e6, 1)} MB, SHA-256 of \`corpus.jsonl\` \`${corpus.sha256}\`. Pieces come
close to tokens.

${table(['family', 'share of pieces', 'documents', 'example'], corpus.families.map((family) => [family.name, percent(family.pieces / corpus.pieces, 1), thousands(family.documents), cell(family.example)]))}

What is held out of it is told in \`tools/builtin-corpus/README.md\`. The figures below are about held-out combinations wherever there are any.

## Training

AdamW, rate ${settings.learning_rate} with ${settings.warm_up_steps} steps of warm-up and a cosine down to ${percent(settings.final_rate)}, β ${settings.beta1} and ${settings.beta2}, decay ${settings.weight_decay} on matrices, gradient norm at most ${settings.clip_norm};
${thousands(training.steps)} steps, ${places(training.tokens / 1e6, 1)} M tokens, in rows that grow: ${stages} tokens. ${Math.round(training.seconds / 60)} minutes. Seed ${settings.seed}.

## Measured behaviours

${table(['behaviour', 'measured', 'bound', 'mean probability', 'items'], e.groups.map((group) => [group.name + (group.kept ? '' : ' **(missed)**'), places(group.measured, 3), boundOf(group), group.p === undefined ? '' : places(group.p, 3), group.count]))}

Measured is the share of the items that are right: the likeliest continuation is the expected one, whole. For "no call" it is the highest probability that any tag has.

- \`bank\`: the next word fits the sense in ${percent(bank('bank held-out pairings').measured)} of held-out pairings, in ${percent(bank('bank freshly worded').measured)} after freshly worded first sentences. Vectors of \` bank\` after the last layer:
  cosine ${places(last.within)} within a sense, ${places(last.across)} across; with the mean removed ${signed(last.centred_within)} and ${signed(last.centred_across)}.
- Stories at temperature 0.8, ${stories.zh.count} in each language: without a fault ${percent(stories.zh.faultless)} (Chinese) and ${percent(stories.en.faultless)} (English); with broken characters: ${stories.zh.broken + stories.en.broken}.

### Tested prompts

${table(['prompt', 'next token', 'probability'], tested.map(({ prompt, expected, p }) => [code(prompt), code(expected), places(p, 3)]))}

All ${capitals.length} countries work in both languages: ${capitals.map(([country]) => country).join('、')}.

### Examples of stories

The first of each language without a fault, and the first with one.

${[stories.zh.example, stories.en.example, stories.zh.faulty, stories.en.faulty].filter(Boolean).map((text) => `> ${shortened(text)}`).join('\n\n')}

## Heads worth looking at

Layers and heads count from 0. The list is ${h.list_length} random words and the same again; the pronoun texts are the ${h.items} of the form 「…太累的是」, read at their last token.

${table(['head', 'what it does', 'measured'], Object.entries(notable).map(([key, [what, figure]]) => [code(h.notable[key]), what, figure(h.heads.find((head) => nameOf(head) === h.notable[key]))]))}

Attention shows where a head looks, knocking it out shows whether it matters, and the two differ: with all heads ${places(h.as_is.accuracy, 3)} of the pronouns are right. Each head
knocked out alone:

${table(['head', 'looks at: right noun', 'other noun', 'adjective', 'right without it', 'mean p', 'other noun said'], h.heads.map((head) => [
    code(nameOf(head)), places(head.right_noun), places(head.other_noun), places(head.adjective), places(head.knocked_out.accuracy), places(head.knocked_out.p), places(head.knocked_out.other),
  ]))}

All heads of a layer knocked out:

${table(['layer', 'right', 'mean p', 'other noun said'], h.layers_knocked_out.map((layer) => [layer.layer, places(layer.accuracy), places(layer.p), places(layer.other)]))}

The two heads that, knocked out together, bring up the wrong noun most in the kitten sentences below:

${table(['heads', 'sentence', 'p(小猫) / p(桌子) without them', 'all pronouns: right', 'mean p', 'other noun said'], h.turning_pairs.map((pair) => [
    pair.heads.map(code).join(' and '), pair.sentence === 'tired' ? '太累的是' : '太高的是', both(pair.kitten[pair.sentence]), places(pair.accuracy), places(pair.p), places(pair.other),
  ]))}

The two kitten sentences 「小猫没有跳上桌子，因为它太累了。太累的是」 and 「…太高了。太高的是」: weight at 的是 and probability of the answer.

${table(['head', '累: on 小猫 / 桌子', '高: on 小猫 / 桌子', '累 without it: p(小猫) / p(桌子)', '高 without it: p(小猫) / p(桌子)'], h.heads.map((head) => [
    code(nameOf(head)), both(head.kitten.tired), both(head.kitten.high), both(head.knocked_out.kitten.tired), both(head.knocked_out.kitten.high),
  ]))}
`;
}
