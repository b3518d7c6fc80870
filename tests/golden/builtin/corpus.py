"""Writes the training corpus: generated documents only, one a line, `family<TAB>text`. Same settings, same bytes."""

import collections
import hashlib
import pathlib

import numpy as np

import bank
import patterns
import phrases
import pronouns
import stories
from draw import Draw
from settings import BUILD, CORPUS_BYTES, CORPUS_SEED

# (family, generator, relative number of documents)
MIX = [
    ("pronouns", pronouns.animal_zh, 20), ("pronouns", pronouns.animal_en, 12), ("pronouns", pronouns.fitting_zh, 4),
    ("pronouns", pronouns.fitting_en, 2), ("pronouns", pronouns.person_zh, 2),
    ("stories", stories.story_zh, 6), ("stories", stories.story_en, 6), ("stories", stories.scene_zh, 2), ("stories", stories.scene_en, 2),
    ("bank", bank.bank, 12),
    ("lists", patterns.repeated_list, 10), ("copying", patterns.gift, 6),
    ("phrases", phrases.bare, 5), ("small talk", phrases.talk_en, 6), ("small talk", phrases.talk_zh, 6),
    ("facts", phrases.capital, 6), ("facts", phrases.fact, 6), ("facts", phrases.poem, 2), ("facts", phrases.homograph_zh, 3),
]
CORPUS = BUILD / "corpus.tsv"


def documents(seed, total_bytes):
    """Yields (family, text) until total_bytes of UTF-8 text have been drawn."""
    draw = Draw(seed)
    weights = [share for _, _, share in MIX]
    size = 0
    while size < total_bytes:
        family, generate, _ = draw.choices(MIX, weights)[0]
        text = generate(draw)
        size += len(text.encode())
        yield family, text


def load(path=CORPUS):
    """The written corpus as a list of (family, text)."""
    return [tuple(line.split("\t")) for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines()]


def token_ids():
    """The ids of all documents, each closed by <|endoftext|>, as tokenizer.py wrote them."""
    return np.load(BUILD / "ids.npy")


def sha256(path=CORPUS):
    """Hash of the written corpus, as the model card states it."""
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def main():
    BUILD.mkdir(parents=True, exist_ok=True)
    texts = list(documents(CORPUS_SEED, CORPUS_BYTES))
    CORPUS.write_text("".join(f"{family}\t{text}\n" for family, text in texts), encoding="utf-8")
    share = collections.Counter()
    for family, text in texts:
        share[family] += len(text.encode())
    total = sum(share.values())
    print(f"{len(texts)} documents, {len(set(texts))} different, {total / 1e6:.1f} MB, sha256 {sha256()}")
    print(", ".join(f"{family} {size / total:.1%}" for family, size in share.most_common()))


if __name__ == "__main__":
    main()
