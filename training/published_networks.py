"""Converts PaddleOCR's published networks to the networks from which the product is built.

Reads them from the package `rapidocr` (Apache-2.0) and stores them in 8 bits, as ONNX whose weights are dequantized when the
product is built. The recognizer's last layer is stored separately: a table with one row per character, from which the
product takes the rows of its languages.
"""

import argparse
import base64
import hashlib
import importlib.metadata
import importlib.util
import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper, version_converter

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "rapidocr"
VERSION = "3.10.0"
FILES = {
    "detection": ("PP-OCRv6_det_small", "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f"),
    "recognition": ("PP-OCRv6_rec_small", "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884"),
    "direction": ("ch_ppocr_mobile_v2.0_cls_mobile", "e47acedf663230f8863ff1ab0e64dd2d82b838fceb5957146dab185a89d6215c"),
}
# Tensors of the recognizer: the features of each step of eight pixels, and the last layer.
FEATURES = "p2o.pd_op.transpose.8.0"
LAST_LAYER = {"weights": "linear_8.w_0", "bias": "linear_8.b_0"}
# Height and width in pixels of the random image for comparing a network with its quantized version.
TEST_SIZES = {"detection": (480, 640), "recognition": (48, 320), "direction": (48, 192)}
# Minimum number of values of a quantized tensor: for smaller ones, the scales take almost as much space as is saved.
MIN_QUANTIZED_SIZE = 1024


def published(name: str) -> onnx.ModelProto:
    found = importlib.metadata.version(PACKAGE)
    if found != VERSION:
        raise SystemExit(f"{PACKAGE} is {found}, and {VERSION} was measured: pip install -r training/requirements.txt")
    file, sha256 = FILES[name]
    # The package is not imported, because importing loads its recognizers.
    spec = importlib.util.find_spec(PACKAGE)
    content = (Path(spec.origin).parent / "models" / f"{file}.onnx").read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    if digest != sha256:
        raise SystemExit(f"{file} differs from the measured file: sha256 {digest}")
    return onnx.load_from_string(content)


def subgraph(model: onnx.ModelProto, output: str, rank: int) -> onnx.ModelProto:
    """The subgraph that computes the tensor `output`, which has `rank` dimensions."""
    needed, nodes = {output}, []
    for node in reversed(model.graph.node):
        if needed.intersection(node.output):
            needed.update(node.input)
            nodes.append(node)
    # Identity nodes are removed.
    same = {node.output[0]: node.input[0] for node in nodes if node.op_type == "Identity"}

    def origin(name: str) -> str:
        while name in same:
            name = same[name]
        return name

    kept = []
    for node in reversed(nodes):
        if node.op_type == "Identity":
            continue
        copy = onnx.NodeProto()
        copy.CopyFrom(node)
        for position, name in enumerate(node.input):
            copy.input[position] = origin(name)
        kept.append(copy)
    read = {name for node in kept for name in node.input}
    graph = helper.make_graph(
        kept,
        "network",
        [model.graph.input[0]],
        [helper.make_tensor_value_info(origin(output), TensorProto.FLOAT, [None] * rank)],
        [tensor for tensor in model.graph.initializer if tensor.name in read],
    )
    part = helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)
    # Opset 13 is the first with per-channel DequantizeLinear.
    return version_converter.convert_version(part, 13)


def quantize(values: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """Quantizes to integers from -127 to 127, with a scale for each slice along `axis`."""
    others = tuple(other for other in range(values.ndim) if other != axis)
    scales = np.maximum(np.abs(values).max(axis=others), 1e-12) / 127
    shape = [-1 if other == axis else 1 for other in range(values.ndim)]
    whole = np.clip(np.round(values / scales.reshape(shape)), -127, 127)
    return whole.astype(np.int8), scales.astype(np.float32)


def in_eight_bits(model: onnx.ModelProto) -> onnx.ModelProto:
    """The network with quantized weights, which a DequantizeLinear node expands with one scale per output channel."""
    readers = {}
    for node in model.graph.node:
        for position, name in enumerate(node.input):
            readers.setdefault(name, []).append((node, position))
    tensors, dequantizers = [], []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        uses = readers.get(tensor.name, [])
        node, position = uses[0] if len(uses) == 1 else (None, None)
        axis = {"Conv": 0, "MatMul": values.ndim - 1, "ConvTranspose": 1}.get(node.op_type if node else "", None)
        if axis is None or position != 1 or values.size < MIN_QUANTIZED_SIZE or values.dtype != np.float32:
            tensors.append(tensor)
            continue
        whole, scales = quantize(values, axis)
        name = tensor.name
        tensors += [numpy_helper.from_array(whole, f"{name}.bytes"), numpy_helper.from_array(scales, f"{name}.scales")]
        dequantizers.append(helper.make_node("DequantizeLinear", [f"{name}.bytes", f"{name}.scales"], [name], axis=axis))
    graph = helper.make_graph(
        dequantizers + list(model.graph.node), "network", model.graph.input, model.graph.output, tensors
    )
    return helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)


def run(model: onnx.ModelProto, picture: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {session.get_inputs()[0].name: picture})[0]


def stored_network(name: str, original: onnx.ModelProto) -> onnx.ModelProto:
    quantized = in_eight_bits(original)
    onnx.checker.check_model(quantized)
    # The relative error on noise is ten times as large as on print.
    picture = np.random.default_rng(1).uniform(-1, 1, (1, 3, *TEST_SIZES[name])).astype(np.float32)
    expected, found = run(original, picture), run(quantized, picture)
    relative_error = np.sqrt(np.mean((expected - found) ** 2)) / np.sqrt(np.mean(expected**2))
    print(f"{name}: {relative_error:.3f} relative error of the output with 8-bit weights, on noise")
    return quantized


def last_layer(model: onnx.ModelProto) -> dict:
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    listed = next(entry.value for entry in model.metadata_props if entry.key == "character")
    # Class 0 is the blank; the last class is the space, which the list omits.
    characters = ["", *listed.split("\n"), " "]
    weights = np.vstack([tensors[LAST_LAYER["weights"]], tensors[LAST_LAYER["bias"]][None, :]]).T
    if len(characters) != len(weights):
        raise SystemExit(f"{len(characters)} characters for {len(weights)} classes")
    rows, scales = quantize(weights, 0)
    return {
        "madeOf": f"{FILES['recognition'][0]} of {PACKAGE} {VERSION}",
        "characters": characters,
        "features": weights.shape[1] - 1,
        "scales": base64_of(scales),
        "weights": base64_of(rows),
    }


def base64_of(values: np.ndarray) -> str:
    return base64.b64encode(values.tobytes()).decode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT, help="root folder of the written files; default: this repository")
    out = parser.parse_args().out.resolve()
    for name in FILES:
        model = published(name)
        output = FEATURES if name == "recognition" else model.graph.output[0].name
        rank = {"recognition": 3, "detection": 4, "direction": 2}[name]
        quantized = stored_network(name, subgraph(model, output, rank))
        write(out / f"scripts/networks/published/{name}.onnx", quantized.SerializeToString())
        if name == "recognition":
            layer = json.dumps(last_layer(model), ensure_ascii=False)
            write(out / "scripts/networks/published/last-layer.json", f"{layer}\n".encode())


def write(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    print(f"{file}: {len(content) / 1e6:.2f} MB, sha256 {hashlib.sha256(content).hexdigest()}")


if __name__ == "__main__":
    main()
