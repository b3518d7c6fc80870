// The table of the README, made from the program so that the two can't differ.
import { corpusSeed, documents, families } from './corpus.mjs';

const begin = '<!-- table: written by tools/corpus --readme -->';
const end = '<!-- end of table -->';
/** Examples come from the first documents of the corpus that is shipped. */
const bytes = 200000;
const exampleLength = 160;

/** The first document of each family that is short enough to print. */
export function familyExamples() {
  const examples = new Map();
  for (const { family, text } of documents(corpusSeed, bytes)) {
    if (!examples.has(family) && text.length <= exampleLength) examples.set(family, text);
  }
  return examples;
}

/** A text as a cell of a Markdown table. */
export const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** The table of families in Markdown: name, share, purpose, example. */
export function familyTable() {
  const examples = familyExamples();
  const rows = families.map(({ name, share, purpose }) => `| ${name} | ${share} % | ${purpose} | ${cell(examples.get(name))} |`);
  return ['| family | share of tokens | purpose | example |', '|---|---|---|---|', ...rows].join('\n');
}

/** The README with its table written anew; throws an Error when it has no place for one. */
export function withTable(readme) {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md: expected "${begin}" and "${end}"`);
  return `${readme.slice(0, from)}${begin}\n${familyTable()}\n${readme.slice(to)}`;
}
