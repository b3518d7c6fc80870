import { weightPixels } from './pixels.js';

/**
 * Paints a grid of weights on a canvas of `side` × `side` device pixels, one even square a cell. Does nothing when the canvas shows it already.
 * `theme` is "light" or "dark"; `masked(row, column)` cells stay empty.
 */
export function paintWeights(canvas, { weights, size, side, theme, masked }) {
  const stamp = `${theme} ${side} ${size}`;
  if (canvas.stamp === stamp && canvas.weights === weights) return;
  canvas.stamp = stamp;
  canvas.weights = weights;
  const small = document.createElement('canvas');
  small.width = size;
  small.height = size;
  small.getContext('2d').putImageData(new ImageData(weightPixels(weights, size, theme, masked), size, size), 0, 0);
  canvas.width = side;
  canvas.height = side;
  const target = canvas.getContext('2d');
  target.imageSmoothingEnabled = side < size;
  target.imageSmoothingQuality = 'high';
  target.drawImage(small, 0, 0, side, side);
}
