import { describe, expect, it } from 'vitest';
import { programHere } from '../../support/entries/program-here.js';
import type { ProgramEnd } from '../../support/headless-program.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const { run } = programHere;

describe('a command line about sessions', () => {
  const sessions = (...args: readonly string[]): Promise<ProgramEnd> => run(['sessions', ...args], { folder: temporaryFolder(), home: temporaryFolder() });

  it.each([
    [['nonsense'], 'no command “nonsense”'],
    [['show'], 'needs the id'],
    [['show', ''], 'needs the id'],
    [['show', 'a', 'b'], 'takes one id'],
    [['list', 'a'], 'takes no “a”'],
    [['rename', 'a'], 'needs a title'],
    [['show', 'a', '--json'], '--json is not known for gnomon sessions show'],
    [['list', '--frce'], '--frce is not known'],
    [['export', 'a', '--output'], 'needs a value'],
    [['export', 'a', '--output', '--force'], 'needs the path of a file'],
    [['export', 'a', '--force'], '--force needs --output'],
    [['--session-storage', 'cloud'], 'cannot be “cloud”'],
  ])('that cannot be followed is refused: %j', async (args, why) => {
    const { code, output, errors } = await sessions(...args);
    expect([code, output]).toEqual([2, '']);
    expect(errors).toContain(why);
  });

  it('can ask for help', async () => {
    const { code, output } = await sessions('--help');
    expect(code).toBe(0);
    for (const name of ['list', 'show', 'rename', 'fork', 'export', 'delete', 'restore']) expect(output).toContain(`\n  ${name} `);
    for (const line of output.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
  });
});
