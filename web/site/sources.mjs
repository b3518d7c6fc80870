// The list of sources that ends a lesson → entries, and the entries of all lessons → works. An item of the list reads
// `AUTHORS，<cite lang="en">TITLE</cite>[，venue][，year][，arXiv:number][，place]。note`; authors are missing where nobody is named, the mark-up where a
// title is Chinese.

const strip = (html) => html.replace(/<[^>]*>/g, '');

/**
 * Reads one item.
 * @param {string} html its mark-up
 * @returns {{authors: string, title: string, foreign: boolean, venue: string, year: string, arxiv: string, place: string, note: string}} place and note
 *   belong to the lesson, the rest to the work; note is mark-up
 * @throws {Error} naming what does not fit
 */
export function readSource(html) {
  const foreign = /^(?:([^<]*)，)?<cite lang="en">((?:(?!<\/cite>).)*)<\/cite>((?:(?!<cite).)*?)。(.*)$/s.exec(html.replace(/<span class="keep">(.*?)<\/span>/g, '$1'));
  const native = foreign ? null : /^([^<。]+)。(.*)$/s.exec(html);
  if (!foreign && !native) throw new Error(`not "authors，<cite lang="en">title</cite>，year。note": ${strip(html).slice(0, 60)}`);
  if (native) return { authors: '', title: native[1], foreign: false, venue: '', year: '', arxiv: '', place: '', note: native[2] };
  const [, authors = '', title, rest, note] = foreign;
  const entry = { authors, title: strip(title), foreign: true, venue: '', year: '', arxiv: '', place: '', note };
  const parts = strip(rest).split('，');
  if (parts.shift() !== '') throw new Error(`a comma ， follows the title: ${strip(html).slice(0, 60)}`);
  for (const part of parts) {
    const name = /^\d{4}$/.test(part) ? 'year' : part.startsWith('arXiv:') ? 'arxiv' : entry.year ? 'place' : 'venue';
    if (entry[name] && name !== 'place') throw new Error(`two of ${name}: ${strip(html).slice(0, 60)}`);
    entry[name] += (entry[name] ? '，' : '') + part;
  }
  const first = /^arXiv:(\d\d)\d\d\.\d{4,5}$/.exec(entry.arxiv)?.[1];
  if (entry.arxiv && !first) throw new Error(`no number of arXiv: ${entry.arxiv}`);
  if (first && entry.year !== `20${first}`) throw new Error(`${entry.arxiv} came out in 20${first}, not in ${entry.year || 'no year'}`);
  if (authors.replace(/ 等$/, '').split('、').length > 4) throw new Error(`of five authors or more the first is named, then 等: ${authors}`);
  return entry;
}

/** How a work is written, as mark-up. */
export const writeWork = ({ authors, title, foreign, venue, year, arxiv }, escapeHtml) =>
  [escapeHtml(authors), foreign ? `<cite lang="en">${title}</cite>` : `<cite>${title}</cite>`, venue, year, arxiv].filter(Boolean).join('，');

/**
 * The works of all lessons, each once, sorted by authors and year.
 * @param {{file: string, href: string, number: number, sources: object[]}[]} lessons
 * @returns {object[]} works, each with `lessons`: { href, number, place, note }[]
 * @throws {Error} when two lessons write a work differently
 */
export function gatherSources(lessons) {
  const works = new Map();
  for (const { file, href, number, sources } of lessons) {
    for (const { place, note, line, ...work } of sources) {
      const key = work.title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
      const known = works.get(key) ?? { ...work, lessons: [], at: `${file}:${line}` };
      for (const [name, value] of Object.entries(work)) {
        if (known[name] !== value) throw new Error(`${file}:${line}: ${name} of "${work.title}" is "${value}", but "${known[name]}" at ${known.at}`);
      }
      if (known.lessons.some((lesson) => lesson.number === number)) throw new Error(`${file}:${line}: "${work.title}" stands in the list already`);
      known.lessons.push({ href: `${href}#sources`, number, place, note });
      works.set(key, known);
    }
  }
  const numbers = [...works.values()].filter(({ arxiv }) => arxiv).map(({ arxiv }) => arxiv);
  const twice = numbers.find((number, i) => numbers.indexOf(number) !== i);
  if (twice) throw new Error(`${twice} stands at two titles`);
  const order = new Intl.Collator('en');
  // By the first author, then the year; what names none comes last.
  const keys = ({ authors, year, title }) => [authors ? '0' : '1', authors.split(/、| 等$/)[0], year, title];
  return [...works.values()].sort((a, b) => {
    const other = keys(b);
    return keys(a).reduce((sign, key, i) => sign || order.compare(key, other[i]), 0);
  });
}
