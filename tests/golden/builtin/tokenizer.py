"""GPT-2's byte-level byte-pair encoding: learns vocab.json and merges.txt from the corpus, then writes its token ids.

A stock GPT-2 encoder that reads the two files gives the same ids: the splitter below is GPT-2's, with its Unicode classes."""

import collections
import json
import re
import sys
import unicodedata

import numpy as np

import corpus
from lexicon import single_token_words
from settings import BUILD, VOCAB_SIZE

END_OF_TEXT = "<|endoftext|>"
HAN = re.compile("[\u4e00-\u9fff]+")
WORD_WEIGHT = 20_000  # a required word counts as if it stood this often in the corpus
LEAST_COUNT = 20  # no merge is learnt from fewer occurrences


def _unicode_class(major):
    """The inside of a regular expression's [...] for a major category: L letters, N numbers."""
    ranges = []
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code))[0] == major:
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"{re.escape(chr(a))}-{re.escape(chr(b))}" for a, b in ranges)


LETTERS, NUMBERS = _unicode_class("L"), _unicode_class("N")
SPACES = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
SPLITTER = re.compile(f"'s|'t|'re|'ve|'m|'ll|'d| ?[{LETTERS}]+| ?[{NUMBERS}]+| ?[^{SPACES}{LETTERS}{NUMBERS}]+"
                      f"|[{SPACES}]+(?![^{SPACES}])|[{SPACES}]+")


def _byte_alphabet():
    """GPT-2's printable letter for each byte, in the order of its first 256 ids."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    letters = {byte: chr(byte) for byte in printable}
    for byte in range(256):
        if byte not in letters:
            letters[byte] = chr(256 + len(letters) - len(printable))
    return letters


LETTER_OF_BYTE = _byte_alphabet()
BYTE_OF_LETTER = {letter: byte for byte, letter in LETTER_OF_BYTE.items()}


def to_letters(text):
    """Text as a string of GPT-2's byte letters."""
    return "".join(LETTER_OF_BYTE[byte] for byte in text.encode())


def merge_pair(symbols, pair):
    """symbols with every occurrence of the pair, from the left, made one."""
    merged, i = [], 0
    while i < len(symbols):
        if i + 1 < len(symbols) and (symbols[i], symbols[i + 1]) == pair:
            merged.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return merged


class Tokenizer:
    """Encodes and decodes with a learnt list of merges. Ids: 256 bytes, one per merge in rank order, END_OF_TEXT."""

    def __init__(self, merges):
        self.merges = merges
        self.rank = {pair: i for i, pair in enumerate(merges)}
        tokens = list(LETTER_OF_BYTE.values()) + [a + b for a, b in merges] + [END_OF_TEXT]
        self.vocab = {token: i for i, token in enumerate(tokens)}
        assert len(self.vocab) == len(tokens), "two merges make the same token"
        self.tokens = tokens
        self.end_of_text = len(tokens) - 1
        self._cache = {}

    @classmethod
    def load(cls, folder):
        """The tokenizer whose merges.txt lies in folder."""
        lines = (folder / "merges.txt").read_text(encoding="utf-8").splitlines()[1:]
        return cls([tuple(line.split(" ")) for line in lines if line])

    def save(self, folder):
        """Writes vocab.json and merges.txt as GPT-2 has them."""
        folder.mkdir(parents=True, exist_ok=True)
        vocab = json.dumps(self.vocab, ensure_ascii=False, separators=(",", ":"))
        (folder / "vocab.json").write_text(vocab + "\n", encoding="utf-8")
        lines = ["#version: 0.2"] + [" ".join(pair) for pair in self.merges]
        (folder / "merges.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def _encode_word(self, word):
        if word not in self._cache:
            symbols = list(to_letters(word))
            while len(symbols) > 1:
                best = min(zip(symbols, symbols[1:]), key=lambda pair: self.rank.get(pair, len(self.rank)))
                if best not in self.rank:
                    break
                symbols = merge_pair(symbols, best)
            self._cache[word] = [self.vocab[s] for s in symbols]
        return self._cache[word]

    def encode(self, text):
        """Ids of a text without special tokens."""
        return [i for word in SPLITTER.findall(text) for i in self._encode_word(word)]

    def decode(self, ids):
        """Text of ids; ill-formed bytes become U+FFFD."""
        return b"".join(map(self.bytes_of, ids)).decode("utf-8", "replace")

    def bytes_of(self, i):
        """The bytes that token i stands for."""
        token = self.tokens[i]
        return token.encode() if i == self.end_of_text else bytes(BYTE_OF_LETTER[letter] for letter in token)

    def pieces(self, ids):
        """The text of each token by itself."""
        return [self.decode([i]) for i in ids]


def _learn(words, merges, limit):
    """Appends the most frequent pair again and again. words: {tuple of symbols: count}; merges: changed in place."""
    words = [[list(symbols), count] for symbols, count in words.items()]
    made = set(LETTER_OF_BYTE.values()) | {a + b for a, b in merges}
    counts, places = collections.Counter(), collections.defaultdict(set)

    def allowed(pair):  # no merge holds a digit, so that numbers are read digit by digit
        return not any("0" <= letter <= "9" for letter in pair[0] + pair[1])

    def count_pairs(index, sign):
        symbols, count = words[index]
        for pair in zip(symbols, symbols[1:]):
            if allowed(pair):
                counts[pair] += sign * count
                places[pair].add(index)

    for index in range(len(words)):
        count_pairs(index, 1)
    while len(merges) < limit and counts:
        pair = max(counts, key=lambda p: (counts[p], p))
        if counts[pair] < LEAST_COUNT:
            break
        if pair[0] + pair[1] in made:  # one token, one way to make it
            del counts[pair]
            continue
        merges.append(pair)
        made.add(pair[0] + pair[1])
        for index in sorted(places.pop(pair)):
            count_pairs(index, -1)
            words[index][0] = merge_pair(words[index][0], pair)
            count_pairs(index, 1)
        del counts[pair]


def _cut(word, lexicon):
    """A run of Chinese cut into words of the lexicon, longest first, else characters."""
    i = 0
    while i < len(word):
        length = next(n for n in (4, 3, 2, 1) if n == 1 or word[i:i + n] in lexicon)
        yield word[i:i + length]
        i += length


def learn(texts, limit):
    """Merges from texts: first those that join bytes to characters, then those that join characters to words."""
    required = single_token_words()
    lexicon = {w for w in required if HAN.fullmatch(w)}
    runs, words, characters = collections.Counter(), collections.Counter({w: WORD_WEIGHT for w in required}), collections.Counter()
    for text in texts:
        runs.update(SPLITTER.findall(text))
    for run, count in runs.items():
        for word in _cut(run, lexicon) if HAN.fullmatch(run) else [run]:
            words[word] += count
    for word, count in words.items():
        for character in word:
            if ord(character) > 127:
                characters[character] += count
    merges = []
    _learn({tuple(to_letters(c)): n for c, n in characters.items()}, merges, limit)
    known = {a + b for a, b in merges}
    symbols = collections.Counter()
    for word, count in words.items():
        letters = []
        for character in word:
            letters += [to_letters(character)] if to_letters(character) in known else list(to_letters(character))
        symbols[tuple(letters)] += count
    _learn(symbols, merges, limit)
    return merges


def main():
    texts = [text for _, text in corpus.load()]
    tokenizer = Tokenizer(learn(texts, VOCAB_SIZE - 256 - 1))
    tokenizer.save(BUILD)
    ids, starts = [], []
    for text in texts:
        starts.append(len(ids))
        ids += tokenizer.encode(text) + [tokenizer.end_of_text]
    np.save(BUILD / "ids.npy", np.array(ids, np.uint16))
    np.save(BUILD / "starts.npy", np.array(starts, np.int32))
    split = [w for w in single_token_words() if len(tokenizer.encode(w)) > 1]
    print(f"{len(tokenizer.vocab)} tokens in the vocabulary, {len(ids)} in the corpus; in several tokens: {split}")
    for text in ("小猫没有跳上桌子，因为它太累了。太累的是小猫。", "Thank you very much", "The capital of France is Paris."):
        print(tokenizer.pieces(tokenizer.encode(text)))


if __name__ == "__main__":
    main()
