"""What is documented is what is there: every setting has a meaning and a line in the help."""

from __future__ import annotations

from autoforge.trainer.settings.fields import all_keys, tables
from autoforge.trainer.settings.help_text import help_markdown, help_text
from autoforge.trainer.settings.layers import preset_names
from autoforge.trainer.settings.schema import TrainerSettings

OTHERS = ("erpo.", "rollouts.limits.", "rollouts.policy.", "model.template.")
"""Tables whose classes belong to other parts."""


def test_every_setting_of_this_schema_says_what_it_means() -> None:
    silent = [setting.key for table in tables() for setting in table.settings if not setting.meaning]
    assert [key for key in silent if not key.startswith(OTHERS)] == []


def test_every_table_says_what_it_is() -> None:
    assert [table.key for table in tables() if not table.meaning] == []


def test_the_help_has_every_setting_and_preset() -> None:
    text, page = help_text(), help_markdown()
    for table in tables():
        assert f"[{table.key}]" in text and f"`[{table.key}]`" in page
        for setting in table.settings:
            name = setting.key.rpartition(".")[2]
            assert f"\n  {name}: " in text and f"| `{name}` |" in page
    assert all(name in text for name in preset_names())
    assert max(map(len, text.splitlines())) < 160


def test_keys_are_those_that_a_file_may_have() -> None:
    keys = all_keys()
    assert len(keys) == len(set(keys)) and "erpo.method" in keys and "learner.lora.rank" in keys
    assert {key.partition(".")[0] for key in keys} == set(TrainerSettings.model_fields)
