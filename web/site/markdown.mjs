// A lesson's Markdown → the parts of its page: front matter, contents, HTML, and the widgets in it.
import MarkdownIt from 'markdown-it';
import katex from 'katex';

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
const UNESCAPED = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** Parses `<glassbox-x a="b"></glassbox-x>` → { tag, attributes }, or null if it isn't just that. */
export function parseWidgetTag(source) {
  const match = TAG.exec(source.trim());
  if (!match) return null;
  const attributes = {};
  for (const [, name, value = ''] of match[2].matchAll(/([a-z][a-z0-9-]*)(?:="([^"]*)")?/g)) {
    attributes[name] = value.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => UNESCAPED[entity]);
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
  md.block.ruler.before('fence', 'display_math', displayMathRule, { alt: ['paragraph'] });
  md.inline.ruler.before('escape', 'inline_math', inlineMathRule);
  md.renderer.rules.inline_math = (tokens, i) => tokens[i].meta.html;
  md.renderer.rules.display_math = (tokens, i) => `<div class="formula">${tokens[i].meta.html}</div>\n`;
  md.renderer.rules.widget = (tokens, i) => tokens[i].meta.html;
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

/**
 * Renders a lesson.
 * @param {string} source the Markdown text with front matter
 * @param {object} options
 * @param {string} options.file name for error messages
 * @param {(tag: string, attributes: object) => Promise<string>} options.figureFor first figure of a widget, as markup
 * @returns {Promise<{data: object, html: string, contents: {id: string, title: string}[], widgets: {tag: string, attributes: object, line: number}[]}>}
 * @throws {LessonError} naming file and line
 */
export async function renderLesson(source, { file, figureFor }) {
  const { data, body, offset } = splitFrontMatter(source, file);
  const md = createParser();
  const tokens = md.parse(body, {});
  const contents = [];
  const widgets = [];
  let line = offset + 1;

  const setMath = (token, displayMode) => {
    try {
      token.meta = { html: toMathml(token.content, displayMode) };
    } catch (error) {
      throw new LessonError(file, line, `formula ${token.content}: ${error.message}`, { cause: error });
    }
  };

  for (const [i, token] of tokens.entries()) {
    if (token.map) line = token.map[0] + offset + 1;
    if (token.type === 'display_math') setMath(token, true);
    for (const child of token.children ?? []) if (child.type === 'inline_math') setMath(child, false);
    if (token.children) keepPunctuation(token.children);

    if (token.type === 'heading_open' && token.tag === 'h2') {
      const last = tokens[i + 1].children.at(-1);
      const match = /^(.*?)\s*\{#([a-z][a-z0-9-]*)\}$/.exec(last?.content ?? '');
      if (!match) throw new LessonError(file, line, 'a heading needs a lasting address: write "## Title {#name}"');
      last.content = match[1];
      token.attrSet('id', match[2]);
      contents.push({ id: match[2], title: tokens[i + 1].children.map((child) => child.content).join('') });
    }

    if (token.type === 'widget') {
      const widget = parseWidgetTag(token.content);
      if (!widget) throw new LessonError(file, line, `not a widget tag that can be read: ${token.content}`);
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
  return { data, html: md.renderer.render(tokens, md.options, {}), contents, widgets };
}
