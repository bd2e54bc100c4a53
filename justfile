# Recipes of one to eight lines; CI runs the same commands. They use the virtual environment that `just install` makes.

bin := ".venv/bin/"

default: test lint

# a virtual environment with everything that the tests need
install:
    python3 -m venv .venv
    {{bin}}pip install -q -e '.[dev]'

# all tests on two cores, with the coverage of the generator; `just test tests/cli` runs some of them
test *paths:
    {{bin}}pytest -n 2 {{ if paths == "" { "--cov" } else { paths } }}

# the property tests with other examples than CI's, until one fails or you stop it; `just fuzz tests/gym/reward`
fuzz *paths="tests":
    while {{bin}}pytest -n 2 {{paths}} -k "not command and not browser"; do :; done

# style and types
lint: types
    {{bin}}ruff check
    {{bin}}ruff format --check
    {{bin}}mypy

# links by which the type checker finds autoforge.* (not committed)
types:
    mkdir -p .types/autoforge
    ln -sfn ../../generator ../../gym ../../mcp_envs ../../trainer .types/autoforge/

# apply the formatter and what the linter can mend
format:
    {{bin}}ruff check --fix
    {{bin}}ruff format

# compile the examples into mcp_envs/ again: the commands of examples/README.md
examples:
    grep '^autoforge-gen ' examples/README.md | sed 's|^|{{bin}}|' | bash -euo pipefail

# every figure in one run: `just bench FOLDER` compiles that folder's documentation
bench *arguments:
    {{bin}}python -m bench.run {{arguments}}

# a GPU host: steps, rollouts, learning and numbers, in 8 minutes; `just gpu-check --device cpu --small` anywhere
gpu-check *arguments:
    $(command -v {{bin}}python || command -v python3) -m bench.gpu_check {{arguments}}

# what CI does, from a copy of the tree in a fresh virtual environment
ci:
    bash .ci/run
