// The one script of every page: the page's controls first, so that they work even where no widget can.
import { setEngineRoot } from '../engine/client.js';
import { setUpPage } from './page.js';
import GlassboxAttention from '../widgets/attention.js';
import GlassboxAttentionSteps from '../widgets/attention-steps.js';
import GlassboxCheck from '../widgets/check.js';
import GlassboxScale from '../widgets/scale.js';

setUpPage();
// This script stands in site/, one below the folder that holds engine/ and models/.
setEngineRoot(new URL('..', import.meta.url));

const elements = {
  'glassbox-attention': GlassboxAttention,
  'glassbox-attention-steps': GlassboxAttentionSteps,
  'glassbox-check': GlassboxCheck,
  'glassbox-scale': GlassboxScale,
};

for (const [tag, element] of Object.entries(elements)) {
  if (!customElements.get(tag)) customElements.define(tag, element);
}
