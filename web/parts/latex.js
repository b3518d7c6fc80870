// The calculation of one cell as LaTeX, line by line as the panel shows it.

const special = { '\\': '\\textbackslash{}', '{': '\\{', '}': '\\}', $: '\\$', '&': '\\&', '#': '\\#', '%': '\\%', _: '\\_', '~': '\\textasciitilde{}', '^': '\\textasciicircum{}' };

/** A text inside of `\text{}`. */
export const latexText = (text) => `\\text{${text.replace(/[\\{}$&#%_~^]/g, (c) => special[c])}}`;

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A shown number: real minus signs, groups of three and powers of ten as LaTeX has them. */
export const latexNumber = (text) =>
  text
    .replace(/×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g, (_, power) => `\\times 10^{${power.replace(/./gu, (c) => (c === '⁻' ? '-' : raised.indexOf(c)))}}`)
    .replaceAll('−∞', '-\\infty')
    .replaceAll('∞', '\\infty')
    .replaceAll('−', '-')
    .replaceAll(',', '{,}');

const guarded = (text) => (text.startsWith('−') ? `(${latexNumber(text)})` : latexNumber(text));

/**
 * An `aligned` environment for a result of `calculation`. `query` and `key` are the names of row and column; `entry(i, column)` gives the
 * shown entry of value i, for the last line, when the calculation has an output.
 */
export function calculationLatex(sum, { query, key, entry }) {
  const { terms, score, scale, size, chosen, subtract, maximum, row, visible, total, output } = sum;
  const sub = (name, of) => `${name}_{${latexText(of)}}`;
  const lines = [`${sub('q', query)} \\cdot ${sub('k', key)} &= ${terms.map(({ q, k }) => `${guarded(q.text)} \\times ${guarded(k.text)}`).join(' + ')} = ${latexNumber(score.text)}`];
  if (scale) lines.push(`${latexNumber(score.text)} \\div \\sqrt{${size}} &= ${latexNumber(chosen.scaled.text)}`);
  if (chosen.masked) lines.push('\\text{masked} &\\to -\\infty', 'e^{-\\infty} &= 0');
  else {
    if (subtract) lines.push(`${latexNumber(chosen.scaled.text)} - ${guarded(maximum.text)} &= ${latexNumber(chosen.shifted.text)}`);
    lines.push(`e^{${latexNumber(chosen.shifted.text)}} &= ${latexNumber(chosen.exp.text)}`);
  }
  const seen = row.slice(0, visible);
  lines.push(`\\sum_j e^{s_j} &= ${seen.map(({ exp }) => latexNumber(exp.text)).join(' + ')}${seen.length > 1 ? ` = ${latexNumber(total.text)}` : ''}`);
  lines.push(`a &= ${latexNumber(chosen.exp.text)} \\div ${latexNumber(total.text)} = ${latexNumber(chosen.weight.text)}`);
  if (output && entry) {
    const sums = output.map((value, column) => `${seen.map(({ weight }, i) => `${latexNumber(weight.text)} \\times ${guarded(entry(i, column))}`).join(' + ')} = ${latexNumber(value.text)}`);
    sums.forEach((line, i) => lines.push(`z_{${i + 1}} &= ${line}`));
  }
  return `\\begin{aligned}\n${lines.join(' \\\\\n')}\n\\end{aligned}\n`;
}
