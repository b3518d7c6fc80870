// The state of a widget in a link and in a tag. Pure: texts in, texts out.

const withoutName = 'without'; // names, by commas, of the page's attributes that the state has not

/** A model that a link may choose: a plain name. A link never makes a page fetch from an address that its writer thought of. */
const modelName = /^[a-z0-9][a-z0-9.-]*$/i;

/**
 * What a link says about the widget `id`.
 * search: the query of an address; known: names of the widget's attributes
 * → { attributes: Map of name → text, or null for one to take away, model: the short hash that its numbers came from, or null }; null when the link says nothing.
 */
export function readLink(search, id, known) {
  const query = new URLSearchParams(search);
  const attributes = new Map();
  for (const name of (query.get(`${id}.${withoutName}`) ?? '').split(',')) if (known.includes(name)) attributes.set(name, null);
  for (const name of known) {
    const text = query.get(`${id}.${name}`);
    if (text !== null && (name !== 'model' || modelName.test(text))) attributes.set(name, text);
  }
  if (attributes.size === 0) return null;
  const model = query.get('m')?.toLowerCase() ?? '';
  return { attributes, model: /^[0-9a-f]{8,64}$/.test(model) ? model.slice(0, 8) : null };
}

/**
 * The address of a page with the state of the widget `id` in its query.
 * attributes: [name, text or null] as they are now; initial: Map of what stands in the page; hash: the model's, if it has one;
 * anchor: whether the page has an element of that id to jump to.
 */
export function writeLink(page, { id, attributes, initial, hash, anchor }) {
  const url = new URL(page);
  for (const name of [...url.searchParams.keys()]) if (name.startsWith(`${id}.`)) url.searchParams.delete(name);
  url.searchParams.delete('m');
  const without = [];
  for (const [name, text] of attributes) {
    if (text !== null) url.searchParams.set(`${id}.${name}`, text);
    else if ((initial.get(name) ?? null) !== null) without.push(name);
  }
  if (without.length) url.searchParams.set(`${id}.${withoutName}`, without.join(','));
  if (hash) url.searchParams.set('m', hash.slice(0, 8));
  url.hash = anchor ? encodeURIComponent(id) : '';
  return url.href;
}

const entities = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;', '\n': '&#10;', '\r': '&#13;', '\t': '&#9;' };
const quote = (text) => `"${text.replace(/[&"<>\n\r\t]/g, (c) => entities[c])}"`;

/** The two lines that show a widget in another page. script: the address of embed.js; attributes: [name, text or null]. */
export function embedCode({ script, tag, attributes }) {
  const written = attributes.filter(([, text]) => text !== null).map(([name, text]) => ` ${name}=${quote(text)}`);
  return `<script type="module" src=${quote(String(script))}></script>\n<${tag}${written.join('')}></${tag}>\n`;
}
