"""What the tests of the learner share."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.trainer.learner.launched import Launched
from tests.trainer.learner.tiny import save_model

torch.set_num_threads(1)


@pytest.fixture(scope="session")
def launched(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Launched:
    """Scenes with the real DeepSpeed; xdist's workers have one folder for all."""
    base = tmp_path_factory.getbasetemp()
    return Launched(base if worker_id == "master" else base.parent)


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model whose embeddings are its own."""
    folder = tmp_path_factory.mktemp("models") / "untied"
    save_model(folder, tied=False)
    return folder
