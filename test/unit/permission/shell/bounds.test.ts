import { expect, test } from 'vitest';
import { createBashAnalyzer } from '../../../../src/permission/shell/bash-analyzer.js';
import { doubtsOf, isHarmless, linesOf, loadAnalyzer, PLACE, wasm } from './rig.js';
import { HARD_LINES, UNREADABLE_LINES } from './worst-lines.js';

const analyzer = await loadAnalyzer();

test.each(UNREADABLE_LINES)('cmd-32: %s is unreadable, and it is said why', (_what, line) => {
  expect(analyzer.analyze(line, PLACE).unreadable).toMatch(/^[A-Z].*\.$/);
});

test.each(HARD_LINES)('cmd-32: a command behind %s is found, if it can be read at all', (_what, line) => {
  const analysis = analyzer.analyze(`${line}; touch PWN`, PLACE);
  expect(analysis.unreadable !== undefined || linesOf(analysis).includes('touch PWN')).toBe(true);
});

test('after a line that could not be parsed in time, the next one is judged as ever', () => {
  expect(analyzer.analyze('('.repeat(100_000), PLACE).unreadable).toBeDefined();
  expect(isHarmless(analyzer.analyze('ls', PLACE))).toBe(true);
  expect(analyzer.analyze("echo 'a", PLACE).unreadable).toBeDefined();
  expect(linesOf(analyzer.analyze('ls -la', PLACE))).toEqual(['ls -la']);
});

test('what was found before the unreadable part stays found, so that it can be denied', () => {
  const analysis = analyzer.analyze('curl x; echo "`a "b"`"', PLACE);
  expect(analysis.unreadable).toBeDefined();
  expect(linesOf(analysis)).toContain('curl x');
});

test('trees are given back: many lines do not fill the memory', () => {
  // Of a line that is not complete, there is a whole tree, and nothing more is made of it, which takes no time.
  const lines = [`echo ${'a '.repeat(500)}`, ...Array.from({ length: 20 }, () => `echo ${'a '.repeat(2_000)}(`)];
  const analyzeAll = (): void => lines.forEach((line) => void analyzer.analyze(line, PLACE));
  analyzeAll();
  const before = process.memoryUsage().external;
  for (let round = 0; round < 3; round++) analyzeAll();
  expect(process.memoryUsage().external - before).toBeLessThan(5_000_000);
});

test('the files can be given as bytes or as functions that read them', async () => {
  const other = await createBashAnalyzer({ runtime: await wasm('tree-sitter.wasm'), grammar: await wasm('tree-sitter-bash.wasm') });
  expect(other.shell).toBe('bash');
  expect(isHarmless(other.analyze('ls', PLACE))).toBe(true);
});

test('a grammar that cannot be read is an error', async () => {
  const grammar = (): Promise<Uint8Array> => Promise.reject(new Error('no such file'));
  await expect(createBashAnalyzer({ runtime: () => wasm('tree-sitter.wasm'), grammar })).rejects.toThrow('no such file');
  await expect(createBashAnalyzer({ runtime: () => wasm('tree-sitter.wasm'), grammar: new Uint8Array([1, 2, 3]) })).rejects.toThrow();
});

test('lines that the grammar mixes up are read one after the other, as the shell does', () => {
  const line = 'cd src\nls | grep x | head -3\ncat a 2>/dev/null\nif true\nthen pwd\nfi\ncat <<EOF\na\nEOF\n\\ls b';
  const analysis = analyzer.analyze(line, PLACE);
  expect(analysis.unreadable).toBeUndefined();
  expect(linesOf(analysis)).toEqual(['cd src', 'ls', 'grep x', 'head -3', 'cat a', 'true', 'pwd', 'cat', 'ls b']);
  expect(analysis.files).toContainEqual({ kind: 'read', path: '/ws/src/a', by: 'operand' });
  expect(isHarmless(analysis)).toBe(true);
  expect(isHarmless(analyzer.analyze(`${line}\n\\touch PWN`, PLACE))).toBe(false);
});

test('doubts are sentences', () => {
  const lines = ['FOO=1 ls', '$x', 'find . -delete', 'cd $x; ls', 'sudo ls', 'git -c a=b status', 'xargs rm', 'eval ls', 'ls > $x'];
  const doubts = lines.flatMap((line) => doubtsOf(analyzer.analyze(line, PLACE)));
  expect(doubts.length).toBeGreaterThanOrEqual(lines.length);
  for (const doubt of doubts) expect(doubt).toMatch(/^[A-Z].*\.$/);
});
