import { expect, test } from 'vitest';
import { createBashAnalyser } from '../../../../src/permission/shell/bash-analyser.js';
import { processorMs } from '../../../support/processor-time.js';
import { doubtsOf, isHarmless, linesOf, loadAnalyser, PLACE, wasm } from './rig.js';

const analyser = await loadAnalyser();
/** Milliseconds that any line may take. */
const LIMIT_MS = 1_000;

/** Milliseconds of the processor that something takes: other programs on the machine do not count. */
function cost(work: () => void): number {
  const before = processorMs();
  work();
  return processorMs() - before;
}

test.each([
  ['an unbalanced quotation mark', "echo 'a"],
  ['an unbalanced double quotation mark', 'echo "a'],
  ['an unbalanced backtick', 'echo `ls'],
  ['an unbalanced parenthesis', '(ls'],
  ['a null character', 'ls\0; touch PWN'],
  ['a null character in quotes', "ls 'a\0'"],
  ['an escaped null character', "ls $'a\\0b'"],
  ['half of a character', 'ls \ud800'],
  ['a line of 1 MB', `echo ${'a'.repeat(1_000_000)}`],
  ['a line of 1 MB of parentheses', '('.repeat(1_000_000)],
  ['a line over the limit', `echo ${'a'.repeat(100_000)}`],
  ['500 nested parentheses', `${'('.repeat(500)}ls${')'.repeat(500)}`],
  ['500 open parentheses', '('.repeat(500)],
  ['500 nested substitutions', `${'echo $('.repeat(500)}ls${')'.repeat(500)}`],
  ['100 kB of open parentheses', '('.repeat(100_000)],
  ['100 kB of open substitutions', '$('.repeat(50_000)],
  ['100 kB of backticks', '`'.repeat(100_000)],
  ['100 kB of open quotes in substitutions', '"$('.repeat(33_000)],
  ['100 kB of commands', 'a;'.repeat(50_000)],
  ['100 kB of pipes', `${'a|'.repeat(49_000)}a`],
  ['100 kB of conditions', `${'a&&'.repeat(33_000)}a`],
  ['100 kB of negations', `[[ ${'! '.repeat(49_000)}a ]]`],
  ['100 kB of open brackets', '[[ ( '.repeat(20_000)],
  ['100 kB of here-documents', 'cat <<A\n'.repeat(12_000)],
  ['100 kB of cases', 'case a in b) '.repeat(7_000)],
  ['a cut-off case', 'case a in'],
  ['a keyword alone', 'fi'],
  ['too many texts in texts', `sh -c "sh -c 'sh -c \\"sh -c \\\\\\"ls\\\\\\"\\"'"`],
])('cmd-32: %s is unreadable in less than a second', (_what, line) => {
  expect(cost(() => analyser.analyse(line, PLACE))).toBeLessThan(LIMIT_MS);
  expect(analyser.analyse(line, PLACE).unreadable).toMatch(/^[A-Z].*\.$/);
});

test.each([
  ['50,000 words', `echo ${'a '.repeat(49_000)}`],
  ['100 kB of wrappers', `${'env '.repeat(24_000)}ls`],
  ['100 kB of guesses', `${'parallel '.repeat(11_000)}ls`],
  ['100 kB of quotes', '"'.repeat(99_998)],
  ['100 kB of backslashes', '\\'.repeat(99_998)],
  ['100 kB of newlines', '\n'.repeat(99_000)],
  ['100 kB in quotes', `echo '${'a'.repeat(99_000)}'`],
  ['a long pattern', `ls ${'[*'.repeat(30_000)}`],
  ['a long path', `cat ${'../a/'.repeat(19_000)}`],
  ['a long script of sed', `sed -n '${';;  '.repeat(20_000)}' f`],
  ['a script of sed that goes back and forth', `sed -n '${'; '.repeat(240)}x!' f`],
  ['a long program of awk', `awk '${'/a'.repeat(40_000)}' f`],
  ['a long filter of jq', `jq '${'.a|'.repeat(30_000)}.' f`],
])('cmd-32: %s are judged in less than a second', (_what, line) => {
  expect(cost(() => analyser.analyse(line, PLACE))).toBeLessThan(LIMIT_MS);
});

test('after a line that could not be parsed in time, the next one is judged as ever', () => {
  expect(analyser.analyse('('.repeat(100_000), PLACE).unreadable).toBeDefined();
  expect(isHarmless(analyser.analyse('ls', PLACE))).toBe(true);
  expect(analyser.analyse("echo 'a", PLACE).unreadable).toBeDefined();
  expect(linesOf(analyser.analyse('ls -la', PLACE))).toEqual(['ls -la']);
});

test('what was found before the unreadable part stays found, so that it can be denied', () => {
  const analysis = analyser.analyse('curl x; echo "`a "b"`"', PLACE);
  expect(analysis.unreadable).toBeDefined();
  expect(linesOf(analysis)).toContain('curl x');
});

test('trees are given back: many lines do not fill the memory', () => {
  const line = `echo ${'a '.repeat(500)}`;
  const before = process.memoryUsage().external;
  for (let round = 0; round < 400; round++) analyser.analyse(line, PLACE);
  expect(process.memoryUsage().external - before).toBeLessThan(10_000_000);
});

test('the files can be given as bytes or as functions that read them', async () => {
  const other = await createBashAnalyser({ runtime: await wasm('tree-sitter.wasm'), grammar: await wasm('tree-sitter-bash.wasm') });
  expect(other.shell).toBe('bash');
  expect(isHarmless(other.analyse('ls', PLACE))).toBe(true);
});

test('a grammar that cannot be read is an error', async () => {
  const grammar = (): Promise<Uint8Array> => Promise.reject(new Error('no such file'));
  await expect(createBashAnalyser({ runtime: () => wasm('tree-sitter.wasm'), grammar })).rejects.toThrow('no such file');
  await expect(createBashAnalyser({ runtime: () => wasm('tree-sitter.wasm'), grammar: new Uint8Array([1, 2, 3]) })).rejects.toThrow();
});

test('an ordinary line is judged in 5 ms', () => {
  const lines = ['ls -la', 'git log --oneline | head', 'grep -rn "foo" src | head -20', 'cd src && npm test 2>&1 | tail -5', 'for f in a b c; do echo "$f"; done'];
  const times = Array.from({ length: 200 }, (_, index) => {
    const start = processorMs();
    analyser.analyse(lines[index % lines.length] ?? '', PLACE);
    return processorMs() - start;
  }).sort((a, b) => a - b);
  expect(times[times.length / 2]).toBeLessThan(5);
});

test('lines that the grammar mixes up are read one after the other, as the shell does', () => {
  const line = 'cd src\nls | grep x | head -3\ncat a 2>/dev/null\nif true\nthen pwd\nfi\ncat <<EOF\na\nEOF\n\\ls b';
  const analysis = analyser.analyse(line, PLACE);
  expect(analysis.unreadable).toBeUndefined();
  expect(linesOf(analysis)).toEqual(['cd src', 'ls', 'grep x', 'head -3', 'cat a', 'true', 'pwd', 'cat', 'ls b']);
  expect(analysis.files).toContainEqual({ kind: 'read', path: '/ws/src/a', by: 'operand' });
  expect(isHarmless(analysis)).toBe(true);
  expect(isHarmless(analyser.analyse(`${line}\n\\touch PWN`, PLACE))).toBe(false);
});

test('doubts are sentences', () => {
  const lines = ['FOO=1 ls', '$x', 'find . -delete', 'cd $x; ls', 'sudo ls', 'git -c a=b status', 'xargs rm', 'eval ls', 'ls > $x'];
  const doubts = lines.flatMap((line) => doubtsOf(analyser.analyse(line, PLACE)));
  expect(doubts.length).toBeGreaterThanOrEqual(lines.length);
  for (const doubt of doubts) expect(doubt).toMatch(/^[A-Z].*\.$/);
});
