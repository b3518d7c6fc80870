// Numbers in prose: `{{ p("Thank you very", " much") | 3 }}` in a lesson's Markdown is computed by the engine when the site is built.
//
// The language. Values are numbers, texts, true and false, lists, heads of the model, and records such as { token, p }.
//   "text" 'text' 1.5 [1, 2]        literals
//   a + b  a - b  a * b  a / b  a ^ b  -a
//   a == b  a != b  a < b  a <= b  a > b  a >= b  a and b  a or b  not a    two values of one kind; nothing is converted
//   f(a, b)  list[0]  record.field  x => expression
//   let name = expression           shows nothing; the name may be used from there on, on the same page
//   expression | FORMAT             how it is shown:
//     3           as a number with 3 decimals             digits 3    to 3 significant digits
//     percent 1   as a percentage with 1 decimal          thousands   as a whole number, 10,000
//     chance      as a percentage with 1 decimal, "> 99.9%" and "< 0.1%" where it would read as certain or impossible
// A whole number and a text may stand without a format. A format that would show a number as 0 or 1 (0 %, 100 %) which is not
// exactly that, is refused: "0.00" would be read as nothing at all.
//
// The functions are listed by topic, with what they take and give, in the libraries that `library` below joins.

import { agentLibrary } from './agent-numbers.mjs';
import { attentionLibrary } from './attention-numbers.mjs';
import { contextLibrary } from './context-numbers.mjs';
import { embeddingLibrary } from './embedding-numbers.mjs';
import { parseStatement } from './expression.mjs';
import { guessLibrary } from './guess-numbers.mjs';
import { headLibrary } from './head-numbers.mjs';
import { show } from './number-formats.mjs';
import { ExpressionError, fail, kinds, name, nothing, Quote, valuesOf } from './number-values.mjs';
import { plainLibrary } from './plain-numbers.mjs';
import { scalingLibrary } from './scaling-numbers.mjs';
import { tokenLibrary } from './token-numbers.mjs';
import { trainingLibrary } from './training-numbers.mjs';
import { transformerLibrary } from './transformer-numbers.mjs';

export { findExpressionEnd } from './expression.mjs';
export { ExpressionError } from './number-values.mjs';

/** What an expression may call: by name [the kinds of its arguments, a ? for those that may be left out; f(engine, ...arguments), which may be async]. */
const library = {
  ...plainLibrary,
  ...tokenLibrary,
  ...guessLibrary,
  ...headLibrary,
  ...attentionLibrary,
  ...embeddingLibrary,
  ...transformerLibrary,
  ...contextLibrary,
  ...agentLibrary,
  ...trainingLibrary,
  ...scalingLibrary,
};

/** The functions that an expression may call. */
export const functionNames = Object.keys(library);

const same = (symbol, a, b) => {
  if (typeof a !== typeof b || !['number', 'string', 'boolean'].includes(typeof a)) fail(`${name(a)} and ${name(b)} can't be compared`);
  if (symbol === '==') return a === b;
  if (symbol === '!=') return a !== b;
  if (typeof a !== 'number') fail(`${symbol} compares numbers, not ${name(a)}`);
  return { '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b }[symbol];
};

/** The expressions of one page: names given by `let` hold from there on. */
export class Numbers {
  #engine;
  #names = new Map();

  /** engine: with the methods of EngineClient. */
  constructor(engine) {
    this.#engine = engine;
  }

  /**
   * Evaluates what stands between the braces.
   * @returns {Promise<{text: string, value?: number, source?: string}>} the text to show, empty for let and check; the value of a
   *   number in full; the source of a quoted fact
   * @throws {ExpressionError} when it can't be read or computed, does not hold, or its format would mislead
   */
  async evaluate(source) {
    const statement = parseStatement(source);
    const value = await this.#value(statement.value, this.#names);
    if (statement.let) {
      if (Object.hasOwn(library, statement.let) || ['true', 'false', 'and', 'or', 'not', 'let'].includes(statement.let)) fail(`${statement.let} has a meaning already`);
      if (value === nothing) fail('there is nothing to name');
      this.#names.set(statement.let, value);
      return { text: '' };
    }
    if (value === nothing) return { text: '' };
    if (value instanceof Quote) return { text: value.text, source: value.source };
    const text = show(value, statement.format);
    return typeof value === 'number' ? { text, value } : { text };
  }

  async #value(node, names) {
    switch (node.kind) {
      case 'value':
        return node.value;
      case 'list':
        return valuesOf(node.items, (item) => this.#value(item, names));
      case 'name':
        if (names.has(node.name)) return names.get(node.name);
        if (node.name === 'true' || node.name === 'false') return node.name === 'true';
        return fail(`${node.name} is not defined`);
      case 'function':
        return (argument) => this.#value(node.body, new Map(names).set(node.parameter, argument));
      case 'field': {
        const record = await this.#value(node.of, names);
        if (record === null || typeof record !== 'object' || Array.isArray(record) || !Object.hasOwn(record, node.name)) fail(`there is no ${node.name} in ${name(record)}`);
        return record[node.name];
      }
      case 'item': {
        const list = await this.#value(node.of, names);
        const index = await this.#value(node.index, names);
        if (!Array.isArray(list)) fail(`${name(list)} has no items`);
        if (!kinds.count(index) || index >= list.length) fail(`a list of ${list.length} has no item ${name(index)}`);
        return list[index];
      }
      case 'not': {
        const value = await this.#value(node.of, names);
        return typeof value === 'boolean' ? !value : fail(`not wants true or false, got ${name(value)}`);
      }
      case 'minus': {
        const value = await this.#value(node.of, names);
        return typeof value === 'number' ? -value : fail(`${name(value)} is no number`);
      }
      case 'binary':
        return this.#binary(node, names);
      default:
        return this.#call(node, names);
    }
  }

  async #binary({ symbol, left, right }, names) {
    const a = await this.#value(left, names);
    if (symbol === 'and' || symbol === 'or') {
      if (typeof a !== 'boolean') fail(`${symbol} wants true or false, got ${name(a)}`);
      if (a === (symbol === 'or')) return a;
      const b = await this.#value(right, names);
      return typeof b === 'boolean' ? b : fail(`${symbol} wants true or false, got ${name(b)}`);
    }
    const b = await this.#value(right, names);
    if (['==', '!=', '<', '<=', '>', '>='].includes(symbol)) return same(symbol, a, b);
    for (const value of [a, b]) if (typeof value !== 'number') fail(`${symbol} wants numbers, got ${name(value)}`);
    return { '+': a + b, '-': a - b, '*': a * b, '/': a / b, '^': a ** b }[symbol];
  }

  async #call({ name: called, of }, names) {
    if (!Object.hasOwn(library, called)) fail(`no function is called ${called}; there are ${functionNames.join(', ')}`);
    const [wanted, run] = library[called];
    const given = await valuesOf(of, (argument) => this.#value(argument, names));
    const needed = wanted.filter((kind) => !kind.endsWith('?')).length;
    if (given.length < needed || given.length > wanted.length) fail(`${called} takes ${needed === wanted.length ? needed : `${needed} to ${wanted.length}`} values, got ${given.length}`);
    given.forEach((value, i) => {
      const kind = wanted[i].replace('?', '');
      if (value === nothing || !kinds[kind](value)) fail(`${called}: value ${i + 1} must be a ${kind}, got ${name(value)}`);
    });
    try {
      return await run(this.#engine, ...given);
    } catch (error) {
      throw error instanceof ExpressionError ? error : new ExpressionError(`${called}: ${error.message}`, { cause: error });
    }
  }
}
