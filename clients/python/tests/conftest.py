"""The address, API key and picture of the server that the suite has started."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from glyphlift import Glyphlift

URL = os.environ["GLYPHLIFT_URL"]
KEY = os.environ["GLYPHLIFT_KEY"]
PICTURE = Path(os.environ["GLYPHLIFT_PICTURE"])
TEXT = "Harbour lights\nseven boats"


@pytest.fixture
def client() -> Iterator[Glyphlift]:
    with Glyphlift(URL, KEY) as client:
        yield client
