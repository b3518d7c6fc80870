// The language of expressions in prose, which numbers.mjs describes: from text to tree.
import { formats } from './number-formats.mjs';
import { fail } from './number-values.mjs';

const SYMBOLS = ['=>', '==', '!=', '<=', '>=', '<', '>', '+', '-', '*', '/', '^', '(', ')', '[', ']', ',', '.', '|', '='];

function splitWords(source) {
  const words = [];
  let at = 0;
  while (at < source.length) {
    const rest = source.slice(at);
    const space = /^\s+/.exec(rest);
    if (space) {
      at += space[0].length;
      continue;
    }
    const number = /^\d+(?:\.\d+)?/.exec(rest);
    const name = /^[A-Za-z_]\w*/.exec(rest);
    const text = /^(?:"[^"]*"|'[^']*')/.exec(rest);
    const symbol = SYMBOLS.find((candidate) => rest.startsWith(candidate));
    if (number) words.push({ kind: 'number', text: number[0], value: Number(number[0]) });
    else if (name) words.push({ kind: 'name', text: name[0] });
    else if (text) words.push({ kind: 'text', text: text[0], value: text[0].slice(1, -1) });
    else if (symbol) words.push({ kind: 'symbol', text: symbol });
    else fail(`"${rest[0]}" is not understood`);
    at += (number ?? name ?? text ?? [symbol])[0].length;
  }
  return words;
}

class Parser {
  #words;
  #at = 0;

  constructor(source) {
    this.#words = splitWords(source);
  }

  #is(text, ahead = 0) {
    const word = this.#words[this.#at + ahead];
    return word !== undefined && word.kind !== 'text' && word.text === text;
  }

  #take(...texts) {
    for (const text of texts) {
      if (this.#is(text)) {
        this.#at += 1;
        return text;
      }
    }
    return null;
  }

  #expect(text) {
    if (!this.#take(text)) fail(`expected "${text}" ${this.#where()}`);
  }

  #name() {
    const word = this.#words[this.#at];
    if (word?.kind !== 'name') fail(`expected a name ${this.#where()}`);
    this.#at += 1;
    return word.text;
  }

  #where() {
    const word = this.#words[this.#at];
    return word ? `before ${word.text}` : 'at the end';
  }

  statement() {
    if (this.#is('let') && this.#words[this.#at + 1]?.kind === 'name') {
      this.#at += 1;
      const name = this.#name();
      this.#expect('=');
      return this.#end({ let: name, value: this.#expression() });
    }
    const value = this.#expression();
    return this.#end({ value, format: this.#take('|') ? this.#format() : null });
  }

  #end(result) {
    if (this.#at < this.#words.length) fail(`did not expect anything ${this.#where()}`);
    return result;
  }

  #format() {
    const word = this.#words[this.#at];
    const count = (fallback) => {
      const next = this.#words[this.#at];
      if (next?.kind !== 'number') return fallback;
      this.#at += 1;
      return Number.isInteger(next.value) && next.value <= 12 ? next.value : fail(`a format takes a whole number up to 12, not ${next.text}`);
    };
    if (word?.kind === 'number') return { name: 'decimals', count: count() };
    const name = this.#name();
    if (!Object.hasOwn(formats, name)) fail(`no format is called ${name}; there are a number of decimals, ${Object.keys(formats).slice(1).join(', ')}`);
    return { name, count: count(formats[name].fallback) };
  }

  #expression() {
    if (this.#words[this.#at]?.kind === 'name' && this.#is('=>', 1)) {
      const parameter = this.#name();
      this.#expect('=>');
      return { kind: 'function', parameter, body: this.#expression() };
    }
    return this.#binary(0);
  }

  #binary(level) {
    const LEVELS = [['or'], ['and'], ['==', '!=', '<=', '>=', '<', '>'], ['+', '-'], ['*', '/']];
    if (level === 2 && this.#take('not')) return { kind: 'not', of: this.#binary(2) };
    if (level === LEVELS.length) return this.#unary();
    let left = this.#binary(level + 1);
    for (let symbol = this.#take(...LEVELS[level]); symbol; symbol = this.#take(...LEVELS[level])) {
      left = { kind: 'binary', symbol, left, right: this.#binary(level + 1) };
      if (level === 2) break;
    }
    return left;
  }

  #unary() {
    if (this.#take('-')) return { kind: 'minus', of: this.#unary() };
    const base = this.#postfix();
    return this.#take('^') ? { kind: 'binary', symbol: '^', left: base, right: this.#unary() } : base;
  }

  #postfix() {
    let value = this.#primary();
    for (;;) {
      if (this.#take('.')) value = { kind: 'field', of: value, name: this.#name() };
      else if (this.#take('[')) {
        value = { kind: 'item', of: value, index: this.#expression() };
        this.#expect(']');
      } else return value;
    }
  }

  #list(end) {
    const items = [];
    if (this.#take(end)) return items;
    do items.push(this.#expression()); while (this.#take(','));
    this.#expect(end);
    return items;
  }

  #primary() {
    const word = this.#words[this.#at];
    if (word?.kind === 'number' || word?.kind === 'text') {
      this.#at += 1;
      return { kind: 'value', value: word.value };
    }
    if (this.#take('(')) {
      const inner = this.#expression();
      this.#expect(')');
      return inner;
    }
    if (this.#take('[')) return { kind: 'list', items: this.#list(']') };
    if (word?.kind !== 'name') fail(`expected a value ${this.#where()}`);
    const name = this.#name();
    return this.#take('(') ? { kind: 'call', name, of: this.#list(')') } : { kind: 'name', name };
  }
}

/** A statement as a tree: { let, value } or { value, format: { name, count } or null }; each node has its `kind`. Throws ExpressionError. */
export const parseStatement = (source) => new Parser(source).statement();

/**
 * The end of the expression that begins with `{{` at `from`: the index just behind its `}}`, or -1. Braces in texts don't count.
 */
export function findExpressionEnd(source, from) {
  let quote = '';
  for (let i = from + 2; i < source.length; i += 1) {
    if (quote) quote = source[i] === quote ? '' : quote;
    else if (source[i] === '"' || source[i] === "'") quote = source[i];
    else if (source.startsWith('}}', i)) return i + 2;
  }
  return -1;
}
