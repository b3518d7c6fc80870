import { EngineError } from './error.js';

async function request(url) {
  let response;
  try {
    response = await fetch(url);
  } catch (error) {
    throw new EngineError('no_file', `${url}: ${error.message}`);
  }
  if (!response.ok) throw new EngineError('no_file', `${url}: ${response.status}`);
  return response;
}

/** All bytes of a file. Throws EngineError `no_file`. */
export async function fetchBytes(url) {
  return readBytes(await request(url), url);
}

async function readBytes(response, url) {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw new EngineError('no_file', `${url}: ${error.message}`);
  }
}

async function fetchText(url) {
  return new TextDecoder().decode(await fetchBytes(url));
}

/** What `fetched` brings of a file that may be missing: null when the server says that it is not there. */
async function ifThere(fetched) {
  try {
    return await fetched;
  } catch (error) {
    if (error.code === 'no_file') return null;
    throw error;
  }
}

/** The pieces of a response as they arrive. A connection that breaks is `no_file`: trying again may help. */
async function* pieces(response, url) {
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw error instanceof EngineError ? error : new EngineError('no_file', `${url}: ${error.message}`);
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * The response's bytes with their number, which must be known before the first: servers that don't say it are read whole. From another
 * host a page can't see whether a response was compressed on its way, which its length counts; `known` is the number from elsewhere.
 */
async function sized(response, url, known) {
  if (response.type === 'cors' && known > 0 && response.body) return { size: known, stream: pieces(response, url) };
  const length = Number(response.headers.get('content-length'));
  const encoded = response.headers.get('content-encoding');
  if (length > 0 && !encoded && response.body) return { size: length, stream: pieces(response, url) };
  const bytes = await readBytes(response, url);
  return { size: bytes.length, stream: [bytes] };
}

function resolve(address, base) {
  try {
    return new URL(address, base);
  } catch {
    throw new EngineError('no_file', `"${address}" is no address`);
  }
}

/** The list of a named model's files. A host may answer with a page of its own for what it does not have. */
async function fetchManifest(url) {
  const text = await fetchText(url);
  try {
    const manifest = JSON.parse(text);
    if (typeof manifest.files === 'object' && typeof manifest.hash === 'string') return manifest;
  } catch {
    // Told below, like a list without files.
  }
  throw new EngineError('no_file', `${url} is no list of a model's files`);
}

/**
 * Opens a model for EngineSession. `builtin` and other plain names are folders in models/ with a manifest.json
 * {hash, files}; anything else is the address of a safetensors file, whose neighbours are looked for. What the page must bring itself
 * (`memory:…`, `saved`) is `not_added`, the message being its name.
 */
export async function openRemoteModel(root, name) {
  if (/^(memory:|saved(:|$))/.test(name)) throw new EngineError('not_added', name);
  const named = /^[a-z0-9][a-z0-9.-]*$/i.test(name) && !name.endsWith('.safetensors');
  const url = named ? resolve(`models/${name}/model.safetensors`, root) : resolve(name, root);
  const manifest = named ? await fetchManifest(new URL('manifest.json', url)) : null;
  const beside = async (file) => {
    if (manifest && !(file in manifest.files)) return null;
    return ifThere(fetchText(resolve(file, url)));
  };
  const bigrams = async () => {
    if (!manifest) return ifThere(fetchBytes(resolve('bigrams.bin', url)));
    return 'bigrams.bin' in manifest.files ? fetchBytes(resolve('bigrams.bin', url)) : null;
  };
  const dictionary = () => beside('dictionary.json');
  const [model, config, vocab, merges, tokenizer] = await Promise.all([
    request(url).then((response) => sized(response, url, manifest?.files['model.safetensors'])),
    beside('config.json'),
    beside('vocab.json'),
    beside('merges.txt'),
    beside('tokenizer.json'),
  ]);
  return { name, hash: manifest?.hash ?? null, ...model, config, vocab, merges, tokenizer, bigrams, dictionary };
}

/** Opens the tokenizer of a folder in models/, without its model. */
export async function openRemoteTokenizer(root, name) {
  const folder = resolve(`models/${name}/`, root);
  const { files, hash } = await fetchManifest(new URL('manifest.json', folder));
  const [vocab, merges] = await Promise.all([
    'vocab.json' in files ? fetchText(new URL('vocab.json', folder)) : null,
    fetchText(new URL('merges.txt', folder)),
  ]);
  return { vocab, merges, hash };
}
