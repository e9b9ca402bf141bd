"""The models match the server's OpenAPI document."""

from __future__ import annotations

import inspect
from typing import Any

import httpx
import pytest
from pydantic import BaseModel

from glyphlift import AsyncGlyphlift, Extraction, Glyphlift, Job, JobResult, Usage, WebhookEvent
from glyphlift.models import Jobs, Languages

from .conftest import URL

RESPONSES: list[tuple[type[BaseModel], str, str, str]] = [
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
    """The part of a schema that is compared: types, fields, required fields and literals."""
    if "$ref" in schema:
        return shape(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root)
    if "anyOf" in schema:
        kinds = [shape(one, root) for one in schema["anyOf"]]
        return kinds[0] if len(kinds) == 1 else {"any": sorted(kinds, key=str)}
    if "const" in schema or "enum" in schema:
        return {"literals": sorted(schema.get("enum", [schema.get("const")]))}
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
    """The schema of an optional field without null: a missing field is None in Python."""
    return schema | {"anyOf": [one for one in schema["anyOf"] if one.get("type") != "null"]} if "anyOf" in schema else schema


def assert_same_shape(model: type[BaseModel], documented: Any) -> None:
    own = model.model_json_schema(by_alias=True)
    assert shape(own, own) == shape(documented, documented)


@pytest.mark.parametrize(("model", "path", "method", "status"), RESPONSES)
def test_model_has_the_fields_of_the_response(
    document: Any, model: type[BaseModel], path: str, method: str, status: str
) -> None:
    content = document["paths"][path][method]["responses"][status]["content"]
    assert_same_shape(model, content["application/json"]["schema"])


def test_webhook_event_has_the_fields_of_the_webhook(document: Any) -> None:
    content = document["webhooks"]["jobEnded"]["post"]["requestBody"]["content"]
    assert_same_shape(WebhookEvent, content["application/json"]["schema"])


def test_both_clients_have_the_same_methods() -> None:
    def methods(client: type) -> dict[str, object]:
        return {
            name: inspect.signature(method).parameters
            for name, method in vars(client).items()
            if inspect.isfunction(method) and not name.startswith("_")
        }

    assert methods(Glyphlift) == methods(AsyncGlyphlift)
