import { describe, expect, it } from 'vitest';
import { steeringVariables } from '../../../src/checks/approval.js';
import { changedByRun } from '../../../src/checks/changed-by-run.js';
import { bindingOfCheck } from '../../../src/checks/check-binding.js';
import { CHECK_SOURCES, DECIDING_FILES, TEST_FILES } from '../../../src/checks/ecosystems.js';
import { findChecks } from '../../../src/checks/find-checks.js';
import type { Check } from '../../../src/domain/check.js';
import { projectOf } from './project-of.js';

const PLACE = { folder: '/project', home: '/home/user', platform: 'linux' } as const;
type Files = Parameters<typeof projectOf>[0];

/** A name that fits a pattern. */
const nameFor = (pattern: string): string => pattern.replaceAll('*', 'x').replace(/\[(.)[^\]]*\]/g, '$1');

/** A project of each kind, by a program in its lines. */
const PROJECTS: Readonly<Record<string, Files>> = {
  npm: { 'package.json': { scripts: { test: 'vitest' } } },
  deno: { 'deno.json': '{}' },
  pytest: { 'pytest.ini': '[pytest]' },
  cargo: { 'Cargo.toml': '[package]' },
  go: { 'go.mod': '' },
  gradlew: { gradlew: '', 'build.gradle': '' },
  mvn: { 'pom.xml': '' },
  dotnet: { 'a.csproj': '' },
  composer: { 'composer.json': { scripts: { test: 'phpunit' } } },
  make: { Makefile: 'test:\n\t./run.sh\n' },
  just: { justfile: 'test:\n  ./run.sh\n' },
};

async function testOf(files: Files): Promise<Check> {
  const { checks } = await findChecks(projectOf(files));
  const check = checks.find(({ kind }) => kind === 'tests');
  if (check === undefined) throw new Error('There are no tests.');
  return check;
}

const bound = async (check: Check, files: Files): Promise<ReadonlySet<string>> => {
  const { binding } = await bindingOfCheck(check, projectOf(files), PLACE);
  return new Set([...binding.files, ...binding.folders]);
};

describe('what a check is bound to', () => {
  it('has a project here for each kind of deciding files', () => {
    const known = DECIDING_FILES.filter(({ programs }) => Object.keys(PROJECTS).some((program) => programs?.test(program) === true));
    expect(known).toEqual(DECIDING_FILES);
  });

  it.each(Object.entries(PROJECTS))('contains every file that decides for %s, beside it and above', async (program, files) => {
    const rows = DECIDING_FILES.filter(({ programs }) => programs?.test(program) === true);
    const names = rows.flatMap((row) => row.names.map(nameFor));
    const inFolder = Object.fromEntries(Object.entries(files).map(([path, content]) => [`web/${path}`, content]));
    const check = await testOf(inFolder);
    expect(check.folder).toBe('web');
    const all = Object.fromEntries(names.flatMap((name) => [[name, ''] as const, [`web/${name}`, ''] as const]));
    const found = await bound(check, { ...all, ...inFolder });
    expect([...names, ...names.map((name) => `web/${name}`), check.file].filter((path) => !found.has(path))).toEqual([]);
    const folders = rows.flatMap((row) => row.folders ?? []);
    expect(folders.flatMap((name) => [name, `web/${name}`]).filter((path) => !found.has(path))).toEqual([]);
  });

  it('contains the scripts that recipes name, and the scripts that these call', async () => {
    const files = {
      Makefile: 'test: prepare\n\t@cd tools && ./run.sh\nprepare:\n\tnpm run unit\n',
      'package.json': { scripts: { unit: 'node scripts/a.js' } },
    };
    const { checks } = await findChecks(projectOf(files));
    const make = checks.find(({ line }) => line === 'make test');
    if (make === undefined) throw new Error('There is no target.');
    const found = await bound(make, files);
    for (const path of ['tools/run.sh', 'scripts/a.js', 'package.json']) expect(found).toContain(path);
    const composer = { 'composer.json': { scripts: { test: ['@lint', 'php bin/a.php'] } } };
    expect(await bound(await testOf(composer), composer)).toContain('bin/a.php');
    const deno = { 'deno.json': '{"tasks":{"test":"deno task x","x":"sh ./y.sh"}}' };
    expect(await bound(await testOf(deno), deno)).toContain('y.sh');
  });

  /** Lines that run a file, however they name it; the second is bound as a whole, or said not to be. */
  it.each([
    ['cd tools && ./check.sh', 'tools/check.sh'],
    ['(cd tools; sh check.sh)', 'tools/check.sh'],
    ['bash tools/check.log', 'tools/check.log'],
    ['sh tools/check.lock', 'tools/check.lock'],
    ['./tools/check.csv', 'tools/check.csv'],
    ['DIR=tools; $DIR/check.sh', '$DIR/check.sh'],
    ['sh tools/*.sh', 'tools'],
    ['sh tools/*.sh', 'tools/*.sh'],
    ['node -r ./tools/hook.js --test', 'tools/hook.js'],
    ['NODE_OPTIONS="--require ./tools/hook.js" vitest', 'tools/hook.js'],
    ['BASH_ENV=tools/env vitest', 'tools/env'],
    ['PYTHONPATH=tools pytest', 'tools'],
    ['PATH=tools:$PATH vitest', 'tools'],
    ['npx --yes some-runner', 'some-runner'],
    ['sh -c "sh tools/check.sh"', 'tools/check.sh'],
    ['if true; then . tools/check.sh; fi', 'tools/check.sh'],
  ])('contains what a script names, or says that it does not: %s → %s', async (test, path) => {
    const files = { 'package.json': { scripts: { test } } };
    const { binding } = await bindingOfCheck(await testOf(files), projectOf(files), PLACE);
    const told = binding.notBound.map((reason) => ('text' in reason ? reason.text : reason.kind));
    expect([...binding.files, ...binding.folders, ...told]).toContain(path);
  });

  it.each([
    ['cross-env A=1 npm run unit', 'unit', false],
    ['sh -c "npm run unit"', undefined, false],
    ['npm --prefix web run unit', undefined, false],
    ['npm run -w web unit', undefined, false],
    ['npm run unit && node scripts/b.js', 'unit', true],
    ['node --run unit', 'unit', true],
    ['concurrently "npm:unit"', 'unit', true],
    ['npm run unit -- --reporter=dot', 'unit', true],
    ['npm_config_script_shell=./x npm run unit', 'unit', false],
    ['npm run $NAME', undefined, false],
  ])('says whether all scripts of a line are known: %s', async (test, script, isKnown) => {
    const files = { 'package.json': { scripts: { test, unit: 'true' } } };
    const { scripts, binding } = await bindingOfCheck(await testOf(files), projectOf(files), PLACE);
    expect(scripts.map(({ name }) => name)).toEqual(script === undefined ? ['test'] : ['test', script]);
    expect(!binding.notBound.some((reason) => reason.kind === 'program' && reason.text === 'npm')).toBe(isKnown);
  });

  it('contains the variables that steer programs, as fingerprints', () => {
    const values = { PATH: '/usr/bin', NODE_OPTIONS: '--require ./x', BASH_ENV: './x', PYTHONPATH: 'x', HOME: '/home/user', LANG: 'de', SSH_TTY: '/dev/pts/1' };
    const variables = steeringVariables(values);
    expect(variables.map(({ name }) => name)).toEqual(['BASH_ENV', 'HOME', 'NODE_OPTIONS', 'PATH', 'PYTHONPATH']);
    expect(JSON.stringify(variables)).not.toContain('./x');
    const remote = { ...values, PATH: '/srv/bin/abc/bin/remote-cli:/usr/bin' };
    expect(steeringVariables(remote)).toEqual(variables);
    expect(steeringVariables({ ...values, PATH: '/opt/evil:/usr/bin' })).not.toEqual(variables);
  });
});

describe('a change', () => {
  const binding = { files: ['tools/run.sh', 'missing.js'], folders: ['gradle'] };
  const touched = (...paths: readonly string[]): readonly string[] => changedByRun(binding, paths, '/project').map(({ as }) => as);

  it('touches a check with each file that it is bound to, or that decides somewhere in the project', () => {
    expect(touched('tools/run.sh', 'missing.js', 'gradle/a.jar', '/project/tools/run.sh', 'TOOLS/run.sh', 'src/../tools/run.sh', 'tools\\run.sh')).toEqual(
      Array.from({ length: 7 }, () => 'runs'),
    );
    const names = [...DECIDING_FILES.flatMap(({ names: all }) => all.map(nameFor)), ...CHECK_SOURCES.map(({ file }) => nameFor(file))];
    const below = names.filter((name) => name !== 'conftest.py').map((name) => `packages/a/${name}`);
    expect(below.filter((path) => touched(path)[0] !== 'runs')).toEqual([]);
    expect(DECIDING_FILES.flatMap(({ folders = [] }) => folders).filter((folder) => touched(`sub/${folder}/x`)[0] !== 'runs')).toEqual([]);
  });

  it('touches it with tests, and with what these load', () => {
    const tests = [...TEST_FILES.names.map((name) => `src/${nameFor(name)}`), ...TEST_FILES.folders.map((folder) => `a/${folder}/deep/x.bin`)];
    expect(tests.filter((path) => touched(path).length === 0)).toEqual([]);
  });

  it('does not touch it with code and pages', () => {
    expect(touched('src/a.ts', 'README.md', 'docs/tests.md', 'src/latest.ts', 'lib/contest/a.go', 'src/attest.py', 'src/gradle.ts')).toEqual([]);
  });
});
