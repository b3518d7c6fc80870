// Starting a wasm module in a worker.
import { EngineError } from './error.js';
import { fetchBytes } from './remote-model.js';

// A function that adds two v128: what a browser without SIMD128 refuses.
const simdProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** The module that the glue `createModule` makes of the file at `url`. Throws EngineError `no_wasm`, `no_simd`, `no_file`. */
export async function startModule(createModule, url) {
  if (typeof WebAssembly !== 'object') throw new EngineError('no_wasm', 'this browser has no WebAssembly');
  if (!WebAssembly.validate(simdProbe)) throw new EngineError('no_simd', 'this browser has no WebAssembly SIMD');
  // Fetched as bytes and not streamed, so that a host with a wrong MIME type for wasm works too.
  const wasmBinary = await fetchBytes(url);
  try {
    return await createModule({ wasmBinary, locateFile: (path) => path, printErr: () => {} });
  } catch (error) {
    // A file that came only in part is no fault of the browser.
    const code = WebAssembly.validate(wasmBinary) ? 'no_wasm' : 'no_file';
    throw new EngineError(code, `the engine could not be started: ${error.message}`);
  }
}
