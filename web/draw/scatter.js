import { glyphWidth } from './label.js';
import { px, textAt } from './svg.js';

// Where a label may stand around its point, the best place first: [direction across, down, anchor]; then the same places farther off.
const places = [
  [1, 0, 'start'],
  [-1, 0, 'end'],
  [0, -1, 'middle'],
  [0, 1, 'middle'],
  [0.8, -0.8, 'start'],
  [0.8, 0.8, 'start'],
  [-0.8, -0.8, 'end'],
  [-0.8, 0.8, 'end'],
];

const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/**
 * Places for the labels of points so that none covers another, a point or the rim. points: [{ x, y, label }] in px, those first in the list
 * come first. → for each { x, y, anchor } of its base line, or null where there is no room.
 */
export function placeLabels(points, { width, height, size = 13, radius = 5 }) {
  const taken = points.map(({ x, y }) => ({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius }));
  return points.map(({ x, y, label }) => {
    const long = glyphWidth(label) * size + 2;
    for (const [across, down, anchor, away] of [...places.map((place) => [...place, 1]), ...places.map((place) => [...place, 1.9])]) {
      const at = { x: x + across * (radius + 3) * away, y: y + size * 0.36 + down * (radius + size * 0.62) * away, anchor };
      const left = anchor === 'start' ? at.x : anchor === 'end' ? at.x - long : at.x - long / 2;
      const box = { left, right: left + long, top: at.y - size * 0.92, bottom: at.y + size * 0.28 };
      if (box.left < 1 || box.right > width - 1 || box.top < 1 || box.bottom > height - 1) continue;
      if (taken.some((other) => overlap(box, other))) continue;
      taken.push(box);
      return at;
    }
    return null;
  });
}

/** Points of a plane fitted into width × height px, both directions on one scale → [{ x, y }]. coordinates: n pairs. */
export function fitPoints(coordinates, { width, height, padding = 26 }) {
  const range = (axis) => {
    const list = coordinates.map((pair) => pair[axis]);
    return [Math.min(...list), Math.max(...list)];
  };
  const [[left, right], [low, high]] = [range(0), range(1)];
  const scale = Math.min((width - 2 * padding) / (right - left || 1), (height - 2 * padding) / (high - low || 1));
  return coordinates.map(([x, y]) => ({ x: width / 2 + (x - (left + right) / 2) * scale, y: height / 2 - (y - (low + high) / 2) * scale }));
}

/**
 * A map of named points. names: n labels; coordinates: n pairs; chosen, pointed: indices or −1; axes: words for both directions.
 * → { body, points: [{ x, y }], unnamed: how many labels found no room }
 */
export function scatterShapes({ names, coordinates, chosen = -1, pointed = -1, axes, width, height, paint }) {
  const base = height - 26;
  const points = fitPoints(coordinates, { width: width - 18, height: base }).map(({ x, y }) => ({ x: x + 18, y }));
  const first = [...points.keys()].sort((a, b) => (b === pointed) - (a === pointed) || (b === chosen) - (a === chosen) || a - b);
  const shift = (i) => ({ x: points[i].x - 18, y: points[i].y, label: names[i] });
  const placed = placeLabels(first.map(shift), { width: width - 18, height: base });
  let unnamed = 0;
  let dots = '';
  let labels = '';
  first.forEach((i, order) => {
    const strong = i === chosen || i === pointed;
    const fill = i === chosen ? 'accent' : 'ink-2';
    dots += `<circle cx="${px(points[i].x)}" cy="${px(points[i].y)}" r="${strong ? 5 : 3.5}" fill="${paint(fill)}"${i === pointed ? ` stroke="${paint('select')}" stroke-width="1.5"` : ''}/>`;
    const at = placed[order];
    if (at) labels += textAt(at.x + 18, at.y, names[i], { size: 13, anchor: at.anchor, weight: strong ? 600 : 400, fill: paint(i === chosen ? 'accent' : 'ink') });
    else unnamed += 1;
  });
  return {
    points,
    unnamed,
    body:
      `<path d="M18 0V${px(base)}H${px(width)}" fill="none" stroke="${paint('rule-control')}"/>` +
      textAt(width, height - 8, axes[0], { size: 12, anchor: 'end', fill: paint('ink-3') }) +
      `<g transform="translate(11 4) rotate(-90)">${textAt(0, 0, axes[1], { size: 12, anchor: 'end', fill: paint('ink-3') })}</g>` +
      dots +
      labels,
  };
}
