import { present } from '../../../domain/present.js';
import type { KnownCommand } from './known-command.js';

/** Options behind a script that every program which has them only uses to choose or to report. */
const OF_SCRIPT = [
  '--watch?=bool --watchAll?=bool --run --ci --coverage?=bool --no-coverage --silent --verbose --quiet --fix --check --write --update -u',
  '--passWithNoTests --bail --list --headed',
  '--noEmit --mode=output --testNamePattern=text --grep=text -t=text -g=text --project=name --runInBand --no-cache --debug',
  '--port=number --host --open --no-open',
  '--max-warnings=number --workers=number --maxWorkers=workers --retries=number --reporter=reporter --detectOpenHandles --forceExit',
  '--only-changed --onlyChanged --changed --list-different',
].join(' ');
const NPM_SCRIPTS = 'https://docs.npmjs.com/cli/v11/commands/npm-run';
const PNPM_SCRIPTS = 'https://pnpm.io/cli/run';
const YARN_SCRIPTS = 'https://yarnpkg.com/cli/run';
const BUN_SCRIPTS = 'https://bun.sh/docs/cli/run';

/** npm takes options before `--` for itself, also such as it does not know; the others hand all of them to the script. */
const OF_NPM = '--silent -s --if-present --workspaces --workspace=package';

/** Scripts of `package.json`, which is a protected file. `yarn <name>` also starts any program of a dependency, so only usual names stand here. */
const SCRIPTS: readonly KnownCommand[] = [
  { words: 'npm test', options: OF_NPM, behind: { options: OF_SCRIPT, operands: 'test' }, source: 'https://docs.npmjs.com/cli/v11/commands/npm-test' },
  { words: 'npm start', options: OF_NPM, behind: { options: OF_SCRIPT }, source: 'https://docs.npmjs.com/cli/v11/commands/npm-start' },
  ...scripts('npm run', NPM_SCRIPTS, { options: OF_NPM, behind: { options: OF_SCRIPT } }),
  ...scripts('pnpm run', PNPM_SCRIPTS, { options: OF_SCRIPT, behind: { options: OF_SCRIPT } }),
  ...scripts('yarn run', YARN_SCRIPTS, { options: OF_SCRIPT, behind: { options: OF_SCRIPT } }),
  ...scripts('bun run', BUN_SCRIPTS, { options: OF_SCRIPT }),
  ...['pnpm', 'yarn'].flatMap((program) => ['test', 'lint', 'typecheck', 'format'].map((name) => named(program, name, 'test'))),
  ...['pnpm', 'yarn'].flatMap((program) => ['build', 'dev', 'start'].map((name) => named(program, name))),
];

/** A script that checks something takes the files that it checks; what others take is not known. */
function scripts(words: string, source: string, table: Pick<KnownCommand, 'options' | 'behind'>): readonly KnownCommand[] {
  const { behind, options } = table;
  const check: KnownCommand = {
    words: `${words} <checkScript>`,
    source,
    ...(behind === undefined ? { ...present({ options }), operands: 'test' } : { ...table, behind: { ...behind, operands: 'test' } }),
  };
  return [check, { words: `${words} <script>`, source, ...table }];
}

function named(program: string, name: string, operands?: 'test'): KnownCommand {
  return { words: `${program} ${name}`, options: OF_SCRIPT, ...present({ operands }), source: program === 'pnpm' ? PNPM_SCRIPTS : YARN_SCRIPTS };
}

/** Programs of a project, without the options that name settings, plugins, or files to write: all of these are code or overwrite it. */
const TOOLS: readonly KnownCommand[] = [
  ...['vitest run', 'vitest'].map((words): KnownCommand => ({
    words,
    options: [
      '--run --watch?=bool --coverage?=bool --no-coverage -u --update --silent --bail=number --reporter=reporter -t=text --testNamePattern=text',
      '--project=name --changed',
      '--passWithNoTests --maxWorkers=workers --retry=number --no-file-parallelism --typecheck --hideSkippedTests --logHeapUsage',
    ].join(' '),
    operands: 'test',
    source: 'https://vitest.dev/guide/cli',
  })),
  {
    words: 'jest',
    options: [
      '--watch --watchAll?=bool --coverage?=bool --no-coverage -u --updateSnapshot --ci --silent --verbose --runInBand --bail --findRelatedTests',
      '--onlyChanged --passWithNoTests',
      '-t=text --testNamePattern=text --testPathPattern=text --testPathPatterns=text --maxWorkers=workers -w=workers --no-cache --detectOpenHandles',
      '--forceExit --listTests --json',
    ].join(' '),
    // Operands select among the files that the settings take for tests.
    operands: 'path',
    source: 'https://jestjs.io/docs/cli',
  },
  {
    words: 'mocha',
    options: '--watch -w --grep=text -g=text --bail -b --timeout=number -t=number --recursive --exit --reporter=reporter',
    operands: 'test',
    source: 'https://mochajs.org/running/cli/',
  },
  {
    words: 'playwright test',
    options: [
      '--headed --grep=text -g=text --project=name --workers=workers -j=workers --retries=number --list --update-snapshots -u -x',
      '--reporter=reporter --trace=traceback --last-failed',
    ].join(' '),
    operands: 'test',
    source: 'https://playwright.dev/docs/test-cli',
  },
  {
    words: 'tsc',
    options: '--noEmit --build -b --watch -w --pretty --incremental --skipLibCheck --strict --listFiles --project=tsconfig -p=tsconfig --showConfig',
    operands: 'tsconfig',
    source: 'https://www.typescriptlang.org/docs/handbook/compiler-options.html',
  },
  {
    words: 'eslint',
    options: [
      '--fix --fix-dry-run --cache --quiet --max-warnings=number --ext=names --no-error-on-unmatched-pattern',
      '--report-unused-disable-directives --format=reporter --no-color',
    ].join(' '),
    operands: 'path',
    source: 'https://eslint.org/docs/latest/use/command-line-interface',
  },
  {
    words: 'prettier',
    options: '--write -w --check --list-different -l --cache --ignore-unknown -u --no-error-on-unmatched-pattern',
    operands: 'path',
    source: 'https://prettier.io/docs/cli',
  },
  ...['check', 'lint', 'format', 'ci'].map((name): KnownCommand => ({
    words: `biome ${name}`,
    options: '--write --fix --staged --changed --verbose',
    operands: 'path',
    source: 'https://biomejs.dev/reference/cli/',
  })),
  {
    words: 'stylelint',
    options: '--fix --cache --quiet --max-warnings=number --allow-empty-input',
    operands: 'path',
    source: 'https://stylelint.io/user-guide/cli',
  },
  { words: 'oxlint', options: '--fix --quiet --deny-warnings --max-warnings=number', operands: 'path', source: 'https://oxc.rs/docs/guide/usage/linter/cli' },
  { words: 'vite build', options: '--mode=output --watch -w --debug --emptyOutDir', source: 'https://vite.dev/guide/cli' },
  ...['build', 'lint'].map((name): KnownCommand => ({
    words: `next ${name}`,
    options: '--debug --no-lint --strict --quiet --fix',
    source: 'https://nextjs.org/docs/app/api-reference/cli/next',
  })),
  {
    words: 'vue-tsc',
    options: '--noEmit --build -b --watch -w --skipLibCheck --project=tsconfig -p=tsconfig',
    source: 'https://github.com/vuejs/language-tools/tree/master/packages/tsc',
  },
  {
    words: 'svelte-check',
    options: '--watch --fail-on-warnings --threshold=name',
    source: 'https://github.com/sveltejs/language-tools/tree/master/packages/svelte-check',
  },
];

/** Ways to start a program of the project: directly, or by a package manager, which looks where dependencies are. */
const STARTERS: readonly string[] = ['', 'npx ', 'pnpm exec ', 'pnpm ', 'yarn ', 'bunx '];

/** Scripts and programs of JavaScript projects. */
export const JAVASCRIPT_COMMANDS: readonly KnownCommand[] = [
  ...SCRIPTS,
  ...TOOLS.flatMap((tool) => STARTERS.map((starter): KnownCommand => ({ ...tool, words: `${starter}${tool.words}` }))),
  { words: 'node --test', options: '--test-only --test-name-pattern=text --watch', operands: 'test', source: 'https://nodejs.org/api/cli.html' },
  {
    words: 'bun test',
    options: '--watch --coverage --bail?=number -t=text --test-name-pattern=text --todo --only --timeout=number -u --update-snapshots',
    operands: 'test',
    source: 'https://bun.sh/docs/cli/test',
  },
  {
    words: 'deno test',
    options: '--watch --fail-fast --coverage --parallel --filter=text --no-run --trace-leaks',
    operands: 'test',
    source: 'https://docs.deno.com/runtime/reference/cli/test/',
  },
  ...['lint', 'fmt'].map((name): KnownCommand => ({
    words: `deno ${name}`,
    options: '--check --fix --watch --quiet',
    operands: 'path',
    source: `https://docs.deno.com/runtime/reference/cli/${name}/`,
  })),
  // What `package.json` and the lock file name, and no other package.
  ...['npm ci', 'npm install', 'pnpm install', 'yarn install', 'bun install'].map((words): KnownCommand => ({
    words,
    options: '--frozen-lockfile --immutable --no-audit --no-fund --prefer-offline --ignore-scripts',
    unoffered: true,
    source: 'https://docs.npmjs.com/cli/v11/commands/npm-install',
  })),
];
