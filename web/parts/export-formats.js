// A table { header: texts, rows: arrays of texts and numbers } as text for other programs; numbers at full precision.

/** A number with as many digits as it takes to read the same one back: those of a float32 when it is one. */
export function exactNumber(x) {
  if (Math.fround(x) !== x || !Number.isFinite(x)) return String(x);
  for (let digits = 1; digits < 10; digits++) {
    const shorter = Number(x.toPrecision(digits));
    if (Math.fround(shorter) === x) return String(shorter);
  }
  return String(x);
}

const entry = (value) => (typeof value === 'number' ? exactNumber(value) : String(value ?? ''));

/** CSV after RFC 4180, with a byte order mark, without which spreadsheets misread Chinese. */
export function toCsv({ header, rows }) {
  const field = (value) => {
    const text = entry(value);
    return /[",\r\n]/.test(text) || /^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `\ufeff${[header, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('')}`;
}

/** A Markdown table; columns of numbers are set to the right. */
export function toMarkdown({ header, rows }) {
  const cell = (value) =>
    entry(value)
      .replace(/[\\|*_`<>[\]&~$]/g, '\\$&')
      .replace(/\s+/g, ' ')
      .trim();
  const line = (cells) => `| ${cells.join(' | ')} |\n`;
  const numeric = header.map((_, i) => rows.length > 0 && rows.every((row) => typeof row[i] === 'number' || row[i] === '' || row[i] === null) && rows.some((row) => typeof row[i] === 'number'));
  return line(header.map(cell)) + line(numeric.map((right) => (right ? '---:' : '---'))) + rows.map((row) => line(row.map(cell))).join('');
}

/** A name for a file: letters of any script, digits, dots and hyphens. */
export const fileName = (name) => name.replace(/[^\p{L}\p{N}.-]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '').slice(0, 80) || 'glassbox';
