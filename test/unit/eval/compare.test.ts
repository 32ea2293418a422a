import { expect, test } from 'vitest';
import { type Comparison, compare, compareResults, comparisonLines, comparisonTable } from '../../eval/compare.js';
import type { About, RunRecord } from '../../eval/results.js';
import { asMarkdown } from '../../eval/table.js';

const RUN: RunRecord = {
  task: 'a',
  version: '1',
  prompt: 0,
  run: 1,
  outcome: 'solved',
  rounds: 3,
  inputTokens: 1000,
  cacheReadTokens: 400,
  outputTokens: 50,
  costUsd: 0.01,
  toolCalls: 2,
  toolErrors: 0,
  failedCommands: 0,
  seconds: 4,
};

/** Five runs of each of twelve tasks, whose tokens vary from task to task and a little from run to run. */
function runs(change: (run: RunRecord, at: number) => Partial<RunRecord> = () => ({})): readonly RunRecord[] {
  return Array.from({ length: 60 }, (_, at) => {
    const run = { ...RUN, task: `task-${Math.floor(at / 5)}`, run: (at % 5) + 1, inputTokens: 1000 + 100 * Math.floor(at / 5) + (at % 5) };
    return { ...run, ...change(run, at) };
  });
}

function difference({ differences }: Comparison, figure: string): Comparison['differences'][number] | undefined {
  return differences.find((each) => each.figure === figure);
}

test('what is the same shows no difference', () => {
  const found = compare(runs(), runs(), ['before', 'after']);
  expect(found.differences.map(({ shown }) => shown)).not.toContain(true);
  expect(comparisonLines(found)).toEqual(['60 runs of 12 tasks on each side.', 'No difference shown.']);
  expect(asMarkdown(comparisonTable(found))).toContain('| tokens in | 1552 | 1552 | 0.0 | 0.0 to 0.0 | no difference shown |');
});

test('fewer tokens in every task are shown, noise is not', () => {
  const noise = (run: RunRecord, at: number): Partial<RunRecord> => ({ inputTokens: run.inputTokens * 0.8, seconds: at % 2 === 0 ? 3 : 5.1 });
  const found = compare(runs(), runs(noise), ['before', 'after']);
  expect(difference(found, 'tokens in')).toMatchObject({ shown: true });
  expect(difference(found, 'tokens in')?.interval?.high).toBeLessThan(-200);
  expect(difference(found, 'seconds')).toMatchObject({ shown: false });
  expect(comparisonLines(found).at(-1)).toBe('A difference is shown in: tokens in; tokens in, not cached.');
});

test('successes are compared by their shares', () => {
  const failing =
    (share: number) =>
    (_: RunRecord, at: number): Partial<RunRecord> =>
      at % 10 < share ? { outcome: 'failed' } : {};
  expect(difference(compare(runs(failing(1)), runs(failing(2)), ['a', 'b']), 'solved')).toMatchObject({ before: 0.9, after: 0.8, shown: false });
  expect(difference(compare(runs(failing(1)), runs(failing(6)), ['a', 'b']), 'solved')).toMatchObject({ before: 0.9, after: 0.4, shown: true });
});

test('only tasks of both sides in the same version count, with as many runs on each', () => {
  const before = [...runs(), { ...RUN, task: 'gone' }, { ...RUN, task: 'changed' }];
  const after = [
    ...runs().filter(({ run }) => run <= 3),
    { ...RUN, task: 'changed', version: '2' },
    { ...RUN, task: 'task-0', outcome: 'not measured' as const },
  ];
  const found = compare(before, after, ['a', 'b']);
  expect(found).toMatchObject({ tasks: 12, runs: 36, leftOut: ['gone', 'changed'] });
  expect(comparisonLines(compare([RUN], [], ['a', 'b']))).toEqual(['There is no task that both sides have in the same version, so nothing can be compared.']);
});

test('a cost that is not known of all runs is not compared', () => {
  const { costUsd, ...free } = RUN;
  expect(costUsd).toBe(0.01);
  expect(difference(compare([RUN], [free], ['a', 'b']), 'US$')).toBeUndefined();
});

test('with few tasks it is the runs that vary, and too few of them are said to be', () => {
  const side = (inputTokens: readonly number[]): readonly RunRecord[] => inputTokens.map((tokens, at) => ({ ...RUN, run: at + 1, inputTokens: tokens }));
  const found = compare(side([1000, 1010, 990, 1005]), side([1500, 1510, 1490, 1505]), ['a', 'b']);
  expect(difference(found, 'tokens in')).toMatchObject({ shown: true });
  expect(compare(side([1000, 2000, 1500]), side([1500, 1100, 2100]), ['a', 'b']).differences[1]).toMatchObject({ shown: false });
  expect(compare(side([1000]), side([900]), ['a', 'b']).differences[2]).toMatchObject({ figure: 'tokens in', shown: false });
  expect(comparisonLines(compare(side([1000]), side([900]), ['a', 'b'])).at(-1)).toContain('make at least 3 of each task');
});

test('two files are compared, or the two prompts of one', () => {
  const about: About = { source: 'model', model: 'x/y', effort: 'medium', sandbox: 'none', prompts: [{ name: 'one.md', fingerprint: 'f' }] };
  const both = { ...about, prompts: [...about.prompts, { name: 'two.md', fingerprint: 'g' }] };
  const [one, two] = [
    { about, runs: [RUN] },
    { about: both, runs: [RUN, { ...RUN, prompt: 1 }] },
  ];
  expect(
    compareResults([
      { name: 'x.json', results: one },
      { name: 'y.json', results: one },
    ]),
  ).toMatchObject({ names: ['x.json', 'y.json'], runs: 1 });
  const other = { about: { ...about, model: 'x/z' }, runs: [RUN] };
  expect(
    compareResults([
      { name: 'x.json', results: one },
      { name: 'y.json', results: other },
    ]),
  ).toMatchObject({ names: ['x.json (x/y)', 'y.json (x/z)'] });
  expect(compareResults([{ name: 'x.json', results: two }])).toMatchObject({ names: ['one.md', 'two.md'], runs: 1 });
  expect(() => compareResults([{ name: 'x.json', results: one }])).toThrow('two files');
  expect(() =>
    compareResults([
      { name: 'x.json', results: one },
      { name: 'y.json', results: two },
    ]),
  ).toThrow('two files');
});
