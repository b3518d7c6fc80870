// The values of expressions in prose, see numbers.mjs: what kinds there are, what they are called, and how an expression fails.

/** A fault in an expression, or one that does not hold. */
export class ExpressionError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = 'ExpressionError';
  }
}

/** Ends an expression with the reason. */
export const fail = (message) => {
  throw new ExpressionError(message);
};

/** A quoted fact: a number that is not computed here, with where it is from. */
export class Quote {
  constructor(text, source) {
    this.text = text;
    this.source = source;
  }
}

/** What an expression gives that shows nothing. */
export const nothing = Symbol('nothing');

/** A value as faults call it. */
export const name = (value) => {
  if (value === nothing) return 'nothing';
  if (typeof value === 'string') return `"${value}"`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  if (value instanceof Quote) return 'a quoted fact';
  return typeof value === 'object' ? `a record of ${Object.keys(value).join(', ')}` : String(value);
};

/** By each kind of value: whether a value is of it. */
export const kinds = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  count: (value) => Number.isSafeInteger(value) && value >= 0,
  truth: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  numbers: (value) => Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number'),
  matrix: (value) => Array.isArray(value) && value.length > 0 && value.every((row) => kinds.numbers(row)),
  place: (value) => kinds.text(value) || kinds.count(value),
  head: (value) => typeof value === 'object' && Object.hasOwn(value, 'layer') && Object.hasOwn(value, 'head'),
  out: (value) => typeof value === 'string' || kinds.head(value) || (Array.isArray(value) && value.every(kinds.out)),
  function: (value) => typeof value === 'function',
  any: () => true,
};

/** What f gives for each of a list, one after the other. */
export async function valuesOf(list, f) {
  const values = [];
  for (const item of list) values.push(await f(item));
  return values;
}

/** A matrix of the engine as a list of its rows, and such a list as a matrix. */
export const rowsOf = ({ shape: [rows, columns], data }) => Array.from({ length: rows }, (_, i) => Array.from(data.slice(i * columns, (i + 1) * columns)));

export const matrixOf = (rows) => {
  if (rows.some((row) => row.length !== rows[0].length)) fail('rows of a matrix must be of one length');
  return { shape: [rows.length, rows[0].length], data: Float32Array.from(rows.flat()) };
};
