// The sizes of model that a page offers for training, and what they cost; numbers only.

/** From one that learns spelling within seconds to the shape of the built-in model. */
export const trainingSizes = {
  tiny: { layers: 1, width: 32, heads: 2, context: 32, vocabSize: 512, tokensPerStep: 1024, learningRate: 0.004 },
  small: { layers: 2, width: 64, heads: 4, context: 64, vocabSize: 1024, tokensPerStep: 1024, learningRate: 0.003 },
  medium: { layers: 3, width: 96, heads: 4, context: 128, vocabSize: 1536, tokensPerStep: 1024, learningRate: 0.002 },
  builtin: { layers: 4, width: 128, heads: 4, context: 256, vocabSize: 2560, tokensPerStep: 1024, learningRate: 0.002 },
};

export const defaultSize = 'small';

/**
 * What a size costs: {parameters, nonEmbedding: without the tables of tokens and positions, multiplyAdds: of one step's matrix products and attention, the
 * way back counting twice the way there}. size: {layers, width, heads, context} or a name; vocabSize and tokensPerStep are the size's own unless given.
 */
export function estimate({ size = defaultSize, vocabSize, tokensPerStep }) {
  const { layers, width, context, ...own } = typeof size === 'string' ? trainingSizes[size] : size;
  const vocabulary = vocabSize ?? own.vocabSize;
  const nonEmbedding = layers * (12 * width * width + 13 * width) + 2 * width;
  // A token looks at half the row on average: two products of `width` numbers for each that it sees.
  const perToken = layers * (12 * width * width + context * width) + vocabulary * width;
  return {
    parameters: (vocabulary + context) * width + nonEmbedding,
    nonEmbedding,
    multiplyAdds: 3 * perToken * (tokensPerStep ?? own.tokensPerStep),
  };
}
