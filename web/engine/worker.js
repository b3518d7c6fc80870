// The engine's script, the only one that holds the wasm module. In a worker it answers the page; where a page allows no worker it is
// imported, and leaves the maker of engines for inline.js to pick up.
import * as Comlink from 'comlink';
import { createApi } from './api.js';

if (typeof WorkerGlobalScope === 'function' && self instanceof WorkerGlobalScope) Comlink.expose(createApi());
else globalThis[Symbol.for('glassbox.engine')] = createApi;
