#!/usr/bin/env node
// Serves a folder of static files, for reading and for tests. Not a server for the open internet.
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, extname, join, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
};

/** A policy with nothing inline and nothing from elsewhere; the site must work under it. Exported pictures are made in the page, hence data: and blob: images. */
export const strictPolicy =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'";

async function find(folder, urlPath) {
  const path = decodeURIComponent(urlPath);
  if (path.includes('\0') || path.includes('\\')) return null;
  // A link inside the folder that points out of it is refused as well, hence the real path.
  const found = await realpath(join(folder, path));
  if (found !== folder && !found.startsWith(folder + sep)) return null;
  const about = await stat(found);
  return about.isDirectory() ? { folder: true, found } : { found, size: about.size };
}

async function answer(request, response, folder, headers) {
  const reply = (status, text, more = {}) => {
    response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers, ...more });
    response.end(request.method === 'HEAD' ? undefined : `${text}\n`);
  };
  if (request.method !== 'GET' && request.method !== 'HEAD') return reply(405, 'only GET and HEAD', { Allow: 'GET, HEAD' });
  const [path, query] = request.url.split(/\?(.*)/s);
  try {
    let file = await find(folder, path);
    if (file?.folder) {
      // The leading slashes are made one, or "//host" would lead away from here.
      if (!path.endsWith('/')) return reply(301, 'moved', { Location: `${path.replace(/^\/+/, '/')}/${query === undefined ? '' : `?${query}`}` });
      file = await find(folder, `${path}index.html`);
    }
    if (!file || file.folder) return reply(404, 'not found');
    response.writeHead(200, {
      'Content-Type': types[extname(file.found).toLowerCase()] ?? 'application/octet-stream',
      'Content-Length': file.size,
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      // Articles on other hosts load embed.js, engine and model from here.
      'Access-Control-Allow-Origin': '*',
      ...headers,
    });
    if (request.method === 'HEAD') return response.end();
    createReadStream(file.found).on('error', () => response.destroy()).pipe(response);
  } catch (error) {
    if (error instanceof URIError) return reply(400, 'bad address');
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'].includes(error.code)) return reply(404, 'not found');
    return reply(500, 'the file could not be read');
  }
}

/**
 * Starts a server for a folder.
 * @param {{folder: string, host?: string, port?: number, csp?: boolean}} options port 0 takes any free one
 * @returns {Promise<{url: string, close: () => Promise<void>}>}
 * @throws {Error} when the folder is missing or the port can't be had
 */
export async function serve({ folder, host = '127.0.0.1', port = 8000, csp = false }) {
  let real;
  try {
    real = await realpath(folder);
  } catch {
    throw new Error(`${folder} is missing: run tools/build first`);
  }
  const headers = csp ? { 'Content-Security-Policy': strictPolicy } : {};
  const server = createServer((request, response) => answer(request, response, real, headers));
  await new Promise((done, fail) => {
    server.once('error', (error) => {
      if (error.code === 'EADDRINUSE') fail(new Error(`port ${port} on ${host} is taken: choose another one, for example PORT=${port + 1}`));
      else if (error.code === 'EACCES') fail(new Error(`port ${port} needs more rights: choose one above 1023, for example PORT=8000`));
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') fail(new Error(`${host} is no address of this machine`));
      else fail(error);
    });
    server.listen(port, host, done);
  });
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${server.address().port}/`,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections?.();
      }),
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const words = process.argv.slice(2);
  const csp = words.includes('--csp');
  const folders = words.filter((word) => !word.startsWith('--'));
  if (words.some((word) => word.startsWith('--') && word !== '--csp') || folders.length > 1) {
    console.error('usage: [HOST=127.0.0.1] [PORT=8000] node tools/serve.mjs [folder] [--csp]\n  folder  what to serve (dist)\n  --csp   send a strict Content-Security-Policy');
    process.exit(2);
  }
  const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
  const host = process.env.HOST || '127.0.0.1';
  const port = process.env.PORT || '8000';
  try {
    if (!/^\d+$/.test(port) || Number(port) > 65535) throw new Error(`PORT=${port} is no port number`);
    const { url } = await serve({ folder: folders[0] ? resolve(folders[0]) : join(root, 'dist'), host, port: Number(port), csp });
    console.log(`Glassbox: ${url}`);
  } catch (error) {
    console.error(`serve: ${error.message}`);
    process.exit(1);
  }
}
