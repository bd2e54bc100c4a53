"""The committed base: what it is made from, and what it can do."""

from __future__ import annotations

import random
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from autoforge.mcp_envs.task import read_tasks
from autoforge.trainer.tiny import tiny_model
from autoforge.trainer.tiny.dialogues import dialogue, text_of
from autoforge.trainer.tiny.pretrain import PretrainSettings, pretrain
from tests.gym.conftest import ENVIRONMENTS

PRACTICE = ("desk", "depot", "shelf")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("tiny") / "model"
    tiny_model(made)
    return made


def test_it_is_below_five_megabytes_and_has_the_compact_template(folder: Path) -> None:
    assert sum(path.stat().st_size for path in folder.iterdir()) < 5_000_000
    compact = (resources.files("autoforge.trainer.tiny") / "compact.jinja").read_text(encoding="utf-8")
    assert AutoTokenizer.from_pretrained(folder).chat_template == compact


def test_the_same_dice_give_the_same_dialogue() -> None:
    for seed in range(50):
        assert dialogue(random.Random(seed)) == dialogue(random.Random(seed))


def test_no_instruction_and_no_value_of_the_practice_environments_is_in_the_dialogues() -> None:
    """Words are shared; whole values (titles, codes) and instructions are not."""
    texts = "\n".join(text_of(dialogue(random.Random(f"look {n}"))) for n in range(3000))
    for name in PRACTICE:
        for task in read_tasks(ENVIRONMENTS / name):
            assert task.instruction not in texts
            known = [str(value) for value in task.known.values() if len(str(value)) > 10]
            assert not [value for value in known if value in texts]


def test_a_digit_is_a_token_of_its_own_and_the_marks_are_single_ones(folder: Path) -> None:
    tokenizer: Any = AutoTokenizer.from_pretrained(folder)
    assert len(tokenizer.encode("40917", add_special_tokens=False)) == 5
    for mark in ("<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>", "<think>", "</think>"):
        assert len(tokenizer.encode(mark, add_special_tokens=False)) == 1


def test_it_says_most_made_up_dialogues_right_in_every_token(folder: Path) -> None:
    torch.set_num_threads(1)
    tokenizer: Any = AutoTokenizer.from_pretrained(folder)
    model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    right = 0
    for number in range(32):
        ids, said = [], []
        for piece in dialogue(random.Random(f"never seen {number}")):
            own = tokenizer.encode(piece.text, add_special_tokens=False)
            ids += own
            said += [piece.role == "said"] * len(own)
        with torch.no_grad():
            likeliest = model(input_ids=torch.tensor([ids])).logits[0, :-1].argmax(-1).tolist()
        right += all(a == b for a, b, mine in zip(likeliest, ids[1:], said[1:], strict=True) if mine)
    assert right >= 12  # 0 at random; every token of up to eight calls has to be right


def test_the_script_writes_a_folder_that_loads(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    told: list[str] = []
    pretrain(tmp_path / "made", PretrainSettings(steps=3, copies=2, rows=2), told.append)
    AutoModelForCausalLM.from_pretrained(tmp_path / "made")
    assert len(AutoTokenizer.from_pretrained(tmp_path / "made")) == 1024
