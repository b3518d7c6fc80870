// The elements of Glassbox by their tags; every entry script registers them here.
import GlassboxAttention from '../widgets/attention.js';
import GlassboxAttentionSteps from '../widgets/attention-steps.js';
import GlassboxCheck from '../widgets/check.js';
import GlassboxCost from '../widgets/cost.js';
import GlassboxHeads from '../widgets/heads.js';
import GlassboxKitten from '../widgets/kitten.js';
import GlassboxKnockout from '../widgets/knockout.js';
import GlassboxQkv from '../widgets/qkv.js';
import GlassboxScale from '../widgets/scale.js';

const elements = {
  'glassbox-attention': GlassboxAttention,
  'glassbox-attention-steps': GlassboxAttentionSteps,
  'glassbox-check': GlassboxCheck,
  'glassbox-cost': GlassboxCost,
  'glassbox-heads': GlassboxHeads,
  'glassbox-kitten': GlassboxKitten,
  'glassbox-knockout': GlassboxKnockout,
  'glassbox-qkv': GlassboxQkv,
  'glassbox-scale': GlassboxScale,
};

/**
 * Registers all of them; a tag that is taken, as by a second copy of the script, stays as it is. Defining an element brings every one on
 * the page to life at once, so each kind gets a task of its own and the page can answer in between.
 */
export async function defineElements() {
  for (const [tag, element] of Object.entries(elements)) {
    await new Promise((resolve) => setTimeout(resolve));
    if (!customElements.get(tag)) customElements.define(tag, element);
  }
}
