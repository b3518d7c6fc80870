import { arcsFigure } from '../draw/arcs.js';
import { attentionFigure, attentionPairFigure } from '../draw/attention-figure.js';

// Joined tokens are whole characters, so that their labels need no bytes.
const namesOf = ({ side, shape }) => (shape.units ? { tokens: shape.labels } : { tokens: side.tokens, bytes: side.bytes });

const square = ({ size, weights }) => ({ shape: [size, size], data: weights });

const linesOf = ({ labels, weights, size }) => labels.map((label, row) => [label, ...weights.subarray(row * size, (row + 1) * size)]);

/**
 * What glassbox-attention gives to take along, as `exports()` of a widget.
 * drawn: the one or two texts in sight, chosen: the one that the cell is in, each { slot, side, shape, cell }; two: whether there is a second text;
 * arcs: whether they are drawn as arcs; layer, head; note: where the numbers come from; latex() of the cell.
 */
export function attentionExports({ drawn, chosen, two, arcs, layer, head, note, latex }, t) {
  const words = t.attention;
  const where = words.where(layer, head);
  const sideName = (slot) => (slot === 'b' ? words.secondText : words.firstText);
  const place = two ? `${sideName(chosen.slot)} · ${where}` : where;
  const { shape, cell } = chosen;
  const query = shape.toShown(cell)?.row ?? shape.size - 1;
  return {
    name: `attention-l${layer}h${head}`,
    svg: (theme) => {
      if (drawn.length === 2 && !arcs) {
        const sides = drawn.map((one) => ({ ...namesOf(one), weights: square(one.shape), title: `${sideName(one.slot)} · ${where}` }));
        return attentionPairFigure({ sides, note, theme });
      }
      const given = { ...namesOf(chosen), weights: square(shape), note, theme };
      return arcs ? arcsFigure({ ...given, query, title: words.arcsFigure(place, shape.labels[query]) }) : attentionFigure({ ...given, title: words.figure(place) });
    },
    table: () => {
      if (drawn.length === 1) return { header: [words.corner, ...drawn[0].shape.labels], rows: linesOf(drawn[0].shape) };
      // Two texts share their columns, which are then named by their places.
      const most = Math.max(...drawn.map((one) => one.shape.size));
      const filled = (row) => [...row, ...Array(most + 1 - row.length).fill('')];
      return {
        header: [t.text, words.corner, ...Array.from({ length: most }, (_, i) => String(i))],
        rows: drawn.flatMap((one) => linesOf(one.shape).map((row) => [sideName(one.slot), ...filled(row)])),
      };
    },
    ...(cell && { latex }),
  };
}
