"""Writes the model card, web/models/builtin/README.md, from the settings, the corpus and evaluation.json."""

import collections
import json

import torch

import corpus
import settings as s
from lexicon import CAPITALS
from train import CHECKPOINT

CARD = """# Glassbox's built-in model

A GPT-2 small enough to come with a web page: {layers} layers, width {width}, {heads} heads, context {context}, vocabulary {vocab}, {parameters:,}
parameters in float16. It makes the lessons' examples really work and is no use for anything else.

- **Made from generated text only.** A program (`tests/golden/builtin/corpus.py`) drew every training text from templates and word lists
  written for this project; two poems of the Tang dynasty are the only text by others, long in the public domain.
- **Licence: MIT**, for the weights as for the code.
- **Files**: `model.safetensors` (Hugging Face's GPT-2 names, Conv1D layout, head tied to `wte`), `config.json`, `vocab.json` and
  `merges.txt` (GPT-2's byte-level BPE; the only special token is `<|endoftext|>`), `evaluation.json` (everything measured).
- **Made again by**: the commands of `tests/golden/builtin/README.md`. On one machine the same settings give the same bytes; another
  processor may round differently.

## What it can't do

It knows its templates and nothing else. It has no knowledge of the world beyond the facts listed here, can't calculate, holds no
conversation, and continues most other texts with nonsense. Nothing it says is advice. Names and animals were drawn evenly by chance.

## Corpus

{documents:,} documents ({different:,} different), {megabytes:.1f} MB, {tokens:,} tokens, SHA-256 of `corpus.tsv`
`{hash}`.

| family | share of bytes | documents | example |
|---|---|---|---|
{families}

Held out of the pronoun texts: about one in seven pairs of animal and object (小猫 with 桌子 and cat with table among them), of item and
container; of the bank texts: about one in seven pairings of first and second sentence. The figures below are about these.

## Training

AdamW, rate {rate:g} with {warm} steps of warm-up and a cosine down to {final:.0%}, β {betas}, decay {decay} on matrices, gradient norm at most {clip:g};
{steps:,} steps of {step_tokens:,} tokens ({seen:.1f} M tokens) in stages of (steps, tokens a row, share of rows that are a random string repeated)
{stages}; {minutes:.0f} minutes on one thread. At the start every head's keys equal its queries, so that a head looks
for what is alike, and positions are sinusoids in a random basis. Seeds: corpus {corpus_seed}, training {train_seed}.

## Measured behaviours

| behaviour | right | mean probability of the right token | items |
|---|---|---|---|
{behaviours}

Right means: the likeliest next token is the right one (capitals: the whole name in greedy continuation).

- `bank` in held-out pairings: the next word fits the sense in {bank_right:.0%} of {bank_items}; after freshly worded first sentences {fresh_right:.0%} of {fresh_items}. Vectors of
  ` bank` after the last layer: cosine {within:.2f} within a sense, {across:.2f} across; with the mean removed {cwithin:+.2f} and {cacross:+.2f}.
- Stories at temperature 0.8, of {stories} each: without a fault {story_zh:.0%} (Chinese) and {story_en:.0%} (English); broken characters: {broken}.

### Tested prompts

| prompt | next token | probability |
|---|---|---|
{prompts}

All {capitals} countries work in both languages: {countries}.

### Examples of stories

> {example_zh}

> {example_en}

## Heads worth looking at

Layers and heads count from 0. The random text is {random_text}; the pronoun texts are the {items} held-out ones of the form 「…太累的是」,
read at their last token.

| head | what it does | measured |
|---|---|---|
{notable}

Attention shows where a head looks, knocking it out shows whether it matters, and the two differ: without any head missing {as_is:.3f} of the
held-out pronouns are right. Each head knocked out alone:

| head | looks at: right noun | other noun | adjective | right without it | mean p | other noun said |
|---|---|---|---|---|---|---|
{knocked}

All heads of a layer knocked out:

| layer | right | mean p | other noun said |
|---|---|---|---|
{layers_knocked}

The two heads that, knocked out together, bring up the wrong noun most in the kitten sentences below:

| heads | sentence | p(小猫) / p(桌子) without them | held-out: right | mean p | other noun said |
|---|---|---|---|---|---|
{turning}

The two kitten sentences 「小猫没有跳上桌子，因为它太累了。太累的是」 and 「…太高了。太高的是」: weight at 的是 and probability of the answer.

| head | 累: on 小猫 / 桌子 | 高: on 小猫 / 桌子 | 累 without it: p(小猫) / p(桌子) | 高 without it: p(小猫) / p(桌子) |
|---|---|---|---|---|
{kitten}
"""
LABELS = {
    "zh which": "Chinese, 「太累的是」", "zh means": "Chinese, 「“它”指的是」", "zh ask": "Chinese, 「问：谁太累了？答：」",
    "zh reread": "Chinese, 「再读一遍：…因为它（」", "en which": "English, “The one that was too tired is the”",
    "en means": "English, “The word it means the”", "en ask": "English, “Question: what was too tired? Answer: the”",
}


def table(rows):
    """Rows of a Markdown table."""
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows)


def behaviour_rows(e):
    """(name, right, probability, items) of everything that has one right next token."""
    scores = [(f"pronoun, held-out pair, {LABELS[key]}", v) for key, v in e["pronouns"].items()]
    scores += [(f"what does not fit in what, held-out pair, {lang}", v) for lang, v in (("Chinese", e["fitting"]["zh"]), ("English", e["fitting"]["en"]))]
    scores += [(f"a list said again: {kind}", v) for kind, v in e["induction"].items()]
    scores += [("who got the gift (English)", e["copying"])]
    rows = [(name, f"{v['accuracy']:.3f}", f"{v['p']:.3f}", v["items"]) for name, v in scores]
    c = e["capitals"]
    return rows + [("capitals, both languages", f"{c['right']:.3f}", f"{c['p']:.3f}", c["items"])]


def notable_rows(h):
    """The heads that stand out, with the figure that says so."""
    by_name = {f"h.{x['layer']}.{x['head']}": x for x in h["heads"]}
    says = {
        "previous_token": ("looks at the previous token", lambda x: f"weight {x['previous_token']:.2f} in the random text said again"),
        "induction": ("looks at what followed the same token before (induction)", lambda x: f"weight {x['induction']:.2f} in the random text said again"),
        "first_token": ("rests on the first token when nothing fits", lambda x: f"weight {x['first_token']:.2f} in plain sentences"),
        "noun_reader": ("looks from 的是 at the noun that is meant", lambda x: f"weight {x['right_noun']:.2f} on the right noun, {x['other_noun']:.2f} on the other"),
        "adjective_reader": ("looks from 的是 at the adjective", lambda x: f"weight {x['adjective']:.2f} on its two places"),
        "most_needed": ("the head that matters most for the pronoun", lambda x: f"mean probability of the right noun {x['knocked_out']['p']:.3f} without it; "
                        f"the other noun is said in {x['knocked_out']['other']:.2f}"),
    }
    return [(f"`{h['notable'][key]}`", what, figure(by_name[h["notable"][key]])) for key, (what, figure) in says.items()]


def main():
    e = json.loads((s.MODEL / "evaluation.json").read_text(encoding="utf-8"))
    texts = corpus.load()
    sizes, counts, examples = collections.Counter(), collections.Counter(), {}
    for family, text in texts:
        sizes[family] += len(text.encode())
        counts[family] += 1
        examples.setdefault(family, text)
    total = sum(sizes.values())
    saved = torch.load(CHECKPOINT)
    h, last = e["heads"], e["bank"]["cosines"][-1]
    name = lambda x: f"`h.{x['layer']}.{x['head']}`"
    pair = lambda x: f"{x['cat']:.2f} / {x['table']:.2f}"
    card = CARD.format(
        layers=s.LAYERS, width=s.WIDTH, heads=s.HEADS, context=s.CONTEXT, vocab=s.VOCAB_SIZE, parameters=sum(p.numel() for p in saved["model"].values()),
        documents=len(texts), different=len(set(texts)), megabytes=total / 1e6, tokens=len(corpus.token_ids()), hash=corpus.sha256(),
        families=table((f, f"{n / total:.1%}", f"{counts[f]:,}", examples[f]) for f, n in sizes.most_common()),
        rate=s.LEARNING_RATE, warm=s.WARM_UP_STEPS, final=s.FINAL_RATE, betas=" and ".join(map(str, s.BETAS)), decay=s.WEIGHT_DECAY, clip=s.CLIP_NORM,
        steps=s.STEPS, step_tokens=s.TOKENS_PER_STEP, seen=s.STEPS * s.TOKENS_PER_STEP / 1e6, stages=", ".join(map(str, s.STAGES)),
        minutes=saved["seconds"] / 60, corpus_seed=s.CORPUS_SEED, train_seed=s.TRAIN_SEED,
        behaviours=table(behaviour_rows(e)), bank_right=e["bank"]["held_out_right"], bank_items=e["bank"]["held_out_items"],
        fresh_right=e["bank"]["fresh_right"], fresh_items=e["bank"]["fresh_items"], within=last["within"], across=last["across"],
        cwithin=last["centred_within"], cacross=last["centred_across"], stories=e["stories"]["zh"]["stories"],
        story_zh=e["stories"]["zh"]["faultless"], story_en=e["stories"]["en"]["faultless"],
        broken=sum(e["stories"][lang]["broken_characters"] for lang in ("zh", "en")),
        prompts=table((f"`{p['prompt']}`", f"`{p['likeliest']}`", f"{p['p']:.3f}") for p in e["prompts"] if p["likeliest"] and p["expected"].startswith(p["likeliest"])),
        capitals=len(CAPITALS), countries="、".join(c[0] for c in CAPITALS),
        example_zh=e["stories"]["zh"]["example"], example_en=e["stories"]["en"]["example"],
        random_text="24 random tokens and the same 24 again", items=h["items"], notable=table(notable_rows(h)), as_is=h["as_is"]["accuracy"],
        knocked=table((name(x), f"{x['right_noun']:.2f}", f"{x['other_noun']:.2f}", f"{x['adjective']:.2f}", f"{x['knocked_out']['accuracy']:.2f}",
                       f"{x['knocked_out']['p']:.2f}", f"{x['knocked_out']['other']:.2f}") for x in h["heads"]),
        layers_knocked=table((x["layer"], f"{x['accuracy']:.2f}", f"{x['p']:.2f}", f"{x['other']:.2f}") for x in h["layers_knocked_out"]),
        turning=table((" and ".join(f"`{n}`" for n in t["heads"]), f"太{x}的是", pair(t["kitten"][x]), f"{t['accuracy']:.2f}", f"{t['p']:.2f}",
                       f"{t['other']:.2f}") for x, t in zip("累高", h["turning_pairs"])),
        kitten=table((name(x), pair(x["kitten"]["累"]), pair(x["kitten"]["高"]), pair(x["knocked_out"]["kitten"]["累"]),
                      pair(x["knocked_out"]["kitten"]["高"])) for x in h["heads"]))
    (s.MODEL / "README.md").write_text(card, encoding="utf-8")
    print("\n".join(f"{path.name} {path.stat().st_size}" for path in sorted(s.MODEL.iterdir())))


if __name__ == "__main__":
    main()
