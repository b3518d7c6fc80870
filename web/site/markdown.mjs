// A lesson's Markdown → the parts of its page: front matter, contents, HTML, and the widgets in it.
import MarkdownIt from 'markdown-it';
import katex from 'katex';
import { addCheckBlock } from './check-block.mjs';
import { findExpressionEnd, Numbers } from './numbers.mjs';
import { readSource } from './sources.mjs';
import { addTermLine, markTerm } from './terms.mjs';

/** A fault in a lesson's text, with the file and the line where it stands. */
export class LessonError extends Error {
  constructor(file, line, message, options) {
    super(`${file}:${line}: ${message}`, options);
    this.name = 'LessonError';
    this.file = file;
    this.line = line;
  }
}

/** Escapes text for use in HTML, in and outside of double-quoted attributes. */
export const escapeHtml = (text) =>
  String(text).replace(/[&<>"']/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[c]);

const TAG = /^<(glassbox-[a-z0-9-]+)((?:\s+[a-z][a-z0-9-]*(?:="[^"<>]*")?)*)\s*><\/\1>\s*$/;
const UNESCAPED = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&#10;': '\n' };

/** Parses `<glassbox-x a="b"></glassbox-x>` → { tag, attributes }, or null if it isn't just that. */
export function parseWidgetTag(source) {
  const match = TAG.exec(source.trim());
  if (!match) return null;
  const attributes = {};
  for (const [, name, value = ''] of match[2].matchAll(/([a-z][a-z0-9-]*)(?:="([^"]*)")?/g)) {
    attributes[name] = value.replace(/&(?:amp|lt|gt|quot|#39|#10);/g, (entity) => UNESCAPED[entity]);
  }
  return { tag: match[1], attributes };
}

// A widget stands on lines of its own, from its opening to its closing tag; without this rule
// markdown-it would put a tag that closes on the same line into a paragraph.
function widgetRule(state, startLine, endLine, silent) {
  const first = state.getLines(startLine, startLine + 1, state.blkIndent, false);
  const name = /^<(glassbox-[a-z0-9-]+)[\s>]/.exec(first)?.[1];
  if (!name) return false;
  if (silent) return true;
  let next = startLine + 1;
  let source = first;
  while (!source.includes(`</${name}>`) && next < endLine && state.getLines(next, next + 1, 0, false).trim() !== '') {
    source += `\n${state.getLines(next, next + 1, 0, false)}`;
    next += 1;
  }
  const token = state.push('widget', name, 0);
  token.content = source;
  token.map = [startLine, next];
  state.line = next;
  return true;
}

function displayMathRule(state, startLine, endLine, silent) {
  const text = (line) => state.getLines(line, line + 1, state.blkIndent, false).trim();
  if (!text(startLine).startsWith('$$')) return false;
  if (silent) return true;
  let next = startLine + 1;
  let source = text(startLine).slice(2);
  while (!source.endsWith('$$') && next < endLine) {
    source += `\n${text(next)}`;
    next += 1;
  }
  const token = state.push('display_math', 'div', 0);
  token.content = source.replace(/\$\$$/, '').trim();
  token.map = [startLine, next];
  state.line = next;
  return true;
}

function inlineMathRule(state, silent) {
  const { src, pos } = state;
  if (src[pos] !== '$' || /\s/.test(src[pos + 1] ?? ' ')) return false;
  const end = src.indexOf('$', pos + 1);
  if (end < 0 || /\s/.test(src[end - 1])) return false;
  if (!silent) state.push('inline_math', '', 0).content = src.slice(pos + 1, end);
  state.pos = end + 1;
  return true;
}

function expressionRule(state, silent) {
  const { src, pos } = state;
  if (!src.startsWith('{{', pos)) return false;
  const end = findExpressionEnd(src, pos);
  if (end < 0) return false;
  if (!silent) state.push('expression', '', 0).content = src.slice(pos + 2, end - 2);
  state.pos = end;
  return true;
}

function toMathml(tex, displayMode) {
  const html = katex.renderToString(tex, { output: 'mathml', displayMode, throwOnError: true, strict: 'error' });
  return html.replace(/^<span class="katex">/, '').replace(/<\/span>$/, '');
}

// Browsers break a line between a formula and the punctuation after it, which Chinese forbids.
function keepPunctuation(children) {
  children.forEach((child, i) => {
    if (child.type !== 'inline_math') return;
    const [before, after] = [children[i - 1], children[i + 1]];
    const opening = before?.type === 'text' ? /[「『（《]$/.exec(before.content)?.[0] ?? '' : '';
    const closing = after?.type === 'text' ? /^[、，。；：？！」』）》]+/.exec(after.content)?.[0] ?? '' : '';
    if (!opening && !closing) return;
    if (opening) before.content = before.content.slice(0, -opening.length);
    if (closing) after.content = after.content.slice(closing.length);
    child.meta.html = `<span class="keep">${opening}${child.meta.html}${closing}</span>`;
  });
}

function createParser() {
  const md = new MarkdownIt({ html: true, linkify: false, typographer: false });
  md.block.ruler.before('html_block', 'widget', widgetRule, { alt: ['paragraph'] });
  addCheckBlock(md, parseWidgetTag);
  addTermLine(md, escapeHtml);
  md.block.ruler.before('fence', 'display_math', displayMathRule, { alt: ['paragraph'] });
  md.inline.ruler.before('escape', 'expression', expressionRule);
  md.inline.ruler.before('escape', 'inline_math', inlineMathRule);
  md.renderer.rules.expression = (tokens, i) => tokens[i].meta.html;
  md.renderer.rules.inline_math = (tokens, i) => tokens[i].meta.html;
  md.renderer.rules.display_math = (tokens, i) => `<div class="formula">${tokens[i].meta.html}</div>\n`;
  md.renderer.rules.widget = (tokens, i) => tokens[i].meta.html;
  // A name such as GPT-2 does not break at its hyphen, nor a link to a lesson at its blanks.
  md.renderer.rules.text = (tokens, i) => escapeHtml(tokens[i].content).replace(/[A-Za-z]+-\d+/g, '<span class="keep">$&</span>');
  md.renderer.rules.link_open = (tokens, i, options, env, self) => {
    if (/^第 \d+ 课$/.test(tokens[i + 1].content)) tokens[i].attrJoin('class', 'keep');
    return self.renderToken(tokens, i, options);
  };
  // A strict Content-Security-Policy refuses style attributes, which columns would get.
  for (const rule of ['th_open', 'td_open']) {
    md.renderer.rules[rule] = (tokens, i) => {
      const side = /text-align:(\w+)/.exec(tokens[i].attrGet('style') ?? '')?.[1];
      // The corner of a table may be empty, and then heads nothing.
      if (rule === 'th_open' && tokens[i + 1].content === '') {
        tokens[i].tag = 'td';
        tokens[i + 2].tag = 'td';
      }
      return `<${tokens[i].tag}${side ? ` class="to-${side}"` : ''}${tokens[i].tag === 'th' ? ' scope="col"' : ''}>`;
    };
  }
  md.renderer.rules.table_open = () => '<div class="table"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
  // A command may break between its words, but not at the hyphens of its options.
  md.renderer.rules.fence = (tokens, i) =>
    `<pre><code>${escapeHtml(tokens[i].content).replace(/[^\s-]*-\S*/g, '<span class="keep">$&</span>')}</code></pre>\n`;
  return md;
}

function splitFrontMatter(source, file) {
  const lines = source.replace(/\r\n/g, '\n').split('\n');
  if (lines[0] !== '---') throw new LessonError(file, 1, 'front matter is missing: the first line must be ---');
  const end = lines.indexOf('---', 1);
  if (end < 0) throw new LessonError(file, 1, 'front matter is not closed by a line ---');
  const data = {};
  for (let i = 1; i < end; i += 1) {
    const match = /^([a-z]+):\s*(.+?)\s*$/.exec(lines[i]);
    if (!match) throw new LessonError(file, i + 1, `front matter wants "name: value", found "${lines[i]}"`);
    data[match[1]] = match[2];
  }
  for (const name of ['title', 'description']) {
    if (!data[name]) throw new LessonError(file, 1, `front matter has no ${name}`);
  }
  return { data, body: lines.slice(end + 1).join('\n'), offset: end + 1 };
}

/** A computed number keeps its full value; a quoted fact says where it is from. */
function markUp({ text, value, source }) {
  if (source !== undefined) return `<span class="quoted" title="${escapeHtml(source)}">${escapeHtml(text)}</span>`;
  if (value !== undefined) return `<data class="computed" value="${value}">${escapeHtml(text)}</data>`;
  return escapeHtml(text);
}

/**
 * Renders a lesson. Expressions `{{ … }}`, described in numbers.mjs, are computed in prose, headings, code, in a widget's attributes and, with a
 * blank inside their braces, in formulas; in the order in which they stand.
 * @param {string} source the Markdown text with front matter
 * @param {object} options
 * @param {string} options.file name for error messages
 * @param {(tag: string, attributes: object) => Promise<string>} options.figureFor first figure of a widget, as markup
 * @param {object} [options.engine] with the methods of EngineClient, for expressions
 * @param {boolean} [options.frontMatter] false for a text without front matter
 * @returns {Promise<{data: object, html: string, contents: {id: string, title: string}[],
 *   widgets: {tag: string, attributes: object, line: number}[], numerals: {text: string, near: string, section: string, line: number}[],
 *   quotes: {text: string, source: string, line: number}[], terms: {name: string, english: string, html: string, line: number}[],
 *   sources: object[]}>} numerals are the numbers in prose that were typed in; section is the heading's address; terms are the definitions of terms.mjs,
 *   sources the entries of sources.mjs with their lines
 * @throws {LessonError} naming file and line
 */
export async function renderLesson(source, { file, figureFor, engine, frontMatter = true }) {
  const { data, body, offset } = frontMatter ? splitFrontMatter(source, file) : { data: {}, body: source.replace(/\r\n/g, '\n'), offset: 0 };
  const md = createParser();
  const tokens = md.parse(body, {});
  const contents = [];
  const widgets = [];
  const numerals = [];
  const quotes = [];
  const terms = [];
  const sources = [];
  const numbers = engine && new Numbers(engine);
  let line = offset + 1;

  const evaluate = async (expression) => {
    if (!numbers) throw new LessonError(file, line, `no engine computes {{${expression}}}`);
    try {
      const result = await numbers.evaluate(expression);
      if (result.source !== undefined) quotes.push({ text: result.text, source: result.source, line });
      return result;
    } catch (error) {
      throw new LessonError(file, line, `{{${expression}}}: ${error.message}`, { cause: error });
    }
  };

  /** Text with its expressions replaced by what they show. */
  const fill = async (text, opening = '{{', change = (shown) => shown) => {
    let filled = '';
    let at = 0;
    for (let from = text.indexOf(opening); from >= 0; from = text.indexOf(opening, at)) {
      const end = findExpressionEnd(text, from);
      if (end < 0) throw new LessonError(file, line, `{{ is not closed: ${text.slice(from, from + 40)}`);
      filled += text.slice(at, from) + change((await evaluate(text.slice(from + 2, end - 2))).text);
      at = end;
    }
    return filled + text.slice(at);
  };

  const fillAttributes = async (attributes) => {
    for (const [name, value] of Object.entries(attributes)) attributes[name] = await fill(value);
    return attributes;
  };

  const setMath = async (token, displayMode) => {
    const tex = await fill(token.content, '{{ ', (shown) => shown.replace(/[%#&_$]/g, '\\$&').replaceAll(',', '{,}'));
    try {
      token.meta = { html: toMathml(tex, displayMode) };
    } catch (error) {
      throw new LessonError(file, line, `formula ${tex}: ${error.message}`, { cause: error });
    }
  };

  const listNumerals = (text) => {
    for (const { 0: found, index } of text.matchAll(/\d[\d.,]*\d|\d/g)) {
      const near = text.slice(Math.max(0, index - 12), index + found.length + 12);
      numerals.push({ text: found, near, section: contents.at(-1)?.id ?? '', line });
    }
  };

  const readInline = async (children) => {
    for (const child of children) {
      if (child.type === 'softbreak' || child.type === 'hardbreak') line += 1;
      else if (child.type === 'inline_math') await setMath(child, false);
      else if (child.type === 'html_inline') child.content = await fill(child.content);
      else if (child.type === 'expression') {
        const result = await evaluate(child.content);
        child.meta = { html: markUp(result) };
        line += child.content.split('\n').length - 1;
        child.content = result.text;
      } else if (child.type === 'text') listNumerals(child.content);
    }
    keepPunctuation(children);
  };

  for (const [i, token] of tokens.entries()) {
    if (token.map) line = token.map[0] + offset + 1;
    if (token.type === 'display_math') await setMath(token, true);
    else if (token.type === 'fence' || token.type === 'code_block' || token.type === 'html_block') token.content = await fill(token.content);

    if (token.type === 'heading_open' && token.tag === 'h2') {
      const last = tokens[i + 1].children.at(-1);
      const match = /^(.*?)\s*\{#([a-z][a-z0-9-]*)\}$/.exec(last?.content ?? '');
      if (!match) throw new LessonError(file, line, 'a heading needs a lasting address: write "## Title {#name}"');
      last.content = match[1];
      token.attrSet('id', match[2]);
      contents.push({ id: match[2], title: '' });
    }
    if (token.type === 'term_open') {
      try {
        markTerm(tokens, i);
      } catch (error) {
        throw new LessonError(file, line, error.message, { cause: error });
      }
    }
    if (token.children) {
      await readInline(token.children);
      const isHeading = tokens[i - 1]?.type === 'heading_open' && tokens[i - 1].tag === 'h2';
      if (isHeading) contents.at(-1).title = token.children.map((child) => child.content).join('');
      const write = () => md.renderer.renderInline(token.children, md.options, {});
      if (tokens[i - 1]?.type === 'term_open') {
        if (!write().replace(/<[^>]*>/g, '').endsWith('。')) throw new LessonError(file, line, 'a term is defined in one sentence, which ends with 。');
        terms.push({ ...tokens[i - 1].meta, html: write(), line });
      }
      if (contents.at(-1)?.id === 'sources' && tokens[i - 2]?.type === 'list_item_open') {
        try {
          sources.push({ ...readSource(write()), line });
        } catch (error) {
          throw new LessonError(file, line, error.message, { cause: error });
        }
      }
      // A paragraph of nothing but names and checks leaves no trace.
      const bare = token.children.every(({ type, meta, content }) => type === 'softbreak' || (type === 'expression' && !meta.html) || (type === 'text' && !content.trim()));
      if (bare && token.children.some(({ type }) => type === 'expression') && tokens[i - 1].type === 'paragraph_open') {
        token.children = [];
        for (const tag of [tokens[i - 1], tokens[i + 1]]) tag.hidden = true;
      }
    }

    if (token.type === 'check_open') {
      const { fault, attributes } = token.meta;
      if (fault) throw new LessonError(file, line, fault);
      await fillAttributes(attributes);
      widgets.push({ tag: 'glassbox-check', attributes, line });
      const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
      token.meta.html = `<glassbox-check${written.join('')}>`;
    }
    if (token.type === 'check_computed') {
      const { attributes } = widgets.at(-1);
      try {
        token.meta = { html: await figureFor('glassbox-check', attributes) };
      } catch (error) {
        throw new LessonError(file, line, `answer of glassbox-check: ${error.message}`, { cause: error });
      }
    }

    if (token.type === 'widget') {
      const widget = parseWidgetTag(token.content);
      if (!widget) throw new LessonError(file, line, `not a widget tag that can be read: ${token.content}`);
      await fillAttributes(widget.attributes);
      let figure;
      try {
        figure = await figureFor(widget.tag, widget.attributes);
      } catch (error) {
        throw new LessonError(file, line, `first figure of ${widget.tag}: ${error.message}`, { cause: error });
      }
      widgets.push({ ...widget, line });
      const attributes = Object.entries(widget.attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
      token.meta = { html: `<${widget.tag} data-widget${attributes.join('')}>${figure}</${widget.tag}>\n` };
    }
  }
  const stays = tokens.filter(({ type }, i) => !type.startsWith('term_') && tokens[i - 1]?.type !== 'term_open');
  return { data, html: md.renderer.render(stays, md.options, {}), contents, widgets, numerals, quotes, terms, sources };
}
