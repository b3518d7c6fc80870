const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const mostJoined = 12; // tokens that are tried together until their bytes are whole characters

// Letters and digits of scripts that part words by blanks; Chinese and Japanese characters stand for themselves.
const inWord = '(?![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}])[\\p{L}\\p{N}]';
const startsInWord = new RegExp(`^(?:${inWord}|['’]${inWord})`, 'u');
const endsInWord = new RegExp(`${inWord}['’]?$`, 'u');
const belongsBefore = /^[\p{M}\u200d\ufe0f]/u; // marks that sit on the character before them
const joinsNext = /\u200d$/u;

function decode(bytes) {
  try {
    return strict.decode(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}

/** Tokens joined until they are whole characters → [{ start, end, text }]; text is null where the bytes never become any. */
function wholeCharacters(bytes) {
  const runs = [];
  for (let start = 0; start < bytes.length; ) {
    let joined = [];
    let end = start;
    let text = null;
    while (text === null && end < bytes.length && end - start < mostJoined) {
      joined = joined.concat(Array.from(bytes[end]));
      end += 1;
      text = decode(joined);
    }
    if (text === null) end = start + 1;
    runs.push({ start, end, text });
    start = end;
  }
  return runs;
}

/**
 * For each token that is a part of a character: { glyph, from, to, part, parts }, the share from … to of the drawn `glyph` that its bytes
 * stand for, and the how manieth of how many parts it is, from 0. null for whole tokens and for bytes that are no character.
 */
export function tokenParts(bytes) {
  const list = Array(bytes.length).fill(null);
  for (const { start, end, text } of wholeCharacters(bytes)) {
    if (end - start < 2 || text === null) continue;
    const total = bytes.slice(start, end).reduce((sum, piece) => sum + piece.length, 0);
    let from = 0;
    for (let i = start; i < end; i++) {
      const to = from + bytes[i].length;
      list[i] = { glyph: text, from: from / total, to: to / total, part: i - start, parts: end - start };
      from = to;
    }
  }
  return list;
}

/**
 * Tokens joined to what a reader takes for one: parts of a character to the character, parts of a word that blanks part from others (as in
 * English) to the word. → [{ start, end, text }], tokens start … end−1; text is null for bytes that are no character.
 */
export function tokenUnits(bytes) {
  const units = [];
  for (const run of wholeCharacters(bytes)) {
    const last = units[units.length - 1];
    const joins = last && last.text !== null && run.text !== null && (belongsBefore.test(run.text) || joinsNext.test(last.text) || (endsInWord.test(last.text) && startsInWord.test(run.text)));
    if (joins) {
      last.end = run.end;
      last.text += run.text;
    } else units.push({ ...run });
  }
  return units;
}

/**
 * Attention weights (n·n, row-major) of tokens summed to units: the columns of a unit are added, and of its rows the last counts, the one that
 * has read the whole unit. Each row still adds up to what its last token's row did.
 */
export function mergeWeights(weights, size, units) {
  const merged = new Float32Array(units.length * units.length);
  units.forEach(({ end }, row) => {
    const line = (end - 1) * size;
    units.forEach((unit, column) => {
      let sum = 0;
      for (let i = unit.start; i < unit.end; i++) sum += weights[line + i];
      merged[row * units.length + column] = sum;
    });
  });
  return merged;
}
