#!/usr/bin/python3
"""Writes what NumPy finds by principal component analysis, as data/pca.golden.safetensors.

Run it only to make the golden file anew. For each NAME: NAME.rows (n, C), and by singular value decomposition of the centred rows, in
float64, NAME.coordinates (n, k), NAME.axes (k, C) with the largest component of each positive, NAME.explained (1, k), the share of
the whole variance. Everything is stored as F32; the rows are rounded to it first.
"""

import json
import pathlib
import struct

import numpy as np

DATA = pathlib.Path(__file__).resolve().parent / "data"


def principal_axes(rows, components):
    """rows (n, C) → coordinates (n, k), axes (k, C), explained (1, k)."""
    centred = rows - rows.mean(axis=0)
    _, singular, axes = np.linalg.svd(centred, full_matrices=False)
    axes = axes[:components]
    largest = np.abs(axes).argmax(axis=1)
    axes = axes * np.sign(axes[np.arange(components), largest])[:, None]
    share = singular**2 / (singular**2).sum()
    return centred @ axes.T, axes, share[None, :components]


def write_safetensors(path, tensors):
    """Writes {name: array} as F32 in the given order; the header is padded with spaces to a multiple of 8 bytes."""
    header, data = {}, bytearray()
    for name, array in tensors.items():
        begin = len(data)
        data += np.ascontiguousarray(array, dtype="<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [begin, len(data)]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + bytes(data))


def main():
    generator = np.random.default_rng(20)
    cases = {
        # Fewer rows than columns, and the other way round; the third spreads ever less, axis by axis, around a far mean.
        "few": (generator.normal(size=(9, 24)), 4),
        "many": (generator.normal(size=(40, 8)), 8),
        "falling": (generator.normal(size=(30, 16)) * 0.6 ** np.arange(16) @ np.linalg.qr(generator.normal(size=(16, 16)))[0] + 5, 3),
    }
    tensors = {}
    for name, (rows, components) in cases.items():
        rows = rows.astype(np.float32).astype(np.float64)
        tensors[f"{name}.rows"] = rows
        tensors[f"{name}.coordinates"], tensors[f"{name}.axes"], tensors[f"{name}.explained"] = principal_axes(rows, components)
        print(name, "explained", np.round(tensors[f"{name}.explained"][0], 4))
    write_safetensors(DATA / "pca.golden.safetensors", tensors)


if __name__ == "__main__":
    main()
