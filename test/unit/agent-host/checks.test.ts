import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { projectFiles } from '../../../src/agent-host/project-files.js';
import { CHECK_APPROVALS } from '../../../src/checks/approval.js';
import { type AskAboutCheck, type CheckQuestion, type ChecksRequest, ProjectChecks } from '../../../src/checks/project-checks.js';
import type { CheckOutcome, CheckResult } from '../../../src/domain/check.js';
import { boundContent } from '../../../src/node/files/bound-content.js';
import { createProcesses } from '../../../src/node/process/processes.js';
import { eventually } from '../../support/eventually.js';
import { MemoryApprovals } from '../../support/memory-approvals.js';
import { temporaryFolder, writeAt } from '../../support/temporary-folder.js';
import { MemoryLog } from '../engine/rig.js';
import { nodeHost } from './node-host.js';

const going = new AbortController().signal;

type Files = Readonly<Record<string, string | object>>;

function write(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) writeAt(join(folder, path), content);
}

/** The checks of a folder with a real host, whose user says yes until told otherwise. */
class Rig {
  readonly questions: CheckQuestion[] = [];
  /** What the user says. */
  answer = true;

  constructor(
    readonly checks: ProjectChecks,
    readonly folder: string,
  ) {}

  readonly ask: AskAboutCheck = (question) => {
    this.questions.push(question);
    return Promise.resolve(this.answer);
  };

  run(wish: Partial<ChecksRequest> = {}, signal = going): Promise<readonly CheckResult[]> {
    return this.checks.run({ folder: this.folder, ask: this.ask, ...wish }, signal);
  }

  /** What comes of the only check. */
  async outcome(wish: Partial<ChecksRequest> = {}, signal = going): Promise<CheckOutcome> {
    const [result] = await this.run(wish, signal);
    if (result === undefined) throw new Error('There is no check.');
    return result.outcome;
  }

  /** Why the user was asked since the last time. */
  asked(): readonly CheckQuestion['why'][] {
    return this.questions.splice(0).map(({ why }) => why);
  }

  async states(): Promise<readonly string[]> {
    return (await this.checks.list(this.folder, going)).checks.map(({ standing }) => standing.state);
  }
}

/** With the sandbox of this machine. */
async function confined(
  files: Files,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Rig & { readonly inFolder: (path: string) => Promise<ProjectChecks> }> {
  const [folder, storage] = [temporaryFolder(), temporaryFolder()];
  write(folder, files);
  const node = await nodeHost({ folder, storage, settings, log: new MemoryLog() });
  onTestFinished(() => node.close());
  return Object.assign(new Rig(await node.host.checks(), folder), { inFolder: (path: string) => node.host.checks(node.groundIn(path)) });
}

/** Without a sandbox. */
function unconfined(files: Files, more: { readonly trusted?: boolean; readonly approvals?: MemoryApprovals } = {}): Rig {
  const folder = temporaryFolder();
  write(folder, files);
  const { trusted = true, approvals = new MemoryApprovals() } = more;
  const checks = new ProjectChecks({
    files: projectFiles,
    bound: (binding, place, signal) => boundContent(binding, { folders: [place], folder: place }, signal),
    processes: createProcesses({ logFolder: temporaryFolder(), env: process.env }),
    readLog: () => Promise.resolve(undefined),
    sandbox: () => Promise.resolve({ available: false, reason: 'There is none.' }),
    environment: () => Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))),
    approvals: approvals.of(CHECK_APPROVALS),
    trusted: () => trusted,
    home: folder,
    platform: process.platform,
    timeoutMs: () => 60_000,
    now: () => 1,
  });
  return new Rig(checks, folder);
}

const PASSES = "import { test } from 'node:test';\ntest('adds', () => undefined);\n";
const FAILS = "import assert from 'node:assert';\nimport { test } from 'node:test';\ntest('adds', () => assert.equal(1 + 1, 3));\n";
const withTest = (test: string, more: Readonly<Record<string, string>> = {}): object => ({ type: 'module', scripts: { test, ...more } });

/** Processes whose command line has a word. */
function processesWith(word: string): readonly string[] {
  return readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id))
    .filter((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').includes(word);
      } catch {
        // It has ended just now.
        return false;
      }
    });
}

describe('a check', () => {
  it('is asked about once, runs in the sandbox, and is counted', async () => {
    const rig = await confined({ 'package.json': withTest('node --test'), 'a.test.mjs': PASSES });
    expect(await rig.states()).toEqual(['new']);
    const [result] = await rig.run({ afterEdit: 7 });
    expect(result).toMatchObject({ check: { id: 'package.json#test', line: 'npm test' }, afterEdit: 7 });
    expect(result?.outcome).toMatchObject({ state: 'passed', exitCode: 0, counts: { passed: 1, failed: 0 }, findings: [], confined: true });
    expect(rig.questions[0]).toMatchObject({ why: 'new', sandbox: { available: true } });
    expect(rig.questions[0]?.text).toContain('script "test": "node --test"');
    expect(rig.asked()).toEqual(['new']);
    write(rig.folder, { 'a.test.mjs': FAILS });
    expect(await rig.outcome()).toMatchObject({ state: 'failed', exitCode: 1, counts: { passed: 0, failed: 1 }, findings: [{ file: 'a.test.mjs', line: 3 }] });
    expect(rig.asked()).toEqual([]);
    expect((await rig.checks.list(rig.folder, going)).checks).toMatchObject([{ standing: { state: 'approved' }, last: { outcome: { state: 'failed' } } }]);
  });

  it('does not run where the user says no, or the workspace is not trusted', async () => {
    const files = { 'package.json': withTest('touch ran') };
    const rig = await confined(files);
    rig.answer = false;
    expect(await rig.outcome()).toEqual({ state: 'not_checkable', why: 'not_approved' });
    expect(await rig.states()).toEqual(['new']);
    const untrusted = unconfined(files, { trusted: false });
    expect(await untrusted.outcome()).toMatchObject({ state: 'not_checkable', why: 'not_approved' });
    expect([untrusted.asked(), existsSync(join(rig.folder, 'ran')), existsSync(join(untrusted.folder, 'ran'))]).toEqual([[], false, false]);
  });

  it('reaches no network and changes nothing outside', async () => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const [outside, { port }] = [temporaryFolder(), server.address() as { readonly port: number }];
    const connect = `require("net").connect(${port}, "127.0.0.1").on("connect", () => process.exit(0)).on("error", () => process.exit(3))`;
    const rig = await confined({ 'package.json': { scripts: { test: 'node connect.js', lint: `touch ${outside}/made inside` } }, 'connect.js': connect });
    const outcomes = (await rig.run()).map(({ check, outcome }) => [check.kind, outcome.state, 'exitCode' in outcome ? outcome.exitCode : undefined]);
    expect(outcomes).toEqual([
      ['lint', 'failed', 1],
      ['tests', 'failed', 3],
    ]);
    expect([readdirSync(outside), existsSync(join(rig.folder, 'inside'))]).toEqual([[], true]);
  });

  it('asks before each run where there is no sandbox', async () => {
    const rig = unconfined({ 'package.json': withTest('node --test'), 'a.test.mjs': PASSES });
    expect(await rig.outcome()).toMatchObject({ state: 'passed', confined: false });
    await rig.run();
    expect(rig.asked()).toEqual(['new', 'every_run']);
    rig.answer = false;
    expect(await rig.outcome()).toEqual({ state: 'not_checkable', why: 'not_approved' });
  });

  it('runs real tools of a project', async () => {
    const rig = unconfined({
      'package.json': { scripts: { typecheck: 'tsc -p .', test: 'vitest run --root .' } },
      'tsconfig.json': { compilerOptions: { noEmit: true, strict: true, types: [], skipLibCheck: true }, include: ['src'] },
      'src/a.ts': "export const n: number = 'text';\n",
      'a.test.mjs': "import { expect, test } from 'vitest';\ntest('adds', () => expect(1 + 1).toBe(3));\ntest('is', () => expect(1).toBe(1));\n",
    });
    symlinkSync(resolve('node_modules'), join(rig.folder, 'node_modules'));
    const [types, tests] = await rig.run();
    expect(types?.outcome).toMatchObject({
      state: 'failed',
      findings: [{ file: 'src/a.ts', line: 1, column: 14, message: expect.stringContaining('TS2322') as string }],
    });
    expect(tests?.outcome).toMatchObject({ state: 'failed', counts: { passed: 1, failed: 1 }, findings: [{ file: 'a.test.mjs', line: 2 }] });
  });
});

describe('the approval of a check', () => {
  const FILES: Files = {
    'package.json': {
      scripts: {
        pretest: 'cd tools && ./prepare.sh',
        test: 'npm run unit && run-s after:*',
        unit: 'node scripts/run.js',
        'after:a': 'bash $HERE/after.sh',
        other: 'x',
      },
    },
    'package-lock.json': '{}',
    'tools/prepare.sh': 'true\n',
    'tools/check.log': 'true\n',
    'scripts/run.js': "require('./loaded.js');\n",
    'scripts/loaded.js': '',
    'vitest.config.ts': 'export default {};\n',
    'tsconfig.build.json': '{}',
    'src/a.ts': '',
    'README.md': '',
    'tests/a.test.ts': '',
    '.npmrc': 'audit=false\n',
    'node_modules/.bin/run-s': '#!/bin/sh\n',
    'node_modules/a/index.js': '',
  };
  let rig: Rig;
  beforeEach(async () => {
    vi.stubEnv('PYTHONPATH', '/usr/lib/own');
    onTestFinished(() => void vi.unstubAllEnvs());
    rig = await confined(FILES);
    await rig.run();
    expect(rig.asked()).toEqual(['new']);
    expect(await rig.states()).toEqual(['approved']);
  });

  /** Everything that it is bound to is changed, one after the other, and put back. */
  it('is lost with each change of what it is bound to, and of nothing else', async () => {
    const at = (path: string): string => join(rig.folder, path);
    const changes: Readonly<Record<string, () => void>> = {
      'the script itself': () => write(rig.folder, { 'package.json': { scripts: { ...scriptsOf(FILES), test: 'npm run unit' } } }),
      'the script before it': () => write(rig.folder, { 'package.json': { scripts: { ...scriptsOf(FILES), pretest: 'true' } } }),
      'a script after it': () => write(rig.folder, { 'package.json': { scripts: { ...scriptsOf(FILES), posttest: 'true' } } }),
      'a script that it runs': () => write(rig.folder, { 'package.json': { scripts: { ...scriptsOf(FILES), unit: 'true' } } }),
      'a script that a pattern leads to': () => write(rig.folder, { 'package.json': { scripts: { ...scriptsOf(FILES), 'after:b': 'true' } } }),
      'a file that a script names, in the folder that it goes to': () => write(rig.folder, { 'tools/prepare.sh': 'evil\n' }),
      'a file that a script names': () => write(rig.folder, { 'scripts/run.js': 'evil\n' }),
      'a file that this loads': () => write(rig.folder, { 'scripts/loaded.js': 'evil\n' }),
      'the shell of npm': () => write(rig.folder, { '.npmrc': 'script-shell=./evil.sh\n' }),
      'the versions of packages': () => write(rig.folder, { 'package-lock.json': '{"evil":1}' }),
      'settings of a runner': () => write(rig.folder, { 'vitest.config.ts': 'evil' }),
      'settings of a runner that there were none of': () => write(rig.folder, { '.mocharc.cjs': 'evil' }),
      'settings of the compiler': () => write(rig.folder, { 'tsconfig.build.json': '{"extends":"./evil"}' }),
      'a starter of a package': () => write(rig.folder, { 'node_modules/.bin/run-s': 'evil' }),
      'a link in place of a script': () => {
        rmSync(at('scripts/run.js'));
        symlinkSync('/etc/hostname', at('scripts/run.js'));
      },
      'a variable by which programs find what they load': () => vi.stubEnv('PYTHONPATH', '/usr/lib/evil'),
      'the search path': () => vi.stubEnv('PATH', `/opt/evil:${process.env['PATH'] ?? ''}`),
    };
    const harmless: Readonly<Record<string, () => void>> = {
      'the code': () => write(rig.folder, { 'src/a.ts': 'changed' }),
      'a page': () => write(rig.folder, { 'README.md': 'changed' }),
      'a test, which is watched apart': () => write(rig.folder, { 'tests/a.test.ts': 'changed' }),
      'a package, which is not looked at': () => write(rig.folder, { 'node_modules/a/index.js': 'changed' }),
      'a variable that steers nothing': () => vi.stubEnv('SOME_FLAG', '1'),
    };
    const restore = (): void => {
      for (const path of Object.keys(FILES)) rmSync(at(path), { force: true });
      rmSync(at('.mocharc.cjs'), { force: true });
      write(rig.folder, FILES);
      vi.unstubAllEnvs();
      vi.stubEnv('PYTHONPATH', '/usr/lib/own');
    };
    const results: Record<string, readonly string[]> = {};
    for (const [name, change] of Object.entries({ ...changes, ...harmless })) {
      change();
      results[name] = await rig.states();
      restore();
      expect(await rig.states(), name).toEqual(['approved']);
    }
    const wanted = [...Object.keys(changes).map((name) => [name, ['changed']]), ...Object.keys(harmless).map((name) => [name, ['approved']])];
    expect(results).toEqual(Object.fromEntries(wanted));
  });

  it('says what it does not cover', async () => {
    rig.answer = false;
    write(rig.folder, { '.npmrc': '' });
    await rig.run();
    const [question] = rig.questions;
    expect(question?.before).toContain('audit');
    expect(question?.notBound.join('\n')).toContain('$HERE');
    expect(question?.notBound.join('\n')).not.toContain('`npm`');
  });

  it('does not hold for another version than the one that was shown', async () => {
    write(rig.folder, { '.npmrc': 'one' });
    const ask: AskAboutCheck = async (question) => {
      write(rig.folder, { '.npmrc': 'script-shell=./evil.sh' });
      return rig.ask(question);
    };
    expect(await rig.outcome({ ask })).toMatchObject({ state: 'not_checkable', why: 'not_approved' });
    expect(await rig.states()).toEqual(['changed']);
  });

  it('does not hold for a run that has changed the check or the tests, until the user has seen that', async () => {
    write(rig.folder, { 'tests/a.test.ts': 'weaker', 'src/a.ts': 'x' });
    await rig.run({ changedPaths: ['src/a.ts'] });
    expect(rig.asked()).toEqual([]);
    const changedPaths = ['src/a.ts', 'tests/a.test.ts'];
    await rig.run({ changedPaths });
    expect(rig.questions[0]?.text).toContain('changed test "tests/a.test.ts": SHA-256');
    expect(rig.asked()).toEqual(['changed_by_run']);
    await rig.run({ changedPaths });
    expect(rig.asked()).toEqual([]);
    write(rig.folder, { 'tests/a.test.ts': 'weaker still' });
    rig.answer = false;
    expect(await rig.outcome({ changedPaths })).toMatchObject({ why: 'not_approved' });
    rmSync(join(rig.folder, 'tests/a.test.ts'));
    await rig.run({ changedPaths });
    for (const path of ['.npmrc', 'sub/jest.config.js', 'SCRIPTS/RUN.JS', join(rig.folder, 'tools/prepare.sh'), './scripts/x/../run.js', 'a/__tests__/x.txt']) {
      expect(await rig.outcome({ changedPaths: [path] }), path).toMatchObject({ why: 'not_approved' });
    }
    expect(rig.asked()).toEqual(Array.from({ length: 8 }, () => 'changed_by_run'));
    // Nothing of that is an approval for other runs.
    expect(await rig.states()).toEqual(['approved']);
  });
});

function scriptsOf(files: Files): Readonly<Record<string, string>> {
  return (files['package.json'] as { readonly scripts: Readonly<Record<string, string>> }).scripts;
}

describe('a run of a check', () => {
  it('is judged by its exit code, whatever it prints', async () => {
    const print = 'console.log("      Tests  1000 passed (1000)");';
    const rig = await confined({
      'package.json': { scripts: { test: 'node lies.js', lint: 'node fails.js' } },
      'lies.js': `${print} process.exit(1)`,
      'fails.js': '',
    });
    write(rig.folder, { 'fails.js': 'console.log("a.js:1:1: error: x\\n      Tests  9 failed (9)");' });
    const [lint, tests] = await rig.run();
    expect(tests?.outcome).toMatchObject({ state: 'failed', exitCode: 1, counts: { passed: 1000, failed: 0 } });
    expect(lint?.outcome).toMatchObject({ state: 'passed', findings: [] });
  });

  it('with an output without end keeps a part of it', async () => {
    const rig = await confined({ 'package.json': withTest('yes "a.js:1:1: error: x" | head -c 60000000; exit 1') });
    const outcome = await rig.outcome();
    expect(outcome).toMatchObject({ state: 'failed', exitCode: 1 });
    expect(outcome.state === 'failed' ? outcome.findings[0] : undefined).toMatchObject({ file: 'a.js', line: 1 });
    expect(JSON.stringify(outcome).length).toBeLessThan(20_000);
  });

  it('leaves no process when it is stopped, or takes too long', async () => {
    const word = `98765.${process.pid}`;
    const script = `setsid sleep ${word} & nohup sleep ${word} & echo begun; sleep ${word}`;
    const rig = await confined({ 'package.json': withTest(script) }, { 'gnomon.checks.timeout': 5 });
    const stop = new AbortController();
    let output = '';
    const outcome = rig.outcome({ output: (chunk) => (output += chunk) }, stop.signal);
    await eventually(() => expect([output.includes('begun'), processesWith(word).length]).toEqual([true, 3]));
    stop.abort();
    expect(await outcome).toMatchObject({ state: 'not_checkable', why: 'cancelled' });
    expect(processesWith(word)).toEqual([]);
    expect(await rig.outcome()).toMatchObject({ state: 'not_checkable', why: 'timed_out' });
    expect(processesWith(word)).toEqual([]);
  });

  it('that cannot begin is no result', async () => {
    const rig = await confined({ 'package.json': withTest('no-such-program --all') });
    expect(await rig.outcome()).toMatchObject({ state: 'not_checkable', why: 'cannot_start', tail: expect.stringContaining('no-such-program') as string });
    const gone = join(rig.folder, 'gone');
    mkdirSync(gone);
    expect(await rig.run({ folder: gone })).toEqual([]);
  });
});

describe('a command of an agent', () => {
  it('says what a check says, unless the agent has changed the check', async () => {
    const rig = unconfined({ 'package.json': withTest('node --test'), 'a.test.mjs': FAILS });
    const ended = { folder: rig.folder, exitCode: 1, output: `${rig.folder}/a.js:3:1: error: no\n# pass 2\n# fail 1\n`, durationMs: 5, confined: true };
    expect(await rig.checks.observe({ ...ended, line: 'npm test -- a', changedPaths: [] })).toBeUndefined();
    expect(await rig.checks.observe({ ...ended, line: 'npm t', changedPaths: ['a.js'], afterEdit: 2 })).toMatchObject({
      check: { id: 'package.json#test' },
      outcome: { state: 'failed', counts: { passed: 2, failed: 1 }, findings: [{ file: 'a.js', line: 3, message: 'no' }] },
      afterEdit: 2,
    });
    for (const path of ['package.json', 'a.test.mjs', '.npmrc']) {
      expect(await rig.checks.observe({ ...ended, exitCode: 0, line: 'npm test', changedPaths: [path] })).toMatchObject({ outcome: { why: 'not_approved' } });
    }
    expect(await rig.checks.observe({ ...ended, exitCode: 127, line: 'npm test', changedPaths: [] })).toMatchObject({ outcome: { why: 'cannot_start' } });
  });
});

describe('the untouched project', () => {
  const FILES: Files = { 'package.json': withTest('node --test'), 'a.test.mjs': PASSES };
  /** A changed project, and the untouched one beside it. */
  async function both(before: Files, now: Files): Promise<{ readonly rig: Rig; readonly base: NonNullable<ChecksRequest['base']> }> {
    const rig = await confined({ ...FILES, ...now });
    const folder = temporaryFolder();
    write(folder, { ...FILES, ...before });
    return { rig, base: { id: 'one', folder, checks: await rig.inFolder(folder) } };
  }

  it('is asked about once where it is the same, and run once', async () => {
    const { rig, base } = await both({}, { 'a.test.mjs': FAILS });
    const ran: boolean[] = [];
    const begin = (_check: unknown, isBase: boolean): void => void ran.push(isBase);
    expect(await rig.outcome({ base, begin })).toMatchObject({ state: 'failed', findings: [{ file: 'a.test.mjs' }] });
    expect(await rig.outcome({ base, begin })).toMatchObject({ state: 'failed' });
    expect(await rig.outcome({ base: { id: 'one' }, begin })).toMatchObject({ state: 'failed' });
    expect([rig.asked(), ran]).toEqual([['new'], [true, false, false, false]]);
  });

  it('is asked about as it is, whatever the changes have touched', async () => {
    const { rig, base } = await both({}, { 'a.test.mjs': FAILS });
    expect(await rig.outcome({ base, changedPaths: ['a.test.mjs'] })).toMatchObject({ state: 'failed' });
    expect(rig.questions.map(({ folder }) => folder)).toEqual([base.folder, rig.folder]);
    expect(rig.asked()).toEqual(['new', 'changed_by_run']);
  });

  it('that is red makes nothing of the same a finding', async () => {
    const { rig, base } = await both({ 'a.test.mjs': FAILS }, { 'a.test.mjs': FAILS });
    expect(await rig.outcome({ base })).toMatchObject({ state: 'not_checkable', why: 'fails_before' });
    write(rig.folder, { 'b.test.mjs': FAILS.replace('3', '4') });
    expect(await rig.outcome({ base })).toMatchObject({ state: 'failed', before: true, findings: [{ file: 'b.test.mjs' }] });
    write(rig.folder, { 'a.test.mjs': PASSES, 'b.test.mjs': PASSES });
    expect(await rig.outcome({ base })).toMatchObject({ state: 'passed' });
  });

  it('in which it cannot run says that it is not checkable', async () => {
    const missing = { 'package.json': withTest('no-such-program') };
    const { rig, base } = await both(missing, missing);
    expect(await rig.outcome({ base })).toMatchObject({ state: 'not_checkable', why: 'base_cannot_run' });
    // What could run before and cannot now was broken.
    const broken = await both({}, missing);
    expect(await broken.rig.outcome({ base: broken.base })).toMatchObject({ state: 'failed', exitCode: 127 });
  });

  it('that does not have the check says nothing of it', async () => {
    const { rig, base } = await both({ 'package.json': { scripts: {} } }, {});
    expect(await rig.outcome({ base })).toMatchObject({ state: 'passed' });
  });
});

it('approvals are kept with the folder of the user, and are valid in this workspace alone', async () => {
  const approvals = new MemoryApprovals('["/a"]');
  await unconfined({ 'package.json': withTest('true') }, { approvals }).run();
  expect(approvals.content.entries).toMatchObject([{ kind: 'check', workspace: '["/a"]', value: { check: 'package.json#test' } }]);
  approvals.put(CHECK_APPROVALS, { check: 'x' }, 7, { check: 'y', text: 1, at: 1 });
  expect(approvals.of(CHECK_APPROVALS).list()).toHaveLength(1);
});
