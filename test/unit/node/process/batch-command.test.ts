import { describe, expect, it } from 'vitest';
import { batchCommand, isBatchFile } from '../../../../src/node/process/batch-command.js';

/** The command line behind the name of the batch file. */
function line(...args: readonly string[]): string {
  return /^""C:\\x\\npx\.cmd" ?(.*)"$/.exec(batchCommand('C:\\x\\npx.cmd', args).args.at(-1) ?? '')?.[1] ?? 'something else';
}

describe('M-36: a batch file', () => {
  it('is run by the command interpreter of the system, without what that would run first', () => {
    const { program, args } = batchCommand('C:\\x\\npx.cmd', []);
    expect(program).toMatch(/System32.cmd\.exe$/);
    expect(args).toEqual(['/e:ON', '/v:OFF', '/d', '/c', '""C:\\x\\npx.cmd""']);
    expect(['npx.cmd', 'A.BAT', 'node.exe', 'cmd'].map(isBatchFile)).toEqual([true, true, false, false]);
  });

  it.each([
    ['-y @scope/name@1.2', '"-y @scope/name@1.2"'],
    ['--port=3000', '"--port=3000"'],
    ['C:\\work\\a.txt', 'C:\\work\\a.txt'],
    ['', '""'],
    ['a b', '"a b"'],
    ['& calc', '"& calc"'],
    ['" & calc & "', '""" & calc & """'],
    ['%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
    ['back\\', '"back\\\\"'],
    ['a\\"b', '"a\\\\""b"'],
    ['^|<>!', '"^|<>!"'],
  ])('gets %j as one argument', (arg, expected) => {
    expect(line(arg)).toBe(expected);
    expect(line(arg, arg)).toBe(`${expected} ${expected}`);
  });

  it('is not run with what cannot be written on a command line', () => {
    expect(() => batchCommand('C:\\x"y.cmd', [])).toThrow();
    expect(() => batchCommand('C:\\x.cmd', ['a\nb'])).toThrow();
  });
});
