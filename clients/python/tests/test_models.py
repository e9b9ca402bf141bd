"""The models and the server's OpenAPI document say the same."""

from __future__ import annotations

import inspect
from typing import Any

import httpx
import pytest
from pydantic import BaseModel

from glyphlift import AsyncGlyphlift, Extraction, Glyphlift, Job, JobResult, Usage, WebhookEvent
from glyphlift.models import Jobs, Languages

from .conftest import URL

ANSWERS: list[tuple[type[BaseModel], str, str, str]] = [
    (Extraction, "/api/extract-text", "post", "200"),
    (Usage, "/api/usage", "get", "200"),
    (Languages, "/api/languages", "get", "200"),
    (Job, "/api/jobs", "post", "202"),
    (Jobs, "/api/jobs", "get", "200"),
    (Job, "/api/jobs/{id}", "get", "200"),
    (JobResult, "/api/jobs/{id}/result", "get", "200"),
]


@pytest.fixture(scope="module")
def document() -> Any:
    return httpx.get(f"{URL}/api/openapi.json").json()


def shape(schema: Any, root: Any) -> Any:
    """What both kinds of schema say of a value: its type, its fields and which must be there, its words."""
    if "$ref" in schema:
        return shape(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root)
    if "anyOf" in schema:
        kinds = [shape(one, root) for one in schema["anyOf"]]
        return kinds[0] if len(kinds) == 1 else {"any": sorted(kinds, key=str)}
    if "const" in schema or "enum" in schema:
        return {"words": sorted(schema.get("enum", [schema.get("const")]))}
    if schema["type"] == "array":
        return {"list": shape(schema["items"], root)}
    if schema["type"] != "object":
        return schema["type"]
    required = set(schema.get("required", []))
    fields = {
        name: shape(field if name in required else without_null(field), root)
        for name, field in schema["properties"].items()
    }
    return {"fields": fields, "required": sorted(required)}


def without_null(schema: Any) -> Any:
    """A field that may be missing is None in Python."""
    return schema | {"anyOf": [one for one in schema["anyOf"] if one.get("type") != "null"]} if "anyOf" in schema else schema


def same(model: type[BaseModel], described: Any) -> None:
    own = model.model_json_schema(by_alias=True)
    assert shape(own, own) == shape(described, described)


@pytest.mark.parametrize(("model", "path", "method", "status"), ANSWERS)
def test_model_has_the_fields_of_the_answer(
    document: Any, model: type[BaseModel], path: str, method: str, status: str
) -> None:
    content = document["paths"][path][method]["responses"][status]["content"]
    same(model, content["application/json"]["schema"])


def test_webhook_event_has_the_fields_of_the_webhook(document: Any) -> None:
    content = document["webhooks"]["jobEnded"]["post"]["requestBody"]["content"]
    same(WebhookEvent, content["application/json"]["schema"])


def test_both_clients_have_the_same_methods() -> None:
    def methods(client: type) -> dict[str, object]:
        return {
            name: inspect.signature(method).parameters
            for name, method in vars(client).items()
            if inspect.isfunction(method) and not name.startswith("_")
        }

    assert methods(Glyphlift) == methods(AsyncGlyphlift)
