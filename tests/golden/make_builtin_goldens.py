#!/usr/bin/python3
"""Writes data/builtin_goldens.json: ids, last logits and attention weights of the built-in model as shipped.

To be run after every training; building, running and testing need none of this. The model is that of
make_gpt2_goldens.py, computed in float64 from the weights as the file stores them (I8 times scale in float32), and
rounded to float32. The attention is that of the two heads that evaluation.json names as previous-token and noun reader.
"""

import hashlib
import json
import pathlib
import re
import struct
import sys
import unicodedata

import numpy as np
import torch

from make_gpt2_goldens import DATA, forward

MODEL = pathlib.Path(__file__).resolve().parents[2] / "web" / "models" / "builtin"
TYPES = {"F16": np.float16, "F32": np.float32, "I8": np.int8}
BY_ROW = {"wte.weight", "wpe.weight", "lm_head.weight"}  # all other matrices have a scale for each column
TEXTS = ["Thank you very", "小猫没有跳上桌子，因为它太累了。太累的是", "小猫没有跳上桌子，因为它太高了。太高的是",
         "The cat could not jump onto the table because it was too tired. The one that was too tired is the", "法国的首都是",
         "Once upon a time, there was a little cat named", "Tom Lily Anna Sam Tom Lily Anna", "床前明月光，疑是 12 \n\t🐱é"]


def read_weights(path):
    """{name: float32 tensor} of a safetensors file; I8 tensors times their NAME.scale."""
    data = path.read_bytes()
    length = struct.unpack_from("<Q", data)[0]
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__", None)
    stored = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        stored[name] = np.frombuffer(data[begin:end], TYPES[entry["dtype"]]).reshape(entry["shape"])
    weights = {}
    for name, array in stored.items():
        if name.endswith(".scale"):
            continue
        numbers = array.astype(np.float32)
        if array.dtype == np.int8:
            scale = stored[name + ".scale"]
            numbers = numbers * (scale[:, None] if name.removeprefix("transformer.") in BY_ROW else scale)
        weights[name.removeprefix("transformer.")] = torch.from_numpy(numbers)
    return weights


def letter_of_byte():
    """GPT-2's printable letter for each byte."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    return {byte: chr(byte) for byte in printable} | {byte: chr(256 + i) for i, byte in enumerate(others)}


def character_class(major):
    """The inside of a regular expression's [...] for a major Unicode category: L letters, N numbers."""
    return "".join(re.escape(chr(code)) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code))[0] == major)


class Tokenizer:
    """GPT-2's encoder over vocab.json and merges.txt."""

    def __init__(self, folder):
        self.letters = letter_of_byte()
        self.vocab = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
        lines = (folder / "merges.txt").read_text(encoding="utf-8").splitlines()[1:]
        self.rank = {tuple(line.split(" ")): i for i, line in enumerate(line for line in lines if line)}
        letters, numbers = character_class("L"), character_class("N")
        spaces = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
        self.splitter = re.compile(f"'s|'t|'re|'ve|'m|'ll|'d| ?[{letters}]+| ?[{numbers}]+| ?[^{spaces}{letters}{numbers}]+"
                                   f"|[{spaces}]+(?![^{spaces}])|[{spaces}]+")

    def pieces(self, text):
        """The tokens of a text in GPT-2's letters."""
        for word in self.splitter.findall(text):
            symbols = [self.letters[byte] for byte in word.encode()]
            while len(symbols) > 1:
                i = min(range(len(symbols) - 1), key=lambda i: self.rank.get((symbols[i], symbols[i + 1]), len(self.rank)))
                if (symbols[i], symbols[i + 1]) not in self.rank:
                    break
                symbols[i:i + 2] = [symbols[i] + symbols[i + 1]]
            yield from symbols

    def bytes_of(self, piece):
        """The bytes of a token."""
        byte_of = {letter: byte for byte, letter in self.letters.items()}
        return [byte_of[letter] for letter in piece]


def numbers(tensor):
    """Nested lists of the shortest decimals that give the same float32 again."""
    return np.vectorize(lambda x: float(str(np.float32(x))), otypes=[float])(tensor.numpy()).tolist()


def main():
    config = json.loads((MODEL / "config.json").read_text(encoding="utf-8"))
    weights = read_weights(MODEL / "model.safetensors")
    tokenizer = Tokenizer(MODEL)
    notable = json.loads((MODEL / "evaluation.json").read_text(encoding="utf-8"))["heads"]["notable"]
    heads = [tuple(map(int, notable[name].split(".")[1:])) for name in ("previous_token", "noun_reader")]
    cases = []
    for text in TEXTS:
        pieces = list(tokenizer.pieces(text))
        ids = [tokenizer.vocab[piece] for piece in pieces]
        trace = forward(config, weights, torch.tensor(ids))
        attention = [dict(layer=l, head=h, weights=numbers(trace[f"h.{l}.attn.weights"][h])) for l, h in heads]
        cases.append(dict(text=text, ids=ids, tokens=[tokenizer.bytes_of(piece) for piece in pieces],
                          logits=numbers(trace["logits"][-1]), attention=attention))
    result = dict(model_sha256=hashlib.sha256((MODEL / "model.safetensors").read_bytes()).hexdigest(), cases=cases)
    path = DATA / "builtin_goldens.json"
    path.write_text(json.dumps(result, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    print(path.name, path.stat().st_size)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
