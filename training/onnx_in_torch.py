"""Runs an ONNX network in PyTorch as a function of its parameters; supports the operators of PP-OCRv6 recognizers."""

from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import helper, numpy_helper


class OnnxNetwork:
    """
    params: weights and biases by name, as 32-bit floats; 8-bit weights are dequantized.
    axes: for each 8-bit weight, the axis along which each slice has its own scale.
    """

    def __init__(self, file: Path):
        self.model = onnx.load(file)
        nodes = self.model.graph.node
        values = {tensor.name: numpy_helper.to_array(tensor) for tensor in self.model.graph.initializer}
        values |= {node.output[0]: numpy_helper.to_array(node.attribute[0].t) for node in nodes if node.op_type == "Constant"}
        self.axes: dict[str, int] = {}
        self.stored: dict[str, tuple[str, str]] = {}
        for node in nodes:
            if node.op_type == "DequantizeLinear":
                axis, name = attributes(node)["axis"], node.output[0]
                whole, scales = (values.pop(part) for part in node.input[:2])
                values[name] = whole.astype(np.float32) * broadcast_along(scales, axis, whole.ndim)
                self.axes[name], self.stored[name] = axis, tuple(node.input[:2])
        statistics = {name for node in nodes if node.op_type == "BatchNormalization" for name in node.input[3:5]}
        is_weight = {name: value.dtype == np.float32 and value.size > 1 for name, value in values.items()}
        self.params = {name: value for name, value in values.items() if is_weight[name] and name not in statistics}
        self.fixed = {name: torch.tensor(value) if is_weight[name] else value for name, value in values.items() if name not in self.params}
        self.nodes = [node for node in nodes if node.op_type not in ("DequantizeLinear", "Constant")]

    def to(self, device: str) -> "OnnxNetwork":
        self.fixed = {name: value.to(device) if torch.is_tensor(value) else value for name, value in self.fixed.items()}
        return self

    def __call__(self, params: dict[str, torch.Tensor], x: torch.Tensor) -> torch.Tensor:
        values = {**self.fixed, **params, self.model.graph.input[0].name: x}
        for node in self.nodes:
            given = [values[name] for name in node.input if name]
            values[node.output[0]] = OPERATIONS[node.op_type](attributes(node), *map(to_scalar, given))
        return values[self.model.graph.output[0].name]

    def save(self, params: dict[str, np.ndarray], file: Path) -> None:
        """Writes the network with new parameters; 8-bit weights are quantized again."""
        model = onnx.ModelProto()
        model.CopyFrom(self.model)
        tensors = {tensor.name: tensor for tensor in model.graph.initializer}
        for name, value in params.items():
            if name not in self.stored:
                tensors[name].CopyFrom(numpy_helper.from_array(value.astype(np.float32), name))
                continue
            scales = scales_of(torch.from_numpy(value), self.axes[name]).numpy()
            whole = np.clip(np.round(value / scales), -127, 127).astype(np.int8)
            for part, content in zip(self.stored[name], (whole, scales.reshape(-1).astype(np.float32))):
                tensors[part].CopyFrom(numpy_helper.from_array(content, part))
        onnx.save(model, file)


def attributes(node: onnx.NodeProto) -> dict:
    return {one.name: helper.get_attribute_value(one) for one in node.attribute}


def broadcast_along(values: np.ndarray, axis: int, rank: int) -> np.ndarray:
    return values.reshape([-1 if each == axis else 1 for each in range(rank)])


def scales_of(weights: torch.Tensor, axis: int) -> torch.Tensor:
    """The quantization scale of each slice along `axis`, in a shape that broadcasts."""
    others = tuple(each for each in range(weights.ndim) if each != axis)
    return weights.abs().amax(dim=others, keepdim=True).clamp_min(1e-12) / 127


def in_eight_bits(network: OnnxNetwork, params: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Parameters after quantization; gradients ignore the rounding (straight-through estimator)."""
    rounded = {}
    for name, weights in params.items():
        rounded[name] = weights
        if name in network.axes:
            with torch.no_grad():
                scales = scales_of(weights, network.axes[name])
                error = (weights / scales).round().clamp(-127, 127) * scales - weights
            rounded[name] = weights + error
    return rounded


def to_scalar(value):
    """Converts a constant of one number to a Python number, which works on every device."""
    return value.item() if isinstance(value, np.ndarray) and value.size == 1 and value.dtype == np.float32 else value


def same_padding(shape, kernel, strides) -> tuple[int, int, int, int]:
    """ONNX's SAME_UPPER in PyTorch's order: left, right, top, bottom."""
    total = [max(0, (-(-size // stride) - 1) * stride + side - size) for size, side, stride in zip(shape, kernel, strides)]
    return total[1] // 2, total[1] - total[1] // 2, total[0] // 2, total[0] - total[0] // 2


def convolution(attrs, x, weights):
    strides, groups = tuple(attrs["strides"]), attrs.get("group", 1)
    if attrs.get("auto_pad") == b"SAME_UPPER":
        return F.conv2d(F.pad(x, same_padding(x.shape[2:], weights.shape[2:], strides)), weights, None, strides, 0, 1, groups)
    return F.conv2d(x, weights, None, strides, tuple(attrs["pads"][:2]), 1, groups)


def max_pool(attrs, x):
    padding = same_padding(x.shape[2:], attrs["kernel_shape"], attrs["strides"])
    return F.max_pool2d(F.pad(x, padding, value=-torch.inf), tuple(attrs["kernel_shape"]), tuple(attrs["strides"]))


def batch_norm(attrs, x, weight, bias, mean, variance):
    shape = (1, -1, 1, 1)
    deviation = torch.sqrt(variance.reshape(shape) + attrs["epsilon"])
    return (x - mean.reshape(shape)) / deviation * weight.reshape(shape) + bias.reshape(shape)


def slice_tensor(_, x, starts, ends, axes, steps=1):
    assert np.all(steps == 1)
    parts = [slice(None)] * x.ndim
    for start, end, axis in zip(starts, ends, axes):
        parts[int(axis)] = slice(int(start), int(min(end, 2**31)))
    return x[tuple(parts)]


def squeeze(_, x, axes):
    for axis in sorted(map(int, axes), reverse=True):
        x = x.squeeze(axis)
    return x


def concat(attrs, *parts):
    if all(isinstance(part, np.ndarray) for part in parts):
        return np.concatenate([np.atleast_1d(part) for part in parts], attrs["axis"])
    return torch.cat(parts, attrs["axis"])


OPERATIONS = {
    "Add": lambda _, x, y: x + y,
    "AveragePool": lambda attrs, x: F.avg_pool2d(x, tuple(attrs["kernel_shape"]), tuple(attrs["strides"])),
    "BatchNormalization": batch_norm,
    "Concat": concat,
    "Conv": convolution,
    "Div": lambda _, x, y: x / y,
    "Erf": lambda _, x: torch.erf(x),
    "HardSigmoid": lambda attrs, x: (x * attrs["alpha"] + attrs["beta"]).clamp(0, 1),
    "MatMul": lambda _, x, y: x @ y,
    "MaxPool": max_pool,
    "Mul": lambda _, x, y: x * y,
    "Pow": lambda _, x, y: x**y,
    "ReduceMean": lambda attrs, x: x.mean(dim=tuple(attrs["axes"]), keepdim=bool(attrs.get("keepdims", 1))),
    "Relu": lambda _, x: F.relu(x),
    "Reshape": lambda _, x, shape: x.reshape([x.shape[at] if size == 0 else int(size) for at, size in enumerate(shape)]),
    "Shape": lambda _, x: np.array(x.shape, np.int64),
    "Sigmoid": lambda _, x: torch.sigmoid(x),
    "Slice": slice_tensor,
    "Softmax": lambda attrs, x: F.softmax(x, dim=attrs["axis"]),
    "Sqrt": lambda _, x: torch.sqrt(x),
    "Squeeze": squeeze,
    "Sub": lambda _, x, y: x - y,
    "Transpose": lambda attrs, x: x.permute(attrs["perm"]),
    "Unsqueeze": lambda _, x, axes: np.expand_dims(x, tuple(map(int, axes))),
}
