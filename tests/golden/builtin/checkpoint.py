"""Reads and writes the safetensors format: a length, a JSON header, then the tensors' bytes."""

import json
import struct

import numpy as np
import torch

from model import Gpt

TYPES = {"F16": np.float16, "F32": np.float32}


def write(path, tensors):
    """Writes {name: numpy array of float16 or float32} in the given order."""
    names = {np.dtype(kind): name for name, kind in TYPES.items()}
    header, offset = {"__metadata__": {"format": "pt"}}, 0
    for name, array in tensors.items():
        header[name] = {"dtype": names[array.dtype], "shape": list(array.shape), "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # the data begin at a multiple of 8
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in tensors.values():
            file.write(np.ascontiguousarray(array).tobytes())


def read(path):
    """{name: numpy array} of a file whose tensors are float16 or float32."""
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack_from("<Q", data)[0]
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        tensors[name] = np.frombuffer(data[begin:end], TYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors


def load_model(folder):
    """The model of folder/model.safetensors in float32, ready to run on one thread."""
    torch.set_num_threads(1)
    model = Gpt()
    model.load_state_dict({name: torch.from_numpy(array.astype(np.float32)) for name, array in read(folder / "model.safetensors").items()})
    return model.eval()
