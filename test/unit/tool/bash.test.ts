import { beforeAll, describe, expect, it } from 'vitest';
import type { CommandAnalyzer } from '../../../src/domain/tool/command-analysis.js';
import { isNegativeAnswer } from '../../../src/tool/bash.js';
import { createTools } from '../../../src/tool/index.js';
import { createMemoryWorkspace, toolContext } from '../../support/memory-workspace/index.js';
import { textsForUser } from '../../../src/domain/tool/model-notes.js';
import { loadAnalyzer } from '../permission/shell/rig.js';
import { rig, textOf } from './rig.js';

describe('bash', () => {
  it('plans one execution that shows exactly what will run, and where', async () => {
    const plan = await rig().tool('bash').plan({ command: 'npm test\n # all', description: 'safe' }, toolContext());
    expect(plan.accesses).toEqual([{ kind: 'execute', target: 'npm test\n # all' }]);
    expect(plan.preview).toEqual({ kind: 'command', command: 'npm test\n # all', cwd: '/ws', timeoutMs: 120_000 });
    expect(plan.subject).toBe('npm test ⏎ # all');
  });

  it('path-19: a folder of the model’s choice is judged too', async () => {
    const plan = await rig().tool('bash').plan({ command: 'ls', cwd: '/' }, toolContext());
    expect(plan.accesses).toEqual([
      { kind: 'execute', target: 'ls' },
      { kind: 'read', target: '/' },
    ]);
    expect(plan.preview).toMatchObject({ cwd: '/' });
  });

  it('returns output and exit code, and streams the output', async () => {
    const { call, processes } = rig();
    processes.on('npm test', { output: 'ok\n', durationMs: 1_234 });
    const context = toolContext();
    const result = await call('bash', { command: 'npm test', timeout_ms: 5_000 }, context);
    expect(result).toEqual({
      content: [{ type: 'text', text: 'ok\n[exit code 0 after 1.2 s]' }],
      isError: false,
      printed: { text: 'ok', exitCode: 0 },
      outcome: { kind: 'ran', exitCode: 0, durationMs: 1_200, notes: [{ block: 0, from: 2, to: 28 }] },
    });
    expect(context.chunks).toEqual(['ok\n']);
    expect(processes.requests).toEqual([{ command: 'npm test', cwd: '/ws', timeoutMs: 5_000 }]);
  });

  it.each([
    [{ exitCode: 2, output: 'bad' }, 'bad\n[exit code 2 after 0.0 s]', { kind: 'exited', exitCode: 2, durationMs: 0 }],
    [{ exitCode: undefined, signal: 'SIGSEGV' }, '(no output)\n[killed by SIGSEGV after 0.0 s]', { kind: 'killed', signal: 'SIGSEGV', durationMs: 0 }],
    [
      { exitCode: undefined, signal: 'SIGTERM', timedOut: true },
      '(no output)\n[time limit of 120 s reached; the command and everything it started were killed]',
      { kind: 'timed_out', limitMs: 120_000 },
    ],
    [{ exitCode: undefined, cancelled: true, output: 'a' }, 'a\n[stopped on request after 0.0 s]', { kind: 'killed', durationMs: 0 }],
  ])('a failed command is an error with its output: %j', async (outcome, text, became) => {
    const { call, processes } = rig();
    processes.on('x', outcome);
    const printed = { text: 'output' in outcome ? outcome.output : '', ...(outcome.exitCode === undefined ? {} : { exitCode: outcome.exitCode }) };
    const result = await call('bash', { command: 'x' });
    expect(result).toEqual({ content: [{ type: 'text', text }], isError: true, printed, outcome: { ...became, notes: expect.anything() as unknown } });
    expect(textsForUser(result.content, result.outcome ?? {})).toEqual(printed.text === '' ? [] : [printed.text]);
  });

  it('tool-01: points at the log when output was left out', async () => {
    const { call, processes } = rig();
    processes.on('x', { output: 'head\n…\ntail', omittedBytes: 5_000, logFile: '/logs/1.log' });
    expect(textOf(await call('bash', { command: 'x' }))).toContain('[5000 bytes left out; the whole output is in /logs/1.log]');
  });

  it('tool-01: says when the log lacks something', async () => {
    const { call, processes } = rig();
    processes.on('x', { output: 'head', omittedBytes: 5_000, logFile: '/logs/1.log', logProblem: 'the log could not be written: ENOSPC' });
    expect(textOf(await call('bash', { command: 'x' }))).toContain(
      '[5000 bytes left out; only a part of it is in /logs/1.log: the log could not be written: ENOSPC]',
    );
  });

  it('says what became of background processes', async () => {
    const { call, processes } = rig();
    processes.on('x', { leftBehind: true, detached: [41, 42] });
    expect(
      textOf(await call('bash', { command: 'x' }))
        .split('\n')
        .slice(1, 3),
    ).toEqual([
      '[What was still running in the background was ended with the command.]',
      '[Started as a daemon or with setsid, so not ended with the command: processes 41, 42]',
    ]);
  });

  it('says where it ran when that is not the workspace folder', async () => {
    const { call, processes } = rig();
    processes.on('pwd', { durationMs: 100 });
    expect(textOf(await call('bash', { command: 'pwd', cwd: '/ws' }))).toBe('(no output)\n[exit code 0 after 0.1 s]');
    expect(textOf(await call('bash', { command: 'pwd', cwd: 'sub' }))).toBe('(no output)\n[exit code 0 after 0.1 s in sub]');
  });

  it.each([' \n', 'a\0b', 'x'.repeat(100_001)])('refuses what no shell can run', async (command) => {
    await expect(rig().tool('bash').plan({ command }, toolContext())).rejects.toThrow(/empty|NUL|longer than/);
  });
});

describe('an exit code that is an answer', () => {
  let analyzer: CommandAnalyzer;
  beforeAll(async () => void (analyzer = await loadAnalyzer()));
  const answers = (command: string, exitCode = 1): boolean => isNegativeAnswer({ command, cwd: '/ws', exitCode }, analyzer);

  it.each([
    'grep x a.ts',
    '/usr/bin/grep -r "a; b" .',
    'rg x',
    'diff a b',
    'cmp a b',
    'test -f a',
    '[ -f a ]',
    'cat a | grep x',
    'cat a | sort | grep -c "x|y"',
    '{ ls; pwd; } | grep x',
    'timeout 5 grep x a',
    'LANG=C grep x a',
    'git grep x',
    'git diff --quiet',
    'pgrep node',
  ])('%s', (command) => {
    expect(answers(command)).toBe(true);
  });

  it.each([
    'npm test',
    'grep x a && npm test',
    'npm test; grep x a',
    'cd src && grep x a',
    'grep x a | head',
    'grep x a || exit 1',
    'cat $(grep x a)',
    'grep "$(npm test)" a',
    'git status',
    'git diff',
    'sh grep',
    'grep x a &',
    'if grep x',
    'echo grep x',
  ])('not %s', (command) => {
    expect(answers(command)).toBe(false);
  });

  it('not another exit code', () => {
    for (const exitCode of [0, 2, 127]) expect(answers('grep x a', exitCode)).toBe(false);
  });

  it('is no failed call, and is said', async () => {
    const memory = createMemoryWorkspace();
    const bash = createTools({ ...memory, analyzer: () => Promise.resolve(analyzer) }).find(({ spec }) => spec.name === 'bash');
    memory.processes.on('grep x a', { exitCode: 1, output: '' });
    memory.processes.on('npm test', { exitCode: 1, output: '' });
    const run = async (command: string): Promise<unknown> => {
      const result = await bash?.execute(await bash.plan({ command }, toolContext()), toolContext());
      return result && [result.isError, textOf(result)];
    };
    expect(await run('grep x a')).toEqual([false, '(no output)\n[exit code 1 after 0.0 s]']);
    expect(await run('npm test')).toEqual([true, '(no output)\n[exit code 1 after 0.0 s]']);
  });
});
