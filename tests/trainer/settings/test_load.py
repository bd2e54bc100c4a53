"""Settings from presets, files and --set: what goes over what, and every mistake as a sentence with what to do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.algorithm.erpo_settings import METHODS, ErpoSettings
from autoforge.trainer.settings import load_settings
from autoforge.trainer.settings.heeded import idle_keys
from autoforge.trainer.settings.layers import merged, preset_names
from autoforge.trainer.settings.toml_text import toml_text

LEAST = '[model]\npath = "tiny"\n[environments]\ntrain = ["hotel"]\n'


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The least file of settings, in the working folder."""
    monkeypatch.chdir(tmp_path)
    path = Path("config.toml")
    path.write_text(LEAST, encoding="utf-8")
    return path


def refusal(source: object, *assignments: str) -> str:
    with pytest.raises(BadInput) as refused:
        load_settings(str(source), assignments)
    return str(refused.value)


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_holds_together(name: str) -> None:
    assert load_settings(name).settings.environments.train


def test_the_published_recipe_has_32_tasks_of_8_rollouts_on_64_gpus() -> None:
    settings = load_settings("qwen3-30b-a3b").settings
    assert (settings.erpo.selection.tasks, settings.rollouts.group) == (32, 8)
    assert settings.learner.ranks + settings.sampler.gpus == 64
    assert settings.erpo == ErpoSettings() and settings.user.model == "openai:gpt-4.1"


def test_settings_are_read_without_torch() -> None:
    script = (
        "import sys\n"
        "for name in ('torch', 'transformers', 'deepspeed'): sys.modules[name] = None\n"
        "from autoforge.trainer.settings import load_settings\n"
        "from autoforge.trainer.settings.plan import plan_of\n"
        "plan_of(load_settings('tiny').settings)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_set_goes_over_the_file_and_the_file_over_its_preset(file: Path) -> None:
    file.write_text('preset = "tiny"\n[run]\nsteps = 7\nseed = 3\n', encoding="utf-8")
    loaded = load_settings(str(file), ["run.seed=4", "learner.betas=[0.8, 0.99]", "model.path=some/folder"])
    settings = loaded.settings
    assert (settings.run.steps, settings.run.seed, settings.run.device) == (7, 4, "cpu")
    assert settings.learner.betas == (0.8, 0.99) and settings.model.path == "some/folder"
    origins = loaded.layers.origins
    wanted = {"run.device": "preset tiny", "run.steps": "config.toml", "run.seed": "--set"}
    assert {key: origins[key] for key in wanted} == wanted


def test_a_file_is_taken_before_a_preset_of_the_same_name(file: Path) -> None:
    file.rename("tiny")
    assert load_settings("tiny").settings.run.device == "cuda"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (LEAST + "[learner]\nzeor = 2\n", "config.toml: learner.zeor is no setting (did you mean 'learner.zero'?)"),
        (LEAST + "[leraner]\nzero = 2\n", "config.toml: leraner is no setting (did you mean 'learner'?)"),
        ("zero = 2\n" + LEAST, "config.toml: zero is no setting (did you mean 'learner.zero'?)"),
        (LEAST + "[rollouts]\nlearning_rate = 1.0\n", "did you mean 'learner.learning_rate'?"),
        (LEAST + "[rollouts.policy]\ncontxt = 9\n", "did you mean 'rollouts.policy.context'?"),
        ('[model]\npath = "tiny"\n', "config.toml: environments is missing; add it, or begin with a preset"),
        (LEAST + "[learner]\nzero = 4\n", "config.toml: learner.zero = 4 should be"),
        (LEAST + '[run]\nsteps = "10"\n', 'config.toml: run.steps = "10" should be a valid integer'),
        (LEAST + "[run]\nsteps = 1.0\n", "run.steps = 1.0 should be a valid integer"),
        (LEAST + '[run]\ndevice = "gpu"\n', "run.device = \"gpu\" should be 'cuda' or 'cpu'"),
        (LEAST + "[learner]\nlearning_rate = nan\n", "learner.learning_rate is nan; no setting is"),
        (LEAST + "[run]\nseed = 2020-01-01\n", "run.seed is 2020-01-01; no setting is a date"),
        (LEAST + "[erpo]\nmethod = \"grop\"\n", "erpo.method = \"grop\" is no method (did you mean 'grpo'?)"),
        (LEAST + '[erpo.objective]\naggregation = "constant_length"\n', "erpo.objective does not hold together"),
        ("[model\n", "config.toml is not TOML"),
        ("preset = 3\n", "preset must be a name in quotes"),
        ('preset = "tini"\n', "config.toml: 'tini' is no preset (did you mean 'tiny'?)"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_file_is_a_sentence_with_file_key_and_what_to_do(file: Path, content: str, words: str) -> None:
    file.write_text(content, encoding="utf-8")
    assert words in refusal(file)


@pytest.mark.parametrize(
    ("assignment", "words"),
    [
        ("learner.zero", "is no assignment; write it as --set learner.zero=2"),
        ("=2", "is no assignment"),
        ("learner..zero=2", "is no assignment"),
        ("learner.zero=2\nrun.seed=3", "is no value of TOML"),
        ('model.path="x', "is no value of TOML"),
        ("learner.betas=[0.9", "is no value of TOML"),
        ("preset=tiny", "a preset is named in the file"),
        ("learner.zero=two", '--set: learner.zero = "two" should be'),
        ("learner.zeroo=2", "--set: learner.zeroo is no setting (did you mean 'learner.zero'?)"),
        ("learner.learning_rate=inf", "--set: learner.learning_rate is inf"),
        ("run=3", "--set: run = 3 should be an object"),
    ],
)
def test_a_mistake_in_set_is_a_sentence(file: Path, assignment: str, words: str) -> None:
    assert words in refusal(file, assignment)


def test_every_mistake_is_said_up_to_five(file: Path) -> None:
    said = refusal(file, *(f"run.wrong{n}=1" for n in range(7))).splitlines()
    assert len(said) == 6 and said[-1] == "and 2 more."


def test_a_name_that_is_neither_file_nor_preset_says_both() -> None:
    assert refusal("tinny").startswith("'tinny' is no file and no preset (did you mean 'tiny'?); presets are eight-gpu")
    assert "cannot be read" in refusal("nowhere.toml")


UNHEEDED = {
    "user.base_url=http://h/v1": "user.model is 'scripted'",
    "user.max_cost=1.0": "neither user nor judge",
    "sampler.tensor_parallel=2": "only vLLM",
    "sampler.gpus=2": "on the learner's devices",
    "sampler.urls=['http://h']": "vllm-server",
    "cold_start.rows=4": "cold_start.source is 'none'",
    "erpo.objective.kl_estimator=k1": "kl_weight is 0",
}


@pytest.mark.parametrize(("assignment", "why"), UNHEEDED.items())
def test_a_setting_that_nothing_heeds_is_refused_with_the_reason(file: Path, assignment: str, why: str) -> None:
    said = refusal(file, assignment)
    assert said.startswith(f"--set: {assignment.partition('=')[0]} would not be heeded: ") and why in said


def test_what_nothing_heeds_in_a_preset_is_passed_over() -> None:
    assert load_settings("tiny", ["cold_start.source=none"]).settings.cold_start.rows == 16


@pytest.mark.parametrize(
    ("assignments", "words"),
    [
        (["learner.micro_batch_tokens=1024"], "holds no conversation of rollouts.policy.context = 32768"),
        (["rollouts.policy.max_tokens=40000"], "more than rollouts.policy.context"),
        (["erpo.selection.tasks=2"], "less than tasks_per_environment = 4"),
        (["environments.unseen=['hotel']"], "names 'hotel', which is trained on"),
        (["erpo.selection.shuffled=true", "erpo.credit.weight=0.2"], "leaves credit of turns as it is"),
        (["user.model=gpt"], "none of scripted, PROVIDER:MODEL"),
        (["user.model=openai:m", "user.base_url=ftp://h"], "user.base_url is no address"),
        (["sampler.placement=apart"], "needs vLLM"),
        (["sampler.engine=vllm-server"], "sampler.urls is missing"),
        (["sampler.engine=vllm", "sampler.placement=apart", "sampler.gpus=3", "sampler.tensor_parallel=2"], "3 GPUs"),
        (["sync.way=nccl"], "between servers of vLLM and a learner on GPUs"),
        (["learner.offload=true"], "needs learner.zero = 1"),
        (["cold_start.source=trajectories"], "cold_start.files is missing"),
        (["cold_start.source=trajectories", "cold_start.files=['no.jsonl']"], "is no file here"),
        (["run.steps=0"], "leave nothing to do"),
        (["learner.warmup=100"], "leaves none of run.steps = 100"),
    ],
    ids=lambda value: value[-1] if isinstance(value, list) else "",
)
def test_settings_that_do_not_go_together_are_refused(file: Path, assignments: list[str], words: str) -> None:
    assert words in refusal(file, *assignments)


@pytest.mark.parametrize("name", METHODS)
def test_a_method_stands_for_its_settings_and_those_beside_it_go_over_it(file: Path, name: str) -> None:
    settings = load_settings(str(file), [f"erpo.method={name}", "erpo.objective.clip_high=0.28"]).settings
    expected = METHODS[name](32768)
    objective = expected.objective.model_copy(update={"clip_high": 0.28})
    assert settings.erpo == expected.model_copy(update={"objective": objective})


def test_dr_grpo_divides_by_the_most_that_a_rollout_may_sample(file: Path) -> None:
    short = ["erpo.method=dr_grpo", "rollouts.limits.turns=2", "rollouts.policy.max_tokens=100"]
    assert load_settings(str(file), short).settings.erpo.objective.length == 200


@pytest.mark.parametrize("name", preset_names())
def test_resolved_settings_read_again_are_the_same(name: str, tmp_path: Path) -> None:
    settings = load_settings(name, ["erpo.method=reinforce++"]).settings
    text = toml_text(settings, idle_keys(settings))
    (tmp_path / "again.toml").write_text(text, encoding="utf-8")
    again = load_settings(str(tmp_path / "again.toml")).settings
    assert toml_text(again, idle_keys(again)) == text and again.erpo == settings.erpo


NAMES = st.text(min_size=1, max_size=8)
VALUES = st.text(max_size=20) | st.booleans() | st.integers(-(2**40), 2**40) | st.lists(st.text(max_size=5), max_size=3)
TABLES = st.dictionaries(NAMES, VALUES | st.dictionaries(NAMES, VALUES, max_size=3), max_size=4)


@given(st.dictionaries(NAMES, st.text() | st.integers() | st.floats(allow_nan=False, allow_infinity=False), max_size=4))
def test_any_variables_of_a_template_survive_being_written_as_toml(variables: dict[str, object]) -> None:
    import tomllib

    from autoforge.trainer.settings.schema import TrainerSettings

    model = {"path": "tiny", "template": {"variables": variables}}
    settings = TrainerSettings.model_validate({"model": model, "environments": {"train": ("a",)}})
    assert tomllib.loads(toml_text(settings))["model"].get("template", {}).get("variables", {}) == variables


@given(TABLES, TABLES, TABLES)
def test_merging_is_associative_and_the_last_one_wins(
    one: dict[str, object], two: dict[str, object], three: dict[str, object]
) -> None:
    assert merged(merged(one, two), three) == merged(one, merged(two, three))
    over = merged(one, two)
    assert all(over[name] == value for name, value in two.items() if not isinstance(value, dict))
    assert merged(one, {}) == one and merged({}, one) == one
