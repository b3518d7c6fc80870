// Mixes the families into a corpus. Same seed and size, same bytes.
import { bank } from './bank.mjs';
import { calculator } from './calculator.mjs';
import { clock } from './clock.mjs';
import { dictionary } from './dictionary.mjs';
import { Draw } from './draw.mjs';
import { failure } from './failures.mjs';
import { gift, repeatedList } from './patterns.mjs';
import * as phrases from './phrases.mjs';
import { countPieces } from './pieces.mjs';
import * as pronouns from './pronouns.mjs';
import { recall, recallShort } from './recall.mjs';
import * as stories from './stories.mjs';

const mix = (...parts) => (draw) => draw.weighted(parts)(draw);

/** The families whose sentences stand between a fact and the question for it. */
export const fillers = {
  zh: [phrases.talkZh, phrases.homographZh, stories.sceneZh, stories.storyZh, pronouns.animalZh, pronouns.itemZh],
  en: [phrases.talkEn, stories.sceneEn, stories.storyEn, pronouns.animalEn, pronouns.itemEn, bank],
};

const tools = mix([calculator, 55], [dictionary, 25], [clock, 12], [phrases.capitalAsked, 8]);

/** A question for a tool: mostly alone, sometimes after a sentence or with another question after its answer. */
function conversation(generate) {
  return (draw) => {
    const before = draw.chance(0.08) ? draw.choice([phrases.talkZh, phrases.talkEn])(draw) : '';
    const first = generate(draw);
    const after = draw.chance(0.12) ? tools(draw) : '';
    return [before, first, after].reduce((text, more) => text + (/[A-Za-z.!?"]$/.test(text) && more !== '' ? ' ' : '') + more);
  };
}

/** Every family: its share of all pieces (about tokens), what it is for, and what draws one document. */
export const families = [
  { name: 'recall', share: 23, purpose: 'find again what was told up to 170 tokens ago', generate: (draw) => recall(draw, fillers) },
  { name: 'recall-short', share: 10, purpose: 'the same close by; the way in to the long ones', generate: recallShort },
  { name: 'stories', share: 14, purpose: 'longer texts that keep their names and things', generate: mix([stories.storyZh, 30], [stories.storyEn, 30], [stories.sceneZh, 20], [stories.sceneEn, 20]) },
  { name: 'calculator', share: 11, purpose: 'call a tool with numbers of the question, copy its result', generate: conversation(calculator) },
  {
    name: 'pronouns', share: 11, purpose: 'what "it" means is settled by an adjective',
    generate: mix([pronouns.animalZh, 50], [pronouns.animalEn, 30], [pronouns.itemZh, 10], [pronouns.itemEn, 5], [pronouns.personZh, 5]),
  },
  { name: 'induction', share: 6.5, purpose: 'a list said again goes on as before', generate: repeatedList },
  { name: 'dictionary', share: 5, purpose: 'call a tool with a word, also one never seen, copy its result', generate: conversation(dictionary) },
  { name: 'bank', share: 4.6, purpose: 'one word, two senses', generate: bank },
  { name: 'small talk', share: 3.6, purpose: 'whole sentences that are always said so', generate: mix([phrases.talkZh, 1], [phrases.talkEn, 1]) },
  { name: 'collocations', share: 3.5, purpose: 'fixed phrases, bare', generate: phrases.collocation },
  { name: 'facts', share: 2.7, purpose: 'capitals, facts, translations, poems', generate: mix([phrases.capital, 40], [phrases.fact, 32], [phrases.poem, 8], [phrases.homographZh, 20]) },
  { name: 'copying', share: 1.9, purpose: 'who gave what to whom', generate: gift },
  { name: 'clock', share: 1.1, purpose: 'call a tool without an argument', generate: conversation(clock) },
  { name: 'tool failure', share: 0.6, purpose: 'a tool that fails: say so', generate: failure },
];

/** Of the corpus that the shipped model learned. */
export const corpusSeed = 20;
export const corpusBytes = 30000000;

/** Documents with which the mean length of a family is measured before the mixing. */
const sampleSize = 1000;

/** Yields {family, text} until the texts hold `bytes` bytes of UTF-8. */
export function* documents(seed, bytes) {
  const draw = new Draw(seed);
  const weights = families.map((family) => {
    const sample = new Draw(seed + 1);
    let pieces = 0;
    for (let i = 0; i < sampleSize; i++) pieces += countPieces(family.generate(sample));
    return [family, (family.share * sampleSize) / pieces];
  });
  for (let size = 0; size < bytes; ) {
    const family = draw.weighted(weights);
    const text = family.generate(draw);
    size += Buffer.byteLength(text);
    yield { family: family.name, text };
  }
}
