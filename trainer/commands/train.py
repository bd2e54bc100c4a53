"""`autoforge-train CONFIG.toml`: the plan, or the run.

Invariant: settings are read and checked before anything heavy is imported; the plan needs no extra, and a run that
lacks one is told which before anything is written. Not covered: the run (`trainer.run`).
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Sequence

import click

from autoforge.gym.commandline.terminal import messages, output
from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.settings.heeded import idle_keys
from autoforge.trainer.settings.load import load_settings
from autoforge.trainer.settings.plan import plan_of
from autoforge.trainer.settings.plan.text import print_plan
from autoforge.trainer.settings.schema import TrainerSettings
from autoforge.trainer.settings.toml_text import toml_text

__all__ = ["run_train"]

_TRAIN = ("torch", "transformers", "deepspeed")


def run_train(config: str, *, assignments: Sequence[str], dry_run: bool, resume: bool, as_json: bool) -> int:
    """0 when the run was made, or its plan fits; 1 for a plan that does not. Raises BadInput."""
    if dry_run and resume:
        raise BadInput("--dry-run goes on with nothing; leave out --resume.")
    settings = load_settings(config, assignments).settings
    if dry_run:
        return _plan(settings, as_json)
    _check_extras(settings)
    from autoforge.trainer.run import run_training

    run_training(settings, resume=resume)
    if as_json and os.environ.get("RANK", "0") == "0":
        click.echo(json.dumps({"folder": str(settings.run.folder)}, ensure_ascii=False))
    return 0


def _plan(settings: TrainerSettings, as_json: bool) -> int:
    plan = plan_of(settings)
    if as_json:
        click.echo(json.dumps(plan.record(), ensure_ascii=False, indent=1))
    else:
        click.echo(toml_text(settings, idle_keys(settings)))
    print_plan(messages() if as_json else output(), plan)
    return 1 if plan.problems else 0


def _check_extras(settings: TrainerSettings) -> None:
    """Raises BadInput for what an extra would bring."""
    missing = [name for name in _TRAIN if importlib.util.find_spec(name) is None]
    if missing:
        raise BadInput(f"a run needs {', '.join(missing)}: pip install 'autoforge-rl[train]' (--dry-run needs none).")
    if settings.learner.lora is not None and importlib.util.find_spec("peft") is None:
        raise BadInput("learner.lora needs peft: pip install peft, or leave the setting out.")
    if settings.sampler.engine == "vllm" and importlib.util.find_spec("vllm") is None:
        words = "sampler.engine = 'vllm' needs vllm: pip install 'autoforge-rl[vllm]'"
        raise BadInput(f"{words}, or --set sampler.engine=torch.")
