// What never stands together in a training text, so that a right answer about it can't come from memory.

/** A 32-bit hash of a text (FNV-1a over its UTF-16 code units, then mixed). */
export function hash(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const named = new Set(['小猫 桌子', 'cat table', '小狗 沙发', '小兔 小河', 'dog street', 'rabbit roof']);

/** Whether a pair of an animal and an object, of an item and a container, or of two sentences about a bank is held out: six by name, one in seven of the others. */
export function isHeldOutPair(first, second) {
  const key = `${first} ${second}`;
  return named.has(key) || hash(key) % 7 === 0;
}

/** All pairs of the two lists that are (or are not) held out. */
export function pairsOf(firsts, seconds, heldOut) {
  return firsts.flatMap((a) => seconds.filter((b) => isHeldOutPair(a, b) === heldOut).map((b) => [a, b]));
}

/** Whether two operands are held out: about one in six of the pairs of two-digit numbers, 12 and 35 among them. */
export function areHeldOutOperands(a, b) {
  const hasTwoDigits = (n) => n >= 10 && n <= 99;
  return hasTwoDigits(a) && hasTwoDigits(b) && ((a === 12 && b === 35) || hash(`${a},${b}`) % 6 === 0);
}

/** Whether (owner, thing or relation, value) is held out of the recall texts: about one in seven. */
export function isHeldOutFact(owner, key, value) {
  return hash(`${owner} ${key} ${value}`) % 7 === 0;
}
