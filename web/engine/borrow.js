/**
 * A worker on a page of another host. Browsers start workers only from the page's own host, which a Blob counts as; ours is imported
 * by it, and a failure to do so is told apart from a page that allows no such worker: it posts {missing: why}.
 */
export function borrowWorker(script) {
  const source = `try { importScripts(${JSON.stringify(script.href)}); } catch (error) { postMessage({ missing: String(error) }); }`;
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(address);
  const release = () => URL.revokeObjectURL(address);
  worker.addEventListener('message', release, { once: true });
  worker.addEventListener('error', release, { once: true });
  return worker;
}
