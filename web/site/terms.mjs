// A term in a lesson's Markdown: `*[注意力（attention）]: one sentence.`, on a line of its own below the block that introduces it. The line leaves
// the lesson for the glossary; the place where the block says the term becomes its definition, with a way to the glossary.

const form = /^\*\[([^\]（）]+)(?:（([^\]（）]+)）)?\]:\s*(.*?)\s*$/;

/** The address of a term on the glossary's page, from its English name. */
export const slugOf = (english) => english.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');

/** Teaches a Markdown parser the line: tokens `term_open` (its `meta` is { name, english }), `inline` (the sentence), `term_close`. */
export function addTermLine(md, escapeHtml) {
  md.block.ruler.before('reference', 'term', (state, startLine, endLine, silent) => {
    const match = form.exec(state.getLines(startLine, startLine + 1, state.blkIndent, false));
    if (!match) return false;
    if (silent) return true;
    const [, name, english = name, sentence] = match;
    const open = state.push('term_open', '', 1);
    open.map = [startLine, startLine + 1];
    open.meta = { name, english };
    const inline = state.push('inline', '', 0);
    inline.map = open.map;
    inline.content = sentence;
    inline.children = [];
    state.push('term_close', '', -1);
    state.line = startLine + 1;
    return true;
  });
  md.renderer.rules.term = (tokens, i) => {
    const { name, english } = tokens[i].meta;
    return `<dfn id="term-${slugOf(english)}"><a href="glossary.html#${slugOf(english)}">${escapeHtml(name)}</a></dfn>`;
  };
}

/** The tokens of the block that ends before index `end`, lines of other terms left out. */
function blockBefore(tokens, end) {
  let last = end - 1;
  while (tokens[last]?.type === 'term_close') last -= 3;
  let first = last;
  while (first > 0 && !(tokens[first].level === tokens[last].level && tokens[first].nesting !== -1)) first -= 1;
  return tokens.slice(Math.max(first, 0), last + 1);
}

/**
 * Marks the first place that says the term in the block above the `term_open` at index `at`.
 * @throws {Error} when the block does not say its name, or not its English name
 */
export function markTerm(tokens, at) {
  const { name, english } = tokens[at].meta;
  const inlines = blockBefore(tokens, at).filter(({ type }) => type === 'inline');
  const said = inlines.map(({ children }) => children.map(({ type, content, meta }) => (type === 'term' ? meta.name : content)).join('')).join('\n');
  if (!said.toLowerCase().includes(english.toLowerCase())) throw new Error(`the block above the line does not say "${english}"`);
  for (const inline of inlines) {
    for (const [i, child] of inline.children.entries()) {
      const from = child.type === 'text' ? child.content.indexOf(name) : -1;
      if (from < 0) continue;
      const piece = (type, content, meta = null) => Object.assign(Object.create(Object.getPrototypeOf(child)), child, { type, content, meta });
      const pieces = [piece('text', child.content.slice(0, from)), piece('term', name, { name, english }), piece('text', child.content.slice(from + name.length))];
      inline.children.splice(i, 1, ...pieces.filter(({ content }) => content));
      return;
    }
  }
  throw new Error(`the block above the line does not say "${name}"`);
}

/**
 * All terms of the lessons as the glossary lists them, by their Chinese names in the order of their sounds, Latin names first.
 * @param {{file: string, href: string, number: number, terms: {name: string, english: string, html: string, line: number}[]}[]} lessons
 * @returns {{name: string, english: string, html: string, slug: string, href: string, number: number}[]}
 * @throws {Error} when a name is defined twice
 */
export function gatherTerms(lessons) {
  const seen = new Map();
  const terms = lessons.flatMap(({ file, href, number, terms: list }) =>
    list.map((term) => {
      const slug = slugOf(term.english);
      const here = `${file}:${term.line}`;
      for (const key of [term.name, slug]) {
        if (seen.has(key)) throw new Error(`${here}: "${key}" is defined at ${seen.get(key)} already`);
      }
      for (const key of new Set([term.name, slug])) seen.set(key, here);
      return { ...term, slug, href: `${href}#term-${slug}`, number };
    }),
  );
  const order = new Intl.Collator('zh-u-co-pinyin', { sensitivity: 'base' });
  const isLatin = ({ name }) => /^[a-z]/i.test(name);
  return terms.sort((a, b) => isLatin(b) - isLatin(a) || order.compare(a.name, b.name));
}
