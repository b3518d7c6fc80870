import { html, nothing } from 'lit';
import { fileName, toCsv, toMarkdown } from './export-formats.js';
import { drawPng, saveFile } from './save.js';

/**
 * A Lit controller: a button that opens a menu of the ways in which a figure can be taken along.
 *
 * `exports()` → null while there is nothing to export, else { name, svg(theme), table() → { header, rows }, text?(), latex?() };
 * `theme()` → "light" or "dark"; `copy(text, what)` puts a text on the clipboard; `say(text)` tells the reader what happened.
 */
export class ExportMenu {
  #host;
  #open = false;
  #focusFirst = false;

  constructor(host, { exports, theme, copy, say }) {
    this.#host = host;
    Object.assign(this, { exports, theme, copy, say });
    host.addController(this);
  }

  hostDisconnected() {
    this.#close();
  }

  hostUpdated() {
    if (!this.#focusFirst) return;
    this.#focusFirst = false;
    this.#items()[0]?.focus();
  }

  #items() {
    return [...this.#host.renderRoot.querySelectorAll('#export-menu [role="menuitem"]')];
  }

  #show() {
    this.#open = true;
    this.#focusFirst = true;
    document.addEventListener('pointerdown', this.#onOutside, true);
    this.#host.requestUpdate();
  }

  #close({ focus = false } = {}) {
    if (!this.#open) return;
    this.#open = false;
    document.removeEventListener('pointerdown', this.#onOutside, true);
    this.#host.requestUpdate();
    if (focus) this.#host.renderRoot.querySelector('#export').focus();
  }

  #onOutside = (event) => {
    if (!event.composedPath().includes(this.#host.renderRoot.querySelector('.menu-box'))) this.#close();
  };

  #onKey = (event) => {
    const items = this.#items();
    const at = items.indexOf(this.#host.renderRoot.activeElement);
    const go = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (!this.#open) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      this.#toggle();
    } else if (go !== undefined) {
      event.preventDefault();
      items.at(go % items.length)?.focus();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      this.#close({ focus: true });
    } else if (event.key === 'Tab') this.#close();
  };

  #toggle = () => {
    if (this.#open) this.#close();
    else if (this.exports()) this.#show();
  };

  async #run(action) {
    this.#close({ focus: true });
    const given = this.exports();
    if (!given) return;
    const t = this.#host.t.export;
    const name = fileName(given.name);
    try {
      if (action === 'svg') saveFile(`${name}.svg`, given.svg(this.theme()), 'image/svg+xml');
      if (action === 'png') saveFile(`${name}.png`, await drawPng(given.svg(this.theme())));
      if (action === 'text') saveFile(`${name}.txt`, given.text(), 'text/plain');
      if (action === 'csv') saveFile(`${name}.csv`, toCsv(given.table()), 'text/csv');
      if (action === 'markdown') return await this.copy(toMarkdown(given.table()), t.markdownIs);
      if (action === 'latex') return await this.copy(given.latex(), t.latexIs);
      this.say(t.saved(`${name}.${action === 'text' ? 'txt' : action}`));
    } catch {
      this.say(t.failed);
    }
  }

  render() {
    const t = this.#host.t.export;
    const given = this.exports();
    const actions = ['svg', 'png', 'csv', 'markdown'];
    if (given?.text) actions.push('text');
    if (given?.latex) actions.push('latex');
    return html`<span class="menu-box" @keydown=${this.#onKey}>
      <button
        class="btn quiet"
        id="export"
        type="button"
        aria-haspopup="menu"
        aria-expanded=${this.#open ? 'true' : 'false'}
        aria-disabled=${given ? 'false' : 'true'}
        @click=${this.#toggle}
      >${t.name}</button>
      ${this.#open && given
        ? html`<div class="menu" id="export-menu" role="menu" aria-label=${t.name}>
            ${actions.map((action) => html`<button type="button" role="menuitem" tabindex="-1" data-action=${action} @click=${() => this.#run(action)}>${t[action]}</button>`)}
          </div>`
        : nothing}
    </span>`;
  }
}
