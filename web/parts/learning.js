/** How many merges are learned from a reader's text at most. */
export const mostMerges = 500;
