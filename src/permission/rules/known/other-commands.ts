import type { KnownCommand } from './known-command.js';

const RUBY: readonly KnownCommand[] = [
  {
    words: 'rspec',
    options: '--format=reporter --tag=name --only-failures --next-failure --fail-fast --seed=number --example=text --profile',
    operands: 'test',
    source: 'https://rspec.info/features/3-13/rspec-core/command-line/',
  },
  {
    words: 'rubocop',
    options: '-a -A --autocorrect --autocorrect-all --parallel --only=name --display-cop-names',
    operands: 'path',
    source: 'https://docs.rubocop.org/rubocop/usage/basic_usage.html',
  },
];

const PHP: readonly KnownCommand[] = [
  ...['phpunit', './vendor/bin/phpunit', 'vendor/bin/phpunit', './vendor/bin/pest', 'vendor/bin/pest'].map((words): KnownCommand => ({
    words,
    options: '--filter=text --testdox --stop-on-failure --group=names --testsuite=names --no-coverage',
    operands: 'test',
    source: 'https://docs.phpunit.de/en/12.0/textui.html',
  })),
  { words: 'composer test', options: '--no-interaction -n', source: 'https://getcomposer.org/doc/articles/scripts.md' },
  { words: 'composer run <script>', options: '--no-interaction -n', source: 'https://getcomposer.org/doc/articles/scripts.md' },
];

const OTHER_LANGUAGES: readonly KnownCommand[] = [
  {
    words: 'mix test',
    options: '--stale --failed --trace --cover --only=name --seed=number --max-failures=number',
    operands: 'test',
    source: 'https://hexdocs.pm/mix/Mix.Tasks.Test.html',
  },
  { words: 'mix compile', options: '--force --warnings-as-errors', source: 'https://hexdocs.pm/mix/Mix.Tasks.Compile.html' },
  { words: 'mix format', options: '--check-formatted --dry-run', operands: 'path', source: 'https://hexdocs.pm/mix/Mix.Tasks.Format.html' },
  ...['flutter test', 'dart test'].map((words): KnownCommand => ({
    words,
    options: '--coverage --name=text -n=text --plain-name=text --update-goldens --fail-fast',
    operands: 'test',
    source: 'https://dart.dev/tools/dart-test',
  })),
  ...['flutter analyze', 'dart analyze', 'dart format'].map((words): KnownCommand => ({
    words,
    options: '--fatal-infos --fatal-warnings --set-exit-if-changed',
    operands: 'path',
    source: 'https://dart.dev/tools/dart-tool',
  })),
  ...['fmt', 'validate'].map((name): KnownCommand => ({
    words: `terraform ${name}`,
    options: '-check -diff -recursive -json -no-color',
    singleDash: true,
    source: `https://developer.hashicorp.com/terraform/cli/commands/${name}`,
  })),
  {
    words: 'shellcheck',
    options: '--severity=name --shell=name --exclude=names',
    operands: 'path',
    source: 'https://github.com/koalaman/shellcheck/blob/master/shellcheck.1.md',
  },
  { words: 'shfmt', options: '-l -w -ci -s', operands: 'path', singleDash: true, source: 'https://github.com/mvdan/sh/blob/master/cmd/shfmt/shfmt.1.scd' },
  { words: 'yamllint', options: '-s --strict --format=name', operands: 'path', source: 'https://yamllint.readthedocs.io/en/stable/quickstart.html' },
  {
    words: 'actionlint',
    options: '-verbose -oneline -no-color',
    operands: 'path',
    singleDash: true,
    source: 'https://github.com/rhysd/actionlint/blob/main/docs/usage.md',
  },
];

/** Commands that only query a service; `--jq` and `--template` can print variables, and `--repo` and addresses name another place. */
const SERVICES: readonly KnownCommand[] = [
  ...['pr view', 'pr list', 'pr status', 'pr checks', 'pr diff', 'issue view', 'issue list', 'issue status', 'run view', 'run list', 'run watch'].map(
    (name): KnownCommand => ({
      words: `gh ${name}`,
      options: [
        '--comments --json=names --limit=number -L=number --state=name -s=name --label=name -l=name --author=name --name-only --patch',
        '--watch --log --log-failed --exit-status --branch=ref -b=ref',
      ].join(' '),
      operands: 'ref',
      source: 'https://cli.github.com/manual/',
    }),
  ),
  ...['ps', 'images', 'logs', 'compose ps', 'compose logs'].map((name): KnownCommand => ({
    words: `docker ${name}`,
    options: '-a --all -q --quiet --no-trunc --follow --tail=number -n=number --since=name --timestamps -t',
    operands: 'name',
    source: 'https://docs.docker.com/reference/cli/docker/',
  })),
];

const COREUTILS = 'https://www.gnu.org/software/coreutils/manual/coreutils.html';

/** Programs that change the files which they are given, and no other: each file is judged by its own rules, too. */
const FILES: readonly KnownCommand[] = [
  { words: 'mkdir', options: '-p --parents -v --verbose', operands: 'path', unoffered: true, source: COREUTILS },
  { words: 'touch', options: '-a -m --no-create', operands: 'path', unoffered: true, source: COREUTILS },
  {
    words: 'cp',
    options: '-R -a -p -n -v -u -i --recursive --archive --verbose --no-clobber',
    first: 'entry',
    operands: 'place',
    unoffered: true,
    source: COREUTILS,
  },
  { words: 'mv', options: '-n -v -u -i --verbose --no-clobber', first: 'entry', operands: 'place', unoffered: true, source: COREUTILS },
  { words: 'rmdir', options: '-v --verbose', operands: 'path', unoffered: true, source: COREUTILS },
  { words: 'rm', options: '-r -R -f -v -i -d --recursive --force --verbose', operands: 'path', unoffered: true, source: COREUTILS },
];

/** Programs of other languages, what asks services, and what changes files that it is given. */
export const OTHER_COMMANDS: readonly KnownCommand[] = [
  ...RUBY,
  ...RUBY.map((tool): KnownCommand => ({ ...tool, words: `bundle exec ${tool.words}` })),
  ...PHP,
  ...OTHER_LANGUAGES,
  ...SERVICES,
  ...FILES,
];
