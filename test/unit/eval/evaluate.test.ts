import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { evaluate } from '../../eval/evaluate.js';
import { NOT_MEASURED } from '../../eval/report.js';
import { readResults } from '../../eval/results.js';

/** One for each behavior of the script, in its order. */
const FIVE = 'bug-off-by-one,bug-mutated-input,bug-number-sort,bug-missing-await,bug-leap-year';

const folder = mkdtempSync(join(tmpdir(), 'gnomon-evaluate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly printed: string;
  readonly told: string;
}

/** Runs the command as without any key. @param onLine is called with each line of progress and what stops the measurement */
async function run(args: readonly string[], onLine: (line: string, stop: AbortController) => void = () => undefined): Promise<Ran> {
  const [printed, told, stop] = [[] as string[], [] as string[], new AbortController()];
  const progress = (line: string): void => {
    told.push(line);
    onLine(line, stop);
  };
  const code = await evaluate(args, { env: {}, print: (text) => void printed.push(text), progress, signal: stop.signal });
  return { code, printed: printed.join('\n'), told: told.join('\n') };
}

function json(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** What the script is said to have used in a run of so many rounds, in tokens and US$ at 2, 10, 0.1 and 2.5 a million. */
function used(rounds: number): object {
  const cached = 1000 * ((rounds * (rounds - 1)) / 2);
  const costUsd = expect.closeTo((rounds * (200 * 2 + 40 * 10 + 300 * 2.5) + cached * 0.1) / 1_000_000, 9) as unknown;
  return { rounds, inputTokens: rounds * 500 + cached, outputTokens: rounds * 40, cacheShare: cached / (rounds * 500 + cached), costUsd };
}

const ALL_SOLVED = { low: expect.closeTo(0.3424, 4) as unknown, high: 1 };
const NONE_SOLVED = { low: 0, high: expect.closeTo(0.6576, 4) as unknown };
const HALF_SOLVED = { low: expect.closeTo(0.0945, 4) as unknown, high: expect.closeTo(0.9055, 4) as unknown };

test('reports exactly what the scripted model did, and that no model was measured', async () => {
  const out = join(folder, 'exact.json');
  const { code, printed } = await run(['--tasks', FIVE, '--no-sandbox', '--jobs', '2', '--out', out]);
  expect(code).toBe(0);
  expect(json(out)).toMatchObject({
    about: { source: 'scripted' },
    summary: [
      {
        tasks: expect.arrayContaining([
          expect.objectContaining({
            name: 'bug-off-by-one',
            runs: 2,
            solved: 2,
            interval: ALL_SOLVED,
            ...used(3),
            toolCalls: 2,
            toolErrors: 0,
            failedCommands: 0,
          }),
          expect.objectContaining({
            name: 'bug-mutated-input',
            runs: 2,
            solved: 2,
            interval: ALL_SOLVED,
            ...used(5),
            toolCalls: 5,
            toolErrors: 2,
            failedCommands: 1,
          }),
          expect.objectContaining({
            name: 'bug-number-sort',
            runs: 2,
            solved: 1,
            interval: HALF_SOLVED,
            ...used(3),
            toolCalls: 2,
            toolErrors: 0,
            failedCommands: 0,
          }),
          expect.objectContaining({
            name: 'bug-missing-await',
            runs: 2,
            solved: 0,
            interval: NONE_SOLVED,
            ...used(3),
            toolCalls: 2,
            toolErrors: 0,
            failedCommands: 0,
          }),
          expect.objectContaining({
            name: 'bug-leap-year',
            runs: 2,
            solved: 0,
            interval: NONE_SOLVED,
            ...used(1),
            toolCalls: 0,
            toolErrors: 0,
            failedCommands: 0,
          }),
        ]) as unknown,
        all: {
          runs: 10,
          solved: 5,
          interval: { low: expect.closeTo(0.2366, 4) as unknown, high: expect.closeTo(0.7634, 4) as unknown },
          rounds: 3,
          inputTokens: 5300,
          outputTokens: 120,
          toolCalls: 2.2,
          toolErrors: 0.4,
          failedCommands: 0.2,
        },
      },
    ],
  });
  expect(printed).toContain(NOT_MEASURED);
  expect(printed).toMatch(/^bug-mutated-input +2 of 2 +34–100 % +5\.0 +12500 +80 % +200 +0\.0087 +5\.0 +2\.0 +\d/m);
  expect(printed).toContain('ANTHROPIC_API_KEY=');
  const markdown = readFileSync(out.replace('.json', '.md'), 'utf8');
  expect(markdown).toContain(NOT_MEASURED);
  expect(markdown).toContain('| bug-number-sort | 1 of 2 | 9–91 % | 3.0 | 4500 | 67 % | 120 |');
  expect(markdown).toContain('- bug-leap-year: check.mjs fails: FAIL !isLeap(1900)');
});

test('what was interrupted is reported, and goes on from its file', async () => {
  const out = join(folder, 'interrupted.json');
  const args = ['--scripted', '--tasks', FIVE, '--runs', '1', '--no-sandbox', '--out', out];
  const first = await run(args, (line, stop) => {
    if (line.startsWith('[2/5]')) stop.abort();
  });
  expect(first).toMatchObject({ code: 130, printed: expect.stringContaining('Not all runs were made: It was interrupted.') as unknown });
  expect((await readResults(out))?.runs).toHaveLength(2);
  const second = await run(args);
  expect(second.told).toContain('2 of 5 runs are in');
  expect(second.told.match(/^\[/gm)).toHaveLength(3);
  expect((await readResults(out))?.runs).toHaveLength(5);
  expect((await run([...args.slice(0, 6), '--prompt', out, '--out', out])).told).toContain('results of another measurement (prompts differ)');
});

test('no more is spent than allowed, but for the request that passes the limit', async () => {
  const { code, printed, told } = await run(['--scripted', '--tasks', 'bug-off-by-one', '--runs', '9', '--no-sandbox', '--max-cost', '0.006']);
  expect(code).toBe(1);
  expect(told.match(/^\[/gm)).toHaveLength(2);
  expect(told).toContain('not measured: bug-off-by-one, run 2,');
  expect(printed).toContain('The cost limit is reached.');
  expect(printed).toContain('1 of 2 runs');
});

test('two system prompts are measured in turns and compared', async () => {
  const [one, two] = [join(folder, 'one.md'), join(folder, 'two.md')];
  writeFileSync(one, 'You are an agent.');
  writeFileSync(two, 'You are another agent.');
  const out = join(folder, 'prompts.json');
  const { printed } = await run([
    '--scripted',
    '--tasks',
    'question-count-routes,question-list-todos',
    '--no-sandbox',
    '--prompt',
    one,
    '--prompt',
    two,
    '--out',
    out,
  ]);
  const runs = (await readResults(out))?.runs ?? [];
  expect(runs.map((made) => `${made.task.slice(9, 14)} ${made.run} ${made.prompt}`)).toEqual([
    'count 1 0',
    'count 1 1',
    'list- 1 1',
    'list- 1 0',
    'count 2 1',
    'count 2 0',
    'list- 2 0',
    'list- 2 1',
  ]);
  expect(printed).toContain('4 runs of 2 tasks on each side.');
  expect(printed).toContain('No difference shown.');
  expect((await run(['--compare', out])).printed).toMatch(new RegExp(`^${NOT_MEASURED}[^]+before: one.md +after: two.md`));
});

test('tasks, help and the system prompt are printed', async () => {
  expect((await run(['--list'])).printed).toMatch(/^easy {2}bug-off-by-one$[^]+^hard {2}background-server$/m);
  expect((await run(['--help'])).printed).toContain('--base-url');
  expect((await run(['--print-prompt'])).printed).toMatch(/^You are Gnomon/);
});

const notResults = join(folder, 'not-results.json');

test.each<readonly [readonly string[], number, string]>([
  [['--bogus'], 2, '--bogus'],
  [['bug-off-by-one'], 2, '--tasks'],
  [['--tasks', 'nope'], 2, 'no task nope'],
  [['--tasks', ''], 2, 'no task'],
  [['--easy', '--hard'], 2, 'Only one of'],
  [['--runs', '0'], 2, '--runs'],
  [['--runs', '1.5'], 2, '--runs'],
  [['--jobs', '-1'], 2, '--jobs'],
  [['--max-cost', 'much'], 2, '--max-cost'],
  [['--price', '1'], 2, '--price'],
  [['--price', '1,x'], 2, '--price'],
  [['--effort', 'huge'], 2, '--effort'],
  [['--provider', 'acme'], 2, '--provider'],
  [['--base-url', 'localhost:11434'], 2, '--base-url'],
  [['--out', 'x.txt'], 2, '.json'],
  [['--compare'], 2, '--compare'],
  [['--prompt', 'a', '--prompt', 'b', '--prompt', 'c'], 2, '--prompt'],
  [['--prompt', '/not/there.md'], 1, 'ENOENT'],
  [['--model', 'openai/gpt-5'], 1, 'OPENAI_API_KEY'],
  [['--model', 'some-model'], 1, 'no key in the environment'],
  [['--provider', 'anthropic'], 1, 'ANTHROPIC_API_KEY'],
  [['--base-url', 'http://127.0.0.1:1/v1', '--key-variable', 'NO_SUCH_KEY'], 1, 'NO_SUCH_KEY'],
  [['--base-url', 'http://127.0.0.1:1', '--provider', 'anthropic'], 1, '--key-variable'],
  [['--base-url', 'http://127.0.0.1:1/v1'], 1, '--model is needed'],
  [['--base-url', 'http://127.0.0.1:1/v1', '--model', 'x', '--max-cost', '1'], 1, '--price'],
  [['--compare', '/not/there.json'], 1, 'There is no file'],
  [['--scripted', '--out', '/not/there/x.json'], 1, 'ENOENT'],
  [['--scripted', '--out', notResults], 1, 'not a file of results'],
])('%j is refused', async (args, code, words) => {
  writeFileSync(notResults, '{"format": 1, "runs": [{"task": 3}]}');
  const ran = await run(args);
  expect(ran.told).toContain(words);
  expect(ran.code).toBe(code);
});
