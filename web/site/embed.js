// The one script of an article that embeds widgets, on whatever host: it stands beside engine/ and models/.
import { setEngineRoot } from '../engine/client.js';
import { defineElements } from './elements.js';

export { defineElements };

setEngineRoot(new URL('.', import.meta.url));
defineElements();
