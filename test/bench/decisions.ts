import { readFile, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lineOf } from '../support/option-fuzz/lines.js';
import { Random } from '../support/option-fuzz/random.js';
import { COMMAND_ROWS } from '../unit/safety/command-rows.js';
import { ProjectScene } from '../unit/safety/scene.js';
import { type Figure, median, percentile } from './figure.js';

/** Programs whose options are put together by chance, with options that they have. */
const SUBJECTS = [
  { program: 'grep', runs: false, long: ['recursive', 'include', 'regexp', 'file', 'color'] },
  { program: 'sort', runs: false, long: ['output', 'parallel', 'files0-from', 'key'] },
  { program: 'git', runs: false, long: ['output', 'no-index', 'stat', 'oneline', 'unified'] },
  { program: 'find', runs: false, long: ['name', 'exec', 'newer', 'fprint'] },
  { program: 'xargs', runs: true, long: ['replace', 'max-lines', 'null', 'arg-file'] },
  { program: 'sed', runs: false, long: ['expression', 'in-place', 'quiet'] },
];
const MADE_UP = 500;
const ROUNDS = 3;
const GIT = /\bgit\b/;
/** Rules as a careful person has them. */
const RULES = ['allow Bash(npm test:*)', 'deny Read(.secret)', 'deny Bash(curl:*)', 'ask Bash(git push:*)', 'deny Edit(dist/**)'];

/** How long the gate takes to decide about command lines: those of the safety table, those of every day, and some made up. */
export async function measureDecisions(): Promise<readonly Figure[]> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'gnomon-bench-')));
  try {
    const scene = new ProjectScene(base);
    const random = new Random(1);
    const everyday = JSON.parse(await readFile('test/unit/safety/everyday-lines.json', 'utf8')) as readonly { readonly command: string }[];
    const lines = [
      ...COMMAND_ROWS.flatMap(([, , commands]) => commands),
      ...everyday.map(({ command }) => command),
      ...Array.from({ length: MADE_UP }, () => lineOf(random.of(SUBJECTS), random)),
    ];
    await scene.judge('ls', { rules: RULES });
    const took: { readonly line: string; readonly ms: number }[] = [];
    for (const line of lines) {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const start = performance.now();
        await scene.judge(line, { rules: RULES });
        times.push(performance.now() - start);
      }
      took.push({ line, ms: median(times) });
    }
    const [git, others] = [took.filter(({ line }) => GIT.test(line)), took.filter(({ line }) => !GIT.test(line))];
    const longest = took.reduce((one, other) => (other.ms > one.ms ? other : one));
    const p95 = (name: string, of: typeof took, { goal, what }: { readonly goal: number; readonly what: string }): Figure => ({
      name,
      value: percentile(
        of.map(({ ms }) => ms),
        0.95,
      ),
      unit: 'ms',
      goal,
      note: `${of.length} command lines ${what} on a project of a few files, each the middle of ${ROUNDS} runs`,
    });
    return [
      p95('decision_p95_ms', others, { goal: 5, what: 'without Git' }),
      p95('decision_git_p95_ms', git, { goal: 50, what: 'with Git, which is asked what it has stored,' }),
      { name: 'decision_longest_ms', value: longest.ms, unit: 'ms', goal: 100, note: `“${longest.line.slice(0, 60)}”` },
    ];
  } finally {
    await rm(base, { recursive: true });
  }
}
