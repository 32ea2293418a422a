import { beforeAll, describe, expect, it } from 'vitest';
import type { CommandAnalyzer } from '../../../../src/domain/tool/command-analysis.js';
import { createTools } from '../../../../src/tool/index.js';
import { isNegativeAnswer } from '../../../../src/tool/running/negative-answer.js';
import { createMemoryWorkspace, toolContext } from '../../../support/memory-workspace/index.js';
import { loadAnalyzer } from '../../permission/shell/rig.js';
import { textOf } from '../rig.js';

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
