// The one script of every page: the page's controls first, so that they work even where no widget can.
import { setEngineRoot } from '../engine/client.js';
import { defineElements } from './elements.js';
import { setUpPage } from './page.js';

setUpPage();
// This script stands in site/, one below the folder that holds engine/ and models/.
setEngineRoot(new URL('..', import.meta.url));
defineElements();
