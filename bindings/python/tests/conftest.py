import pathlib

import pytest

import threshold

DATA = pathlib.Path(__file__).parents[3] / "crates" / "golden" / "data"


@pytest.fixture(scope="session")
def origin():
    with threshold.World.sample() as world:
        yield world


@pytest.fixture
def world(origin):
    with origin.another() as world:
        yield world


@pytest.fixture(scope="session")
def data():
    return DATA
