import { describe, expect, it } from 'vitest';
import { checkOf } from '../../../src/checks/check-of.js';
import { followScripts } from '../../../src/checks/package-scripts.js';
import { recipesIn } from '../../../src/checks/readers.js';
import { findChecks } from '../../../src/checks/find-checks.js';
import { projectOf } from './project-of.js';

async function linesOf(files: Readonly<Record<string, string | object>>): Promise<readonly string[]> {
  const { checks } = await findChecks(projectOf(files));
  return checks.map(({ kind, folder, line }) => `${kind} ${folder === '' ? '' : `[${folder}] `}${line}`);
}

const scripts = (all: Readonly<Record<string, string>>, more: object = {}): object => ({ scripts: all, ...more });

describe('the checks of a project', () => {
  it('are the scripts of package.json that check something, run by its package manager', async () => {
    const all = { test: 'vitest run', lint: 'eslint .', typecheck: 'tsc --noEmit', build: 'vite build', deploy: 'sh deploy.sh', 'test:e2e': 'playwright test' };
    expect(await linesOf({ 'package.json': scripts(all) })).toEqual(['types npm run typecheck', 'lint npm run lint', 'build npm run build', 'tests npm test']);
    expect(await linesOf({ 'package.json': scripts(all), 'yarn.lock': '' })).toContain('tests yarn run test');
    expect(await linesOf({ 'package.json': scripts(all), 'bun.lock': '' })).toContain('tests bun run test');
    expect(await linesOf({ 'package.json': scripts(all, { packageManager: 'pnpm@10.1.0' }), 'yarn.lock': '' })).toContain('tests pnpm run test');
    expect(await linesOf({ 'package.json': scripts({ test: 'npm run unit', unit: 'vitest' }) })).toEqual(['tests npm test']);
    expect(await linesOf({ 'package.json': scripts({ check: 'svelte-check' }) })).toEqual(['types npm run check']);
    expect(await linesOf({ 'package.json': scripts({ check: 'npm run a', a: 'eslint .' }) })).toEqual(['lint npm run check']);
  });

  it.each([
    'vitest --watch',
    'vitest watch',
    'vitest -w',
    'jest --watchAll',
    'jest --watch=true',
    'tsc -w',
    'tsc -p . --watch',
    'mocha --watch',
    'node --test --watch',
    'npx vitest --ui',
    'cross-env CI= jest --watch',
    'ng test',
    'react-scripts test',
    'karma start',
    'nodemon --exec mocha',
    'vite',
    'eslint . --fix',
    'prettier --write .',
    'vitest run -u',
    'node --inspect-brk test.js',
    'npm run other',
    'npm-run-all other lint',
    'npm run build && pnpm test --watch',
    'echo "Error: no test specified" && exit 1',
    '',
  ])('do not contain a script that does not end, waits for the user, or changes files: %s', async (test) => {
    expect(await linesOf({ 'package.json': scripts({ test, other: 'vitest --watch' }) })).toEqual([]);
  });

  it.each([
    'vitest',
    'vitest --watch=false',
    'jest --watchAll=false',
    'jest --watch false',
    'CI=1 react-scripts test',
    'ng test --watch=false',
    'karma start --single-run',
    'npm -w packages/a test',
    'wc -w *.txt',
    'python -u test.py',
    'vite build',
    'mocha -u tdd',
    'c8 mocha --ui bdd',
  ])('contain a script that ends: %s', async (test) => {
    expect(await linesOf({ 'package.json': scripts({ test }) })).toEqual(['tests npm test']);
  });

  it('are what other build tools have', async () => {
    expect(await linesOf({ 'Cargo.toml': '[package]\nname = "a"\n' })).toEqual([
      'types cargo check --all-targets',
      'lint cargo clippy --all-targets',
      'tests cargo test',
    ]);
    expect(await linesOf({ 'go.mod': 'module a\n' })).toEqual(['lint go vet ./...', 'build go build ./...', 'tests go test ./...']);
    expect(await linesOf({ gradlew: '#!/bin/sh', 'build.gradle.kts': '' })).toEqual(['build ./gradlew assemble', 'tests ./gradlew check']);
    expect(await linesOf({ gradlew: '#!/bin/sh' })).toEqual([]);
    expect(await linesOf({ 'pom.xml': '<project/>', mvnw: '' })).toEqual(['build ./mvnw -B compile', 'tests ./mvnw -B test']);
    expect(await linesOf({ 'a.sln': '', 'a.csproj': '' })).toEqual(['build dotnet build', 'tests dotnet test']);
    expect(await linesOf({ 'composer.json': scripts({ test: 'phpunit', lint: '' }) })).toEqual(['tests composer run-script test']);
    expect(await linesOf({ Makefile: '.PHONY: test\nCC := gcc\ntest: build\n\t@go test ./...\nlint:\n\tgolint\nwatch:\n\tentr\ncheck: lint test\n' })).toEqual([
      'lint make lint',
      'lint make check',
      'tests make test',
    ]);
    expect(await linesOf({ justfile: 'set shell := ["bash"]\n\n@test *args:\n  cargo test {{args}}\n\nlint:\n  cargo watch -x clippy\n' })).toEqual([
      'tests just test',
    ]);
    expect(await linesOf({ 'deno.jsonc': '{ // tasks\n "tasks": { "test": "deno test -A", "build": { "command": "deno run b.ts" } } }' })).toEqual([
      'types deno check',
      'lint deno lint',
      'build deno task build',
      'tests deno task test',
      'tests deno test',
    ]);
  });

  it('are the tools of Python that a project has settings for, run as its lock file says', async () => {
    const pyproject = '[project]\nname = "a"\n[dependency-groups]\ndev = ["pytest>=8"]\n[tool.ruff]\nline-length = 100\n[tool.mypy]\nstrict = true\n';
    expect(await linesOf({ 'pyproject.toml': pyproject })).toEqual(['types mypy .', 'lint ruff check', 'tests pytest']);
    expect(await linesOf({ 'pyproject.toml': pyproject, 'uv.lock': '' })).toContain('tests uv run --no-sync pytest');
    expect(await linesOf({ 'pyproject.toml': '[project]\ndependencies = ["pytest-like"]\n', '.venv/bin/python': '' })).toEqual([]);
    expect(await linesOf({ 'pytest.ini': '[pytest]\n', 'setup.cfg': '[tool:pytest]\n[mypy]\n' })).toEqual(['types mypy .', 'tests pytest']);
    expect(await linesOf({ 'pytest.ini': '', '.venv/bin/python': '' })).toEqual(['tests .venv/bin/python -m pytest']);
  });

  it('are those of the folders in it where it has none itself', async () => {
    const web = { 'web/package.json': scripts({ test: 'vitest' }), 'api/go.mod': '', 'node_modules/a/package.json': scripts({ test: 'x' }) };
    expect(await linesOf({ 'README.md': '', ...web })).toEqual([
      'lint [api] go vet ./...',
      'build [api] go build ./...',
      'tests [api] go test ./...',
      'tests [web] npm test',
    ]);
    expect(await linesOf({ 'Cargo.toml': '[workspace]', ...web })).not.toContain('tests [web] npm test');
  });

  it('are left out, with a problem, where a file cannot be read', async () => {
    const found = await findChecks(
      projectOf({ 'package.json': '{ "scripts": ', 'pyproject.toml': '[tool\n', 'Cargo.toml': 'a = ', 'deno.json': '{', 'composer.json': '[', 'go.mod': '' }),
    );
    expect(found.problems.map(({ file }) => file).sort()).toEqual(['Cargo.toml', 'composer.json', 'deno.json', 'package.json', 'pyproject.toml']);
    expect(found.problems.every(({ message }) => message !== '')).toBe(true);
    expect(found.checks.map(({ id }) => id)).toEqual(['go.mod#vet', 'go.mod#build', 'go.mod#test']);
    const odd = ['[]', 'null', '7', '{"scripts":[]}', '{"scripts":{"test":7}}', '{"scripts":{"__proto__":"x","constructor":"y"}}', '['.repeat(50_000)];
    for (const text of odd) expect((await findChecks(projectOf({ 'package.json': text }))).checks).toEqual([]);
    for (const text of [`a = ${'['.repeat(50_000)}`, '[tool]\nruff = 3', 'tool = 1']) {
      expect((await findChecks(projectOf({ 'pyproject.toml': text }))).checks.length).toBeLessThanOrEqual(1);
    }
  });
});

describe('a command that somebody else ran', () => {
  const found = findChecks(
    projectOf({ 'package.json': scripts({ test: 'vitest', lint: 'eslint .' }), 'Cargo.toml': '[package]', Makefile: 'check:\n\ttrue\n' }),
  );
  const inWeb = findChecks(projectOf({ 'web/package.json': scripts({ test: 'vitest' }) }));

  it.each([
    ['npm test', 'package.json#test'],
    ['npm t', 'package.json#test'],
    ['npm run test', 'package.json#test'],
    ['npm run-script lint', 'package.json#lint'],
    ['npm run -s lint --', 'package.json#lint'],
    ['npm --silent test', 'package.json#test'],
    ['CI=1 npm test 2>&1', 'package.json#test'],
    ['cargo test', 'Cargo.toml#test'],
    [' make   check', 'Makefile#check'],
  ])('is a check: %s', async (line, id) => {
    expect(checkOf(line, (await found).checks)?.id).toBe(id);
  });

  it.each([
    'npm test -- src/a.test.ts',
    'npm test src/a.test.ts',
    'npm run test --workspace=a',
    'npm -w a test',
    'npm --prefix web test',
    'npm test | tail',
    'npm test || true',
    'npm test; true',
    'npm test && npm run lint',
    '! npm test',
    '(npm test)',
    'npm test &',
    'npm test $(true)',
    'npm test $ARGS',
    'NODE_OPTIONS=--require=./x npm test',
    'npm_config_script_shell=./x npm test',
    '/tmp/npm test',
    './npm test',
    'yarn test',
    'cargo test one',
    'cd web && npm test',
    'echo npm test',
    'npm test < answers',
    'npm',
    '',
  ])('is no whole check: %s', async (line) => {
    expect(checkOf(line, (await found).checks)).toBeUndefined();
  });

  it('is one in the folder of the check alone', async () => {
    const { checks } = await inWeb;
    expect(checkOf('npm test', checks)).toBeUndefined();
    expect(checkOf('npm test', checks, 'web')?.id).toBe('web/package.json#test');
    expect(checkOf('cd web && npm test', checks)?.id).toBe('web/package.json#test');
    expect(checkOf('cd ../web && npm test', checks, 'api')?.id).toBe('web/package.json#test');
    expect(checkOf('cd ../../web && npm test', checks, 'api')).toBeUndefined();
    expect(checkOf('cd /web && npm test', checks)).toBeUndefined();
  });

  it('of Bun itself is not the script of that name', async () => {
    const { checks } = await findChecks(projectOf({ 'package.json': scripts({ test: 'vitest' }), 'bun.lock': '' }));
    expect(checkOf('bun test', checks)).toBeUndefined();
    expect(checkOf('bun run test', checks)?.id).toBe('package.json#test');
  });
});

describe('scripts and recipes that a line leads to', () => {
  it('are not those of this package behind a change of the folder', () => {
    const own = { test: 'cd tools && npm run go', go: 'echo harmless' };
    expect(followScripts('npm test', own)).toEqual({ scripts: [{ name: 'test', line: 'cd tools && npm run go' }], complete: false });
    expect(followScripts('npm test', { test: 'cd tools && ./x.sh' })).toMatchObject({ complete: true });
  });

  it.each([
    ['a line that goes on', 'test:\n\tcd tools && \\\n\t./check.sh\n', 'test', 'cd tools &&  ./check.sh'],
    ['a recipe on the line of its rule', 'test: build ; sh tools/check.sh\n', 'test', 'sh tools/check.sh'],
    ['a target with a dot', 'test: .real\n.real:\n\tsh a.sh\n', '.real', 'sh a.sh'],
    ['a target with a slash', 'test: a/b\na/b:\n\tsh a.sh\n', 'a/b', 'sh a.sh'],
    ['a rule with two colons', 'test: x\nx::\n\tsh a.sh\n', 'x', 'sh a.sh'],
  ])('are read of %s', (_what, text, name, line) => {
    expect(recipesIn(text)[name]?.split('\n')).toContain(line);
  });
});
