// The table of the README, made from the program so that the two can't differ.
import { documents, families } from './corpus.mjs';

const begin = '<!-- table: written by tools/corpus --readme -->';
const end = '<!-- end of table -->';
/** Examples come from the first documents of the corpus that is shipped. */
const seed = 20;
const bytes = 200000;
const exampleLength = 160;

/** The table of families in Markdown: name, share, purpose, first document that is short enough to print. */
export function familyTable() {
  const examples = new Map();
  for (const { family, text } of documents(seed, bytes)) {
    if (!examples.has(family) && text.length <= exampleLength) examples.set(family, text);
  }
  const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
  const rows = families.map(({ name, share, purpose }) => `| ${name} | ${share} % | ${purpose} | ${cell(examples.get(name))} |`);
  return ['| family | share of tokens | purpose | example |', '|---|---|---|---|', ...rows].join('\n');
}

/** The README with its table written anew; throws an Error when it has no place for one. */
export function withTable(readme) {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md: expected "${begin}" and "${end}"`);
  return `${readme.slice(0, from)}${begin}\n${familyTable()}\n${readme.slice(to)}`;
}
