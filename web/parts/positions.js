import { formatCosine } from '../draw/cosine.js';

/** What can be shown of the position table. */
export const positionViews = ['vectors', 'cosines', 'distance'];

/** The distance that is marked until the reader chooses. */
export const usualDistance = 1;

/** → { vectors (P, C), cosines (P, P), byDistance (P) }. */
export async function askPositions(engine, model = 'builtin') {
  const { vectors, cosines, byDistance } = await engine.positions({ model });
  return { vectors, cosines, byDistance };
}

/** What there is to see, in a sentence made of the measured numbers. */
export function positionsSentence({ byDistance }, words) {
  const rows = byDistance.length;
  const d = Math.floor(rows / 2);
  return words.says({ rows, near: formatCosine(byDistance[Math.min(1, rows - 1)]), far: formatCosine(byDistance[d]), d });
}
