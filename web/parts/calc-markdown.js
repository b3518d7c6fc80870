import { toMarkdown } from './export-formats.js';

// In Markdown, brackets around a negative number that follows an operator.
const guarded = (text) => (text.startsWith('−') ? `(${text})` : text);

/**
 * A result of `calculation` as a Markdown table, one step a line as the panel shows them. query, key: names of row and column; entry(i, column)
 * gives the shown entry of value i, for the new vector, when the calculation has an output; t: the strings of the widgets.
 */
export function calculationMarkdown(sum, { query, key, entry }, t) {
  const { terms, score, scale, size, chosen, subtract, maximum, row, visible, total, output } = sum;
  const seen = row.slice(0, visible);
  const rows = [[`${t.calc.dot} q(${query})·k(${key})`, terms.map(({ q, k }) => `${guarded(q.text)}×${guarded(k.text)}`).join(' + '), score.text]];
  rows.push(scale ? [t.calc.scale, `${score.text} ÷ √${size}`, chosen.scaled.text] : [t.calc.noScale, score.text, chosen.scaled.text]);
  if (chosen.masked) rows.push([t.calc.mask, t.calc.maskHow, '−∞'], [t.calc.exp, 'e^(−∞)', '0']);
  else {
    if (subtract) rows.push([t.calc.max, `${chosen.scaled.text} − ${guarded(maximum.text)}`, chosen.shifted.text]);
    rows.push([t.calc.exp, `e^(${chosen.shifted.text})`, chosen.exp.text]);
  }
  rows.push([t.calc.sum, seen.map(({ exp }) => exp.text).join(' + '), total.text], [t.calc.weight, `${chosen.exp.text} ÷ ${total.text}`, chosen.weight.text]);
  output?.forEach((value, column) => {
    rows.push([`${t.calc.vector(query)} ${column + 1}`, seen.map(({ weight }, i) => `${weight.text}×${guarded(entry(i, column))}`).join(' + '), value.text]);
  });
  return toMarkdown({ header: t.calc.stepHeader, rows });
}
