// The picture that chats and feeds show beside a link: a head's weights for the home page's sentence, computed like every figure.
import { color, weightRgb } from '../draw/color.js';
import { Picture } from './png.mjs';

const rgb = (name) => [1, 3, 5].map((at) => parseInt(color(name).slice(at, at + 2), 16));
const [paper, sheet, rim, edge, accent] = ['paper', 'surface', 'accent-line', 'rule', 'accent'].map(rgb);
const mix = (from, to, share) => from.map((value, i) => Math.round(value + (to[i] - value) * share));

/**
 * Draws the preview.
 * @param {{shape: number[], data: Float32Array}} weights (T,T) weights of one head, causal
 * @returns {Buffer} a PNG of 1200 × 630 pixels
 */
export function drawPreview({ shape, data }) {
  const tokens = shape[0];
  const picture = new Picture(1200, 630, paper);
  const frame = (x, y, width, height, line, colour, inside) => {
    picture.fill(x, y, width, height, colour);
    picture.fill(x + line, y + line, width - 2 * line, height - 2 * line, inside);
  };
  frame(90, 60, 1020, 510, 2, edge, sheet);
  picture.fill(130, 60, 940, 4, rim);

  const side = 300;
  const cell = 64;
  const left = 150;
  const top = 165;
  frame(left, top, side, side, 14, accent, sheet);
  for (const [row, column, share] of [[0, 0, 1], [1, 0, 0.4], [1, 1, 0.8], [2, 0, 0.9], [2, 1, 0.3], [2, 2, 0.55]]) {
    picture.fill(left + 40 + column * 78, top + 40 + row * 78, cell, cell, mix(sheet, accent, share));
  }

  const pitch = Math.floor(440 / tokens);
  for (let row = 0; row < tokens; row += 1) {
    for (let column = 0; column < tokens; column += 1) {
      const x = 570 + column * pitch;
      const y = 95 + row * pitch;
      if (column > row) picture.fill(x + (pitch >> 1) - 1, y + (pitch >> 1) - 1, 2, 2, edge);
      else frame(x, y, pitch - 2, pitch - 2, 1, edge, weightRgb(data[row * tokens + column]));
    }
  }
  return picture.toPng();
}

/** Size and description, for the page's head. */
export const previewPicture = { width: 1200, height: 630, alt: '玻璃盒：一句话里每个词看别的词的权重，画成一张三角形的网格' };
