// A seeded random source (sfc32: whole numbers of 32 bits, so the same on every machine) and the ways of drawing that
// the generators share.

export class Draw {
  #a = 0;
  #b = 0;
  #c;
  #count = 1;

  /** seed: a whole number below 2³². */
  constructor(seed) {
    this.#c = seed >>> 0;
    for (let round = 0; round < 12; round++) this.bits();
  }

  /** A whole number of 32 random bits. */
  bits() {
    const result = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + result) | 0;
    return result >>> 0;
  }

  /** A number from 0 to below 1. */
  uniform() {
    return this.bits() / 2 ** 32;
  }

  /** A whole number from 0 to below count. */
  below(count) {
    return Math.floor(this.uniform() * count);
  }

  /** A whole number from first to last, both included. */
  between(first, last) {
    return first + this.below(last - first + 1);
  }

  /** True with this probability. */
  chance(probability) {
    return this.uniform() < probability;
  }

  /** One element of a list. */
  choice(list) {
    return list[this.below(list.length)];
  }

  /** count different elements of a list, in random order. */
  sample(list, count) {
    const rest = [...list];
    for (let i = 0; i < count; i++) {
      const other = i + this.below(rest.length - i);
      [rest[i], rest[other]] = [rest[other], rest[i]];
    }
    return rest.slice(0, count);
  }

  /** The list in random order. */
  shuffle(list) {
    return this.sample(list, list.length);
  }

  /** One first element of [[option, weight], …]. */
  weighted(options) {
    let rest = this.uniform() * options.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [option, weight] of options) {
      rest -= weight;
      if (rest < 0) return option;
    }
    return options.at(-1)[0];
  }

  /** One of the templates with its {slots} filled. */
  fill(templates, slots) {
    return fill(this.choice(templates), slots);
  }
}

/** The template with its {slots} filled; throws an Error for a slot that is not given. */
export function fill(template, slots) {
  return template.replace(/\{(\w+)\}/g, (_, name) => {
    if (slots[name] === undefined) throw new Error(`no slot ${name} for "${template}"`);
    return slots[name];
  });
}
