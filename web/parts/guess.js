import { html, nothing } from 'lit';
import { formatFixed } from '../draw/number.js';
import { isPartial, tokenLabel } from '../draw/label.js';

/** A probability as a percentage; never rounded to certainty or to nothing. */
export function percent(p) {
  if (p >= 0.9995 && p < 1) return '> 99.9%';
  if (p < 0.0005 && p > 0) return '< 0.1%';
  return `${formatFixed(p * 100, 1)}%`;
}

// A tag such as <|endoftext|> is one token that no text of a reader becomes.
const isTag = (token) => /^<[^<>]+>$/.test(token);

/**
 * The likeliest next tokens as bars, each to be appended to the text. candidates: [{ token, bytes, p }] with probabilities over the whole
 * vocabulary of `vocabulary` tokens. append(token).
 */
export function guessBars({ id, candidates, vocabulary, append, heading }, t) {
  const rest = Math.max(0, 1 - candidates.reduce((sum, { p }) => sum + p, 0));
  const line = ({ token, bytes, p }) => html`<span class="tk">${tokenLabel(token, bytes)}</span><span class="bar"><i .style="--p:${p.toFixed(4)}"></i></span><span class="value">${percent(p)}</span>`;
  return html`<div class="guess" role="group" aria-labelledby=${id}>
    <p class="subtitle" id=${id}>${heading}</p>
    <ol>
      ${candidates.map((one) =>
        isPartial(one.bytes) || isTag(one.token)
          ? html`<li class="fixed" title=${t.attention.noAppend}>${line(one)}</li>`
          : html`<li><button type="button" title=${t.attention.append(tokenLabel(one.token, one.bytes), percent(one.p))} @click=${() => append(one.token)}>${line(one)}</button></li>`,
      )}
      ${vocabulary > candidates.length
        ? html`<li class="rest fixed"><span class="tk">${t.attention.rest(vocabulary - candidates.length)}</span><span class="bar"><i .style="--p:${rest.toFixed(4)}"></i></span><span class="value">${percent(rest)}</span></li>`
        : nothing}
    </ol>
  </div>`;
}
