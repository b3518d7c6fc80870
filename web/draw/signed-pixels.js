import { signedRgb } from './svg.js';

const steps = 127;

/** A matrix of signed numbers as RGBA pixels, one a number, full colour at ±limit. */
export function signedPixels(data, limit, theme) {
  const shades = new Uint8ClampedArray((2 * steps + 1) * 4);
  for (let i = -steps; i <= steps; i++) shades.set([...signedRgb(i / steps, theme), 255], (i + steps) * 4);
  const colours = new Uint32Array(shades.buffer);
  const pixels = new Uint32Array(data.length);
  for (let i = 0; i < data.length; i++) pixels[i] = colours[Math.round(Math.max(-1, Math.min(1, data[i] / limit || 0)) * steps) + steps];
  return new Uint8ClampedArray(pixels.buffer);
}
