import { weightRgb } from './color.js';

const shades = new Map();

function shadesOf(theme) {
  if (!shades.has(theme)) {
    const list = new Uint8ClampedArray(256 * 4);
    for (let i = 0; i < 256; i++) list.set([...weightRgb(i / 255, theme), 255], i * 4);
    shades.set(theme, new Uint32Array(list.buffer));
  }
  return shades.get(theme);
}

/** A grid of weights (size·size, row-major) as RGBA pixels, one a cell; what `masked(row, column)` hides stays transparent. */
export function weightPixels(weights, size, theme, masked = (row, column) => column > row) {
  const list = shadesOf(theme);
  const pixels = new Uint32Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (masked(row, column)) continue;
      const at = row * size + column;
      pixels[at] = list[Math.round(Math.min(1, Math.max(0, weights[at])) * 255)];
    }
  }
  return new Uint8ClampedArray(pixels.buffer);
}
