// The texts that a page offers for training: short stories and scenes, all different, an empty line between two.
import { Draw } from './draw.mjs';
import * as stories from './stories.mjs';

const seed = 6;
const size = 250_000; // bytes of UTF-8 each

/** → [{name, lang, documents, text}], the same every time. */
export function trainingTexts() {
  return [
    { name: 'stories-zh', lang: 'zh', tell: [stories.storyZh, stories.storyZh, stories.storyZh, stories.sceneZh] },
    { name: 'stories-en', lang: 'en', tell: [stories.storyEn, stories.storyEn, stories.storyEn, stories.sceneEn] },
  ].map(({ name, lang, tell }) => {
    const draw = new Draw(seed);
    const told = new Set();
    for (let bytes = 0; bytes < size; ) {
      const text = draw.choice(tell)(draw);
      if (told.has(text)) continue;
      told.add(text);
      bytes += Buffer.byteLength(text) + 2;
    }
    return { name, lang, documents: told.size, text: `${[...told].join('\n\n')}\n` };
  });
}
