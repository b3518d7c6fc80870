import { html } from 'lit';
import { glyphWidth } from '../draw/label.js';

/**
 * A token's label; before that of a part of a character the drawn character, of which the part's slice stands out between dashed seams.
 * part: as tokenParts gives it, or null.
 */
export function tokenMark(label, part) {
  if (!part) return label;
  const style = `--from:${part.from.toFixed(4)};--to:${part.to.toFixed(4)};--em:${glyphWidth(part.glyph).toFixed(2)}`;
  return html`<span class="slice tint-${(part.part % 3) + 1} ${part.part ? 'seam-left' : ''} ${part.part < part.parts - 1 ? 'seam-right' : ''}" data-glyph=${part.glyph} aria-hidden="true" .style=${style}></span>${label}`;
}
