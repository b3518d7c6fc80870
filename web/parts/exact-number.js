import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';

/**
 * A box for one number, beside the slider that reaches only some, as a Lit controller. What is being typed stays as it is typed, also where it can't be read: the
 * number before it then counts, and the fault is told. Styled by `exactStyle`.
 *
 * parse(text) → the number, NaN where there is none; take(number): what the widget does with one that was typed or chosen.
 */
export class ExactNumber {
  #host;
  #parse;
  #take;
  #draft = null; // what stands in the box, null where it is the widget's own number

  constructor(host, { parse, take }) {
    this.#host = host;
    this.#parse = parse;
    this.#take = take;
    host.addController(this);
  }

  /** Whether what stands in the box is no number. */
  get wrong() {
    return this.#draft !== null && Number.isNaN(this.#parse(this.#draft));
  }

  /** A number that was chosen by other means than the box. */
  choose(number) {
    this.clear();
    this.#take(number);
  }

  /** The box shows the widget's number again. */
  clear() {
    this.#draft = null;
    this.#host.requestUpdate();
  }

  /** The widget's number is another one: a draft that doesn't mean it is given up. For `willUpdate`. */
  follow(number) {
    if (this.#draft !== null && this.#parse(this.#draft) !== number) this.#draft = null;
  }

  #type(text) {
    this.#draft = text;
    this.#host.requestUpdate();
    const number = this.#parse(text);
    if (!Number.isNaN(number)) this.#take(number);
  }

  render({ id = 'n', name, value, inputmode = 'numeric' }) {
    return html`<div class="field exact">
      <label for=${id}>${name}</label>
      <input
        id=${id}
        class="text"
        inputmode=${inputmode}
        autocomplete="off"
        spellcheck="false"
        .value=${live(this.#draft ?? String(value))}
        aria-invalid=${this.wrong ? 'true' : 'false'}
        aria-describedby=${this.wrong ? 'fault' : nothing}
        @input=${(event) => this.#type(event.target.value)}
      />
    </div>`;
  }

  /** `says`, where what stands in the box is no number. */
  renderFault(says) {
    return this.wrong ? html`<p class="entry-error place" id="fault" role="alert">${says}</p>` : nothing;
  }
}
