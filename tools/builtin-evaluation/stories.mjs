// Judges generated stories: every sentence of a known form, and the same hero, friend, kinds and thing from end to end.
import * as lx from '../builtin-corpus/lexicon.mjs';
import { formsEn, formsZh } from '../builtin-corpus/stories.mjs';
import { mean } from './runner.mjs';

const choices = {
  zh: {
    n: lx.petsZh, m: lx.petsZh, kind: lx.animalsZh, kind2: lx.animalsZh, p: lx.placesZh, q: lx.placesZh, do: lx.actionsZh, food: lx.foodsZh,
    feel: lx.feelingsZh, trait: lx.traitsZh, unit: lx.treasuresZh.map(([unit]) => unit), thing: lx.treasuresZh.map(([, thing]) => thing),
  },
  en: {
    n: lx.namesEn, m: lx.namesEn, kind: lx.animalsEn, kind2: lx.animalsEn, p: lx.placesEn, q: lx.placesEn, do: lx.actionsEn, doing: lx.doingEn,
    food: lx.foodsEn, feel: lx.feelingsEn, trait: lx.traitsEn, colour: lx.coloursEn, thing: lx.treasuresEn,
  },
};
const forms = { zh: formsZh, en: formsEn };
const lasting = ['n', 'm', 'kind', 'kind2', 'thing']; // what may not change within a story

const escaped = (text) => text.replace(/[\\^$.*+?()[\]|]/g, '\\$&');

/** A regular expression of a sentence's form; a slot that comes twice must be filled alike. */
function patternOf(template, words) {
  const seen = new Set();
  const slots = escaped(template).replace(/\{(\w+)\}/g, (_, name) => {
    if (seen.has(name)) return `\\k<${name}>`;
    seen.add(name);
    return `(?<${name}>${words[name].map(escaped).join('|')})`;
  });
  return new RegExp(`^ ?${slots.replaceAll(' a ', ' an? ')}`, 'u');
}

/** Whether text is one sentence of each part, in order, that may stop after any of them. */
function isTold(text, parts, language, known) {
  if (text === '' || text === forms[language].end) return true;
  if (parts.length === 0) return false;
  return parts[0].some((template) => {
    const match = patternOf(template, choices[language]).exec(text);
    if (!match) return false;
    const found = Object.fromEntries(Object.entries(match.groups ?? {}).filter(([name, word]) => lasting.includes(name) && word !== undefined));
    if (Object.entries(found).some(([name, word]) => (known[name] ?? word) !== word)) return false;
    return isTold(text.slice(match[0].length), parts.slice(1), language, { ...known, ...found });
  });
}

/** Whether a whole story keeps to the forms and to its own facts. */
export function isFaultless(text, language) {
  const { opening, habits, friend, treasure } = forms[language];
  return [friend, treasure].some((adventure) => isTold(text, [opening, habits, ...adventure], language, {}));
}

/** Stories sampled at temperature 0.8: whole characters, an end, no fault against their own facts. */
export async function measureStories(runner, count = 40) {
  const result = {};
  for (const [language, prompt] of [['zh', '从前，'], ['en', 'Once upon a time,']]) {
    const told = [];
    for (let seed = 0; seed < count; seed++) {
      const { text, ended } = await runner.continued(prompt, 160, { temperature: 0.8, seed });
      told.push({ text: prompt + text, ended, faultless: ended && isFaultless(prompt + text, language) });
    }
    result[language] = {
      count, broken: told.filter(({ text }) => text.includes('\ufffd')).length, ended: mean(told.map(({ ended }) => ended)),
      faultless: mean(told.map(({ faultless }) => faultless)),
      example: told.find(({ faultless }) => faultless)?.text ?? null, faulty: told.find(({ faultless }) => !faultless)?.text ?? null,
    };
  }
  return result;
}
