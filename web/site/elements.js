// The elements of Glassbox by their tags. A page fetches the code of those that stand in it, and of no others.

const elements = {
  'glassbox-agent': () => import('../widgets/agent.js'),
  'glassbox-attention': () => import('../widgets/attention.js'),
  'glassbox-attention-steps': () => import('../widgets/attention-steps.js'),
  'glassbox-bank': () => import('../widgets/bank.js'),
  'glassbox-bpe-trainer': () => import('../widgets/bpe-trainer.js'),
  'glassbox-check': () => import('../widgets/check.js'),
  'glassbox-context': () => import('../widgets/context.js'),
  'glassbox-context-cost': () => import('../widgets/context-cost.js'),
  'glassbox-cost': () => import('../widgets/cost.js'),
  'glassbox-descent': () => import('../widgets/descent.js'),
  'glassbox-embedding': () => import('../widgets/embedding.js'),
  'glassbox-generate': () => import('../widgets/generate.js'),
  'glassbox-heads': () => import('../widgets/heads.js'),
  'glassbox-kitten': () => import('../widgets/kitten.js'),
  'glassbox-knockout': () => import('../widgets/knockout.js'),
  'glassbox-lens': () => import('../widgets/lens.js'),
  'glassbox-kv-memory': () => import('../widgets/kv-memory.js'),
  'glassbox-loss': () => import('../widgets/loss.js'),
  'glassbox-next-token': () => import('../widgets/next-token.js'),
  'glassbox-positions': () => import('../widgets/positions.js'),
  'glassbox-qkv': () => import('../widgets/qkv.js'),
  'glassbox-scale': () => import('../widgets/scale.js'),
  'glassbox-scaling': () => import('../widgets/scaling.js'),
  'glassbox-softmax': () => import('../widgets/softmax.js'),
  'glassbox-switches': () => import('../widgets/switches.js'),
  'glassbox-tokens': () => import('../widgets/tokens.js'),
  'glassbox-train-memory': () => import('../widgets/train-memory.js'),
  'glassbox-trainer': () => import('../widgets/trainer.js'),
  'glassbox-transformer': () => import('../widgets/transformer.js'),
};

/** The tags of all elements. */
export const elementTags = Object.keys(elements);

const asked = new Set();
let queue = Promise.resolve();

/**
 * Fetches and registers one kind; a tag that is taken, as by a second copy of the script, stays as it is. Defining an element brings
 * every one on the page to life at once, so each kind gets a task of its own and the page can answer in between.
 */
function define(tag) {
  if (asked.has(tag) || !elements[tag]) return;
  asked.add(tag);
  const fetched = elements[tag]();
  queue = queue
    .then(async () => {
      const { default: element } = await fetched;
      await new Promise((resolve) => setTimeout(resolve));
      if (!customElements.get(tag)) customElements.define(tag, element);
    })
    // Without its code, as without network, the tag's own content stays, and a later element of this kind asks again.
    .catch((error) => {
      asked.delete(tag);
      console.warn(`Glassbox: ${tag} could not be loaded`, error);
    });
}

function defineWithin(node) {
  if (node.nodeType === Node.ELEMENT_NODE) define(node.localName);
  for (const element of node.querySelectorAll?.(elementTags.join()) ?? []) define(element.localName);
}

/**
 * Brings the elements below `root` to life, those that are added later too. An author who puts a widget into a shadow root of their own
 * calls it with that root.
 */
export function defineElements(root = document) {
  defineWithin(root);
  new MutationObserver((records) => {
    for (const { addedNodes } of records) addedNodes.forEach(defineWithin);
  }).observe(root, { childList: true, subtree: true });
}
