import { html } from 'lit';

/**
 * The tokens of a text as a row of buttons, one of them chosen: one tab stop, arrow keys, Home and End move. labels: T names;
 * unread(i): true for tokens that the chosen one can't see. `choose(i)`.
 */
export function tokenRow({ id, name, labels, chosen, unread = () => false, choose }) {
  const last = labels.length - 1;
  const keys = (event) => {
    const next = { ArrowLeft: chosen - 1, ArrowUp: chosen - 1, ArrowRight: chosen + 1, ArrowDown: chosen + 1, Home: 0, End: last }[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const to = Math.min(last, Math.max(0, next));
    event.currentTarget.children[to].focus();
    choose(to);
  };
  return html`<div class="field">
    <span class="label" id=${`${id}-label`}>${name}</span>
    <div class="tokens" id=${id} role="radiogroup" aria-labelledby=${`${id}-label`} @keydown=${keys}>
      ${labels.map(
        (label, i) => html`<button type="button" role="radio" class=${unread(i) ? 'unread' : ''} aria-checked=${i === chosen ? 'true' : 'false'} tabindex=${i === chosen ? '0' : '-1'} @click=${() => choose(i)}><bdi>${label}</bdi><small>${i}</small></button>`,
      )}
    </div>
  </div>`;
}
