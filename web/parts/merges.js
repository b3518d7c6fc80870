// Merges replayed: the pieces of a text at any moment between its bytes and its tokens.

/**
 * The pieces of a text after `step` of its merges → [{id, bytes, from: the first byte's place, fresh: made by the last merge}].
 * asked: what EngineClient's tokenize gives with steps.
 */
export function piecesAfter({ bytes, byteIds, steps }, step) {
  const pieces = bytes.flat().map((byte, from) => ({ id: byteIds[byte], bytes: [byte], from }));
  for (const [i, { place, count, pair, id }] of steps.slice(0, step).entries()) {
    let left = count;
    for (let at = place; left > 0 && at + 1 < pieces.length; at += 1) {
      if (pieces[at].id !== pair[0] || pieces[at + 1].id !== pair[1]) continue;
      const joined = { id, bytes: [...pieces[at].bytes, ...pieces[at + 1].bytes], from: pieces[at].from };
      if (i === step - 1) joined.fresh = true;
      pieces.splice(at, 2, joined);
      left -= 1;
    }
  }
  return pieces;
}

/**
 * How each token was merged → a node for each token, { id, from, to: its bytes' places, rank, step: of the merge that made
 * it, parts: [left, right] }, a byte has no rank, step and parts. asked: what EngineClient's tokenize gives with steps.
 */
export function mergeTree({ bytes, byteIds, steps }) {
  const nodes = bytes.flat().map((byte, from) => ({ id: byteIds[byte], from, to: from + 1 }));
  for (const [step, { place, count, pair, id, rank }] of steps.entries()) {
    let left = count;
    for (let at = place; left > 0 && at + 1 < nodes.length; at += 1) {
      const parts = [nodes[at], nodes[at + 1]];
      if (parts[0].id !== pair[0] || parts[1].id !== pair[1]) continue;
      nodes.splice(at, 2, { id, from: parts[0].from, to: parts[1].to, rank, step, parts });
      left -= 1;
    }
  }
  return nodes;
}

/**
 * The pieces of the beginning of a text after `step` learned merges, as piecesAfter gives them. learned: what EngineClient's learnBpe gives, with
 * `utf8`, the bytes of the text or of its beginning: only words that lie in them whole, or the beginning of the first.
 */
export function learnedPieces({ utf8, words, bytes, merges }, step) {
  const idOf = new Map(bytes.map((byte, id) => [byte, id]));
  const known = new Map(); // pieces of words that stand there more than once
  const pieces = [];
  let at = 0;
  for (const length of words) {
    const end = at + length;
    if (end > utf8.length && at > 0) break;
    const own = utf8.slice(at, end);
    const key = own.join();
    if (!known.has(key)) {
      let word = Array.from(own, (byte, i) => ({ id: idOf.get(byte), bytes: [byte], from: i }));
      for (let rank = 0; rank < step && word.length > 1; rank += 1) word = join(word, merges[rank], rank === step - 1);
      known.set(key, word);
    }
    const start = at;
    pieces.push(...known.get(key).map((piece) => ({ ...piece, from: start + piece.from })));
    at = end;
  }
  return pieces;
}

/** A word with each pair of a merge joined, from left to right. */
function join(word, { pair, id }, fresh) {
  const joined = [];
  for (let i = 0; i < word.length; i += 1) {
    const next = word[i + 1];
    if (next && word[i].id === pair[0] && next.id === pair[1]) {
      joined.push({ id, bytes: [...word[i].bytes, ...next.bytes], from: word[i].from, fresh });
      i += 1;
    } else joined.push(word[i]);
  }
  return joined;
}
