// Which model a figure shows: the built-in one, the one that the reader trained, or a file of theirs.
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { formatBytes } from '../draw/bytes.js';
import { sharedEngine } from '../engine/client.js';
import { listTrainings } from '../engine/saved.js';
import { errorSentence } from '../i18n/index.js';

const mostBytes = 700e6; // of a model file

/** Files that were opened in this tab, by the names that the engine gave them. */
const files = new Map();

/**
 * A Lit controller for a widget with a `model`: a list to choose from, a file that is chosen or dropped on the figure. A file that can't be used is told in place, and the model
 * from before stays.
 */
export class ModelChoice {
  #host;
  #hasSaved = false;
  #fault = null;
  #reading = false;
  #over = false;

  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected() {
    this.#host.addEventListener('dragover', this.#drag);
    this.#host.addEventListener('dragleave', this.#dragEnd);
    this.#host.addEventListener('drop', this.#drop);
    listTrainings().then(
      ({ length }) => {
        this.#hasSaved = length > 0;
        this.#host.requestUpdate();
      },
      () => {}, // without storage there is none to choose
    );
  }

  hostDisconnected() {
    this.#host.removeEventListener('dragover', this.#drag);
    this.#host.removeEventListener('dragleave', this.#dragEnd);
    this.#host.removeEventListener('drop', this.#drop);
  }

  #drag = (event) => {
    if (![...(event.dataTransfer?.types ?? [])].includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    this.#setOver(true);
  };

  #dragEnd = () => this.#setOver(false);

  #setOver(over) {
    if (over === this.#over) return;
    this.#over = over;
    this.#host.requestUpdate();
  }

  #drop = (event) => {
    this.#setOver(false);
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    this.#take(file);
  };

  #chosen = (event) => {
    const { value } = event.target;
    if (value === 'file') {
      // The list shows what is in use until a file is open.
      event.target.value = this.#host.model || 'builtin';
      this.#host.renderRoot.querySelector('#model-file').click();
      return;
    }
    this.#fault = null;
    this.#host.model = value === 'builtin' ? null : value;
    this.#host.requestUpdate();
  };

  #fileChosen = (event) => {
    const [file] = event.target.files;
    event.target.value = '';
    if (file) this.#take(file);
  };

  async #take(file) {
    const engine = sharedEngine();
    const words = this.#host.t.modelChoice;
    this.#fault = null;
    this.#reading = true;
    this.#host.requestUpdate();
    let name = null;
    try {
      if (file.size > mostBytes) throw Object.assign(new Error('too large'), { says: words.errors.too_large(formatBytes(mostBytes)) });
      let bytes;
      try {
        bytes = new Uint8Array(await file.arrayBuffer());
      } catch {
        throw Object.assign(new Error('unreadable'), { says: words.errors.unreadable });
      }
      ({ name } = await engine.addModel(bytes));
      const { hasTokenizer } = await engine.load(name);
      if (!hasTokenizer) throw Object.assign(new Error('no tokenizer'), { code: 'no_tokenizer' });
      files.set(name, file.name);
      this.#host.model = name;
    } catch (error) {
      if (name && name !== this.#host.model) await engine.removeModel(name);
      const code = error?.code ?? 'unknown';
      this.#fault = `${error.says ?? words.errors[code] ?? errorSentence(code, this.#host.language)}${this.#host.language === 'zh' ? '' : ' '}${words.kept}`;
    }
    this.#reading = false;
    this.#host.requestUpdate();
  }

  /** The list, with the hidden chooser of files. */
  render() {
    const words = this.#host.t.modelChoice;
    const now = this.#host.model || 'builtin';
    const options = [['builtin', words.builtin]];
    if (this.#hasSaved || now === 'saved') options.push(['saved', words.saved]);
    if (!options.some(([value]) => value === now)) options.push([now, files.has(now) ? words.fileName(files.get(now)) : now]);
    options.push(['file', words.file]);
    return html`<div class="field model-choice">
      <label for="model">${words.name}</label>
      <select class="text" id="model" .value=${live(now)} @change=${this.#chosen}>
        ${options.map(([value, name]) => html`<option value=${value} ?selected=${value === now}>${name}</option>`)}
      </select>
      <input id="model-file" type="file" accept=".safetensors" hidden @change=${this.#fileChosen} />
    </div>`;
  }

  /** What is to be said about a file: that it is being read, may be dropped, or can't be used. */
  renderSays() {
    const words = this.#host.t.modelChoice;
    if (this.#over) return html`<div class="notes drop-here"><p>${words.drop}</p></div>`;
    if (this.#reading) return html`<div class="notes" role="status"><p>${words.reading}</p></div>`;
    return this.#fault ? html`<div class="notes model-fault" id="model-fault" role="alert"><p>${this.#fault}</p></div>` : nothing;
  }
}
