import { figureId, gridShapes, svgFrame } from './attention-figure.js';
import { color } from './color.js';
import { escapeXml } from './escape.js';
import { heatmapGeometry } from './heatmap.js';

/**
 * The two grids of the hand calculation, side by side or, where `width` px are too few, one below the other, as a standalone SVG string: every word sees every word, and each sees
 * only itself and what came before. labels: n names; full, causal: weights { shape: [n, n], data }.
 * titles: what stands above the two grids.
 */
export function stepsFigure({ labels, full, causal, titles = ['互相都能看', '只能往回看'], theme = 'light', width = 720 }) {
  const geometry = heatmapGeometry({ labels, width: 240, maxCell: 56 });
  const pad = 12;
  const gap = 36;
  const head = 22;
  const beside = 2 * (pad + geometry.width) + gap <= width;
  const second = beside ? { x: pad + geometry.width + gap, y: pad } : { x: pad, y: pad + head + geometry.height + gap / 2 };
  const id = figureId(labels, theme, titles, width, Array.from(full.data), Array.from(causal.data));
  const left = gridShapes({ labels, weights: full, causal: false, geometry, x: pad, y: pad + head, theme, id: `${id}-full` });
  const right = gridShapes({ labels, weights: causal, causal: true, geometry, x: second.x, y: second.y + head, theme, id: `${id}-causal` });
  const heading = (text, x, y) =>
    `<text x="${x + geometry.left}" y="${y + 13}" font-size="14" font-weight="600" fill="${color('ink', theme)}">${escapeXml(text)}</text>`;
  return svgFrame({
    width: second.x + geometry.width + pad,
    height: second.y + head + geometry.height + pad,
    title: `${titles[0]} / ${titles[1]}: ${labels.join(' ')}`,
    defs: left.defs + right.defs,
    body: heading(titles[0], pad, pad) + left.body + heading(titles[1], second.x, second.y) + right.body,
    theme,
  });
}
