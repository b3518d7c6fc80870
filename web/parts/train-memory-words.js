import { decimalBytes } from '../draw/train-memory-figure.js';
import { bytesPerParameter, cardsFor, memoryParts, usedBytes } from './train-memory.js';

/** The bars and the key of the drawing. words: strings of `trainMemory`. */
export function memoryRows({ parameters, scheme, card, words }) {
  const parts = memoryParts(parameters, scheme);
  return {
    rows: [
      { name: `${words.train} · ${words.n(parameters)}`, parts },
      { name: words.use, bytes: usedBytes * parameters },
      { name: card.name, bytes: card.gigabytes * 1e9 },
    ],
    key: parts.map(({ part, each, bytes }) => ({ part, text: words.keyLine(words.parts[part], each, decimalBytes(bytes)) })),
  };
}

/** The sum, whether the card holds it, and what is not counted. */
export function memorySentences({ parameters, scheme, card, words }) {
  const each = bytesPerParameter(scheme);
  const bytes = each * parameters;
  const needed = cardsFor(bytes, card);
  return [
    words.sum(words.n(parameters), each, decimalBytes(bytes)),
    needed > 1 ? words.cardsNeeded(card.name, needed) : words.fits(card.name, decimalBytes(card.gigabytes * 1e9 - bytes)),
    words.without,
  ];
}
