import type { KnownCommand } from './known-command.js';

/** Left out of all: plugins (`-p`), settings (`-c`, `-o`, `--rootdir`), and what imports a class by name (`-W`, `--pdbcls`). */
const TOOLS: readonly KnownCommand[] = [
  {
    words: 'pytest',
    options: [
      '-q --quiet -v --verbose -x --exitfirst -s -l --showlocals -k=text -m=text --maxfail=number --lf --last-failed --ff --failed-first --nf --sw',
      '--stepwise --tb=traceback -r=outcomes',
      '--durations=number -n=workers --no-header --no-summary --cov?=path --cov-report=coverageReport --cov-fail-under=number --no-cov',
      '--collect-only --co --disable-warnings --strict-markers',
    ].join(' '),
    operands: 'test',
    source: 'https://docs.pytest.org/en/stable/reference/reference.html#command-line-flags',
  },
  {
    words: 'ruff check',
    options: [
      '--fix --unsafe-fixes --no-fix --diff --watch --statistics --show-fixes --select=names --ignore=names --extend-select=names',
      '--output-format=reporter --preview --quiet -q --no-cache',
    ].join(' '),
    operands: 'path',
    source: 'https://docs.astral.sh/ruff/configuration/#full-command-line-interface',
  },
  {
    words: 'ruff format',
    options: '--check --diff --preview --quiet -q --line-length=number --no-cache',
    operands: 'path',
    source: 'https://docs.astral.sh/ruff/configuration/#full-command-line-interface',
  },
  {
    words: 'mypy',
    options: [
      '--strict --ignore-missing-imports --no-error-summary --pretty --show-error-codes --check-untyped-defs --no-incremental',
      '--show-error-context --disallow-untyped-defs',
    ].join(' '),
    operands: 'path',
    source: 'https://mypy.readthedocs.io/en/stable/command_line.html',
  },
  {
    words: 'pyright',
    options: '--warnings --stats --skipunannotated --verbose',
    operands: 'path',
    source: 'https://microsoft.github.io/pyright/#/command-line',
  },
  {
    words: 'black',
    options: '--check --diff --color -q --quiet -v --verbose -l=number --line-length=number',
    operands: 'path',
    source: 'https://black.readthedocs.io/en/stable/usage_and_configuration/the_basics.html',
  },
  {
    words: 'isort',
    options: '--check-only --check --diff --profile=profile --line-length=number -q --quiet',
    operands: 'path',
    source: 'https://pycqa.github.io/isort/docs/configuration/options.html',
  },
  {
    words: 'flake8',
    options: '--max-line-length=number --select=names --ignore=names --extend-ignore=names --statistics --count',
    operands: 'path',
    source: 'https://flake8.pycqa.org/en/latest/user/options.html',
  },
  {
    words: 'pylint',
    options: '--errors-only --disable=names --enable=names',
    operands: 'path',
    source: 'https://pylint.readthedocs.io/en/stable/user_guide/configuration/all-options.html',
  },
];

/** Modules that `python -m` starts as programs of the same name. */
const MODULES: ReadonlySet<string> = new Set(['pytest', 'mypy', 'black', 'isort', 'flake8', 'pylint', 'ruff check', 'ruff format']);

/** Programs of Python projects. */
export const PYTHON_COMMANDS: readonly KnownCommand[] = [
  ...TOOLS.flatMap((tool) => ['', 'uv run ', 'poetry run ', 'pdm run '].map((starter): KnownCommand => ({ ...tool, words: `${starter}${tool.words}` }))),
  ...TOOLS.filter(({ words }) => MODULES.has(words)).flatMap((tool) =>
    ['', 'uv run ', 'poetry run '].map((starter): KnownCommand => ({ ...tool, words: `${starter}<python> -m ${tool.words}` })),
  ),
  {
    words: '<python> -m unittest discover',
    options: '-v --verbose -q --quiet --failfast -b --buffer -k=text',
    source: 'https://docs.python.org/3/library/unittest.html#command-line-interface',
  },
  {
    words: '<python> -m unittest',
    options: '-v --verbose -q --quiet --failfast -b --buffer -k=text',
    operands: 'testModule',
    source: 'https://docs.python.org/3/library/unittest.html#command-line-interface',
  },
  ...['list', 'show', 'freeze', 'check'].map((name): KnownCommand => ({
    words: `pip ${name}`,
    options: '--outdated --local --verbose -v',
    operands: 'name',
    source: `https://pip.pypa.io/en/stable/cli/pip_${name}/`,
  })),
  { words: 'tox', options: '-e=names -q -v -p --parallel', source: 'https://tox.wiki/en/latest/cli_interface.html' },
  { words: 'nox', options: '-s=names --session=names --list -l', source: 'https://nox.thea.codes/en/stable/usage.html' },
  ...['sync', 'lock'].map((name): KnownCommand => ({
    words: `uv ${name}`,
    options: '--frozen --locked --all-extras --all-groups --check --upgrade',
    source: 'https://docs.astral.sh/uv/reference/cli/',
  })),
  {
    words: 'pre-commit run',
    options: '--all-files -a --show-diff-on-failure -v --verbose',
    operands: 'name',
    source: 'https://pre-commit.com/#pre-commit-run',
  },
];
