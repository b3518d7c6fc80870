/** Things that are made from others, made anew only when one of those is another one. */
export class Memo {
  #kept = new Map();

  /** What `make` gives, kept by its name for as long as each of `on` stays the same. */
  keep(name, on, make) {
    const kept = this.#kept.get(name);
    if (kept && kept.on.length === on.length && kept.on.every((x, i) => Object.is(x, on[i]))) return kept.made;
    const made = make();
    this.#kept.set(name, { on, made });
    return made;
  }
}
