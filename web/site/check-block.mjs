// The block of a predict-then-reveal check in a lesson's Markdown → its parts as markup that stands without a script:
// the question, the options, and the answer folded. The syntax is described in widgets/check.js.

const opening = /^<glassbox-check(?:\s[^<>]*)?>\s*$/;
const closing = /^<\/glassbox-check>\s*$/;

const words = {
  zh: { tag: '先猜再看', reveal: '看答案', answer: '答案：' },
  en: { tag: 'Guess first', reveal: 'Show the answer', answer: 'Answer: ' },
};

const copy = (token) => Object.assign(Object.create(Object.getPrototypeOf(token)), token, {
  children: token.children?.map(copy) ?? null,
  attrs: token.attrs?.map((pair) => [...pair]) ?? null,
});

/** The options of the list in `tokens` from `start` to its end → { end, options: [tokens of one option, …] }. */
function readOptions(tokens, start) {
  const options = [];
  let depth = 0;
  let i = start;
  for (; i < tokens.length; i++) {
    const { type } = tokens[i];
    if (type === 'bullet_list_open' || type === 'ordered_list_open') depth++;
    else if (type === 'bullet_list_close' || type === 'ordered_list_close') {
      depth--;
      if (depth === 0) break;
    } else if (type === 'list_item_open' && depth === 1) options.push([]);
    else if (options.length && !(type === 'list_item_close' && depth === 1)) options.at(-1).push(tokens[i]);
  }
  return { end: i, options };
}

/** Arranges the blocks of a check: question, options, explanation. */
function arrange(state, inner, { answer, value, lang }) {
  const w = words[lang?.startsWith('en') ? 'en' : 'zh'];
  const raw = (content) => {
    const token = new state.Token('check_markup', '', 0);
    token.content = content;
    return token;
  };
  const list = inner.findIndex(({ type }) => type === 'bullet_list_open' || type === 'ordered_list_open');
  const found = list < 0 ? null : readOptions(inner, list);
  let question;
  let why;
  if (found) {
    question = inner.slice(0, list);
    why = inner.slice(found.end + 1);
  } else {
    const end = inner.findIndex(({ type, level }) => type === 'paragraph_close' && level === inner[0].level) + 1;
    question = inner.slice(0, end);
    why = inner.slice(end);
  }
  const options = found?.options ?? [];
  const arranged = [raw(`<p class="check-tag" slot="tag">${w.tag}</p><div class="check-question" slot="question">`), ...question, raw('</div>')];
  // An option is one line; its paragraph's own tags would not be allowed inside a button.
  const line = (tokens) => tokens.filter(({ type }) => type === 'inline');
  options.forEach((option, i) => {
    arranged.push(raw(`<span class="check-option" slot="option-${i + 1}">`), ...line(option), raw('</span>'));
  });
  arranged.push(raw(`<details class="check-answer"><summary>${w.reveal}</summary>`));
  const right = options[Number(answer) - 1];
  if (right) arranged.push(raw(`<p class="check-right">${w.answer}`), ...line(right).map(copy), raw('</p>'));
  else if (value !== undefined) {
    const computed = new state.Token('check_computed', '', 0);
    arranged.push(raw(`<p class="check-right">${w.answer}`), computed, raw('</p>'));
  }
  arranged.push(raw('<div class="check-why" slot="why">'), ...why, raw('</div></details>'));
  return { arranged, options: options.length, hasQuestion: question.length > 0, hasWhy: why.length > 0 };
}

/**
 * Teaches a Markdown parser the block. Its opening token, of type `check_open`, has in `meta` the tag's { attributes }, or a { fault } to be
 * told to the author.
 * parseTag: `<glassbox-check …></glassbox-check>` → { tag, attributes } or null.
 */
export function addCheckBlock(md, parseTag) {
  md.block.ruler.before(
    'widget',
    'check',
    (state, startLine, endLine, silent) => {
      const text = (line) => state.getLines(line, line + 1, state.blkIndent, false).trim();
      if (!opening.test(text(startLine))) return false;
      if (silent) return true;
      let end = startLine + 1;
      while (end < endLine && !closing.test(text(end)) && !opening.test(text(end))) end += 1;
      const open = state.push('check_open', '', 0);
      open.map = [startLine, Math.min(end + 1, endLine)];
      const closed = end < endLine && closing.test(text(end));
      const tag = parseTag(`${text(startLine)}</glassbox-check>`);
      if (!closed || !tag) {
        open.meta = { fault: closed ? `not a tag that can be read: ${text(startLine)}` : 'the line </glassbox-check> is missing' };
        state.line = closed ? end + 1 : endLine;
        return true;
      }
      const first = state.tokens.length;
      const { parentType, lineMax } = state;
      state.parentType = 'root';
      state.lineMax = end;
      state.md.block.tokenize(state, startLine + 1, end);
      state.parentType = parentType;
      state.lineMax = lineMax;
      state.line = end + 1;
      const inner = state.tokens.splice(first);
      const { answer, value } = tag.attributes;
      const { arranged, options, hasQuestion, hasWhy } = inner.length ? arrange(state, inner, tag.attributes) : { arranged: [], options: 0 };
      let fault = null;
      if (!hasQuestion || !hasWhy) fault = 'a check needs a question and an explanation';
      else if (value === undefined && (options < 2 || options > 4)) fault = `a check needs 2 to 4 options, found ${options}`;
      else if (value !== undefined && (options === 1 || options > 4)) fault = `a check with value= needs no options, for a slider, or 2 to 4, found ${options}`;
      else if ((value === undefined) === (answer === undefined)) fault = 'a check has either answer= or value=';
      else if (answer !== undefined && !(Number(answer) >= 1 && Number(answer) <= options)) fault = `answer="${answer}" is not the number of an option`;
      open.meta = fault ? { fault } : { attributes: tag.attributes };
      state.tokens.push(...arranged);
      state.push('check_close', '', 0);
      return true;
    },
    { alt: ['paragraph'] },
  );
  md.renderer.rules.check_markup = (tokens, i) => tokens[i].content;
  md.renderer.rules.check_computed = (tokens, i) => tokens[i].meta.html;
  md.renderer.rules.check_open = (tokens, i) => tokens[i].meta.html;
  md.renderer.rules.check_close = () => '</glassbox-check>\n';
}
