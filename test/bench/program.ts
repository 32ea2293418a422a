import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildForRelease } from '../../scripts/headless-build.mjs';
import { promptedScript, startModelServer } from '../support/model-server/index.js';
import { ensureVsCode } from '../vscode/install.mjs';
import { bareSdkCpu } from './bare-sdk.js';
import { type Figure, median } from './figure.js';
import { processorMsOf } from './processor-time.js';
import { type Place, ProgramByLines } from './program-by-lines.js';

const PROGRAM = resolve('dist/chunks/gnomon.js');
const STARTS = 15;
const DELTAS = 20_000;
/** Characters of each. */
const LETTERS = 12;
/** Answers until its code is as well optimized as that of the bare SDK is after three, of which there is less. */
const WARM_UP = 8;
/** Answers that are measured at once: processor time is told in steps of 10 ms. */
const ANSWERS = 5;
const RUNS = 5;
const MEGABYTE = 1024 * 1024;

/** The program without a window as it is in the package of the extension: what it weighs, its start, its memory, and its stream of messages. */
export async function measureProgram(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gnomon-bench-'));
  const asked: number[] = [];
  const server = await startModelServer({
    script: (request, n) => {
      asked.push(performance.now());
      return promptedScript(request, n);
    },
  });
  const key = { ANTHROPIC_API_KEY: 'sk-bench-1234567890', ANTHROPIC_BASE_URL: server.url };
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: join(folder, 'data'), XDG_CONFIG_HOME: join(folder, 'config'), ...key };
  try {
    const { node } = await ensureVsCode();
    return [
      await programSize(join(folder, 'built')),
      ...(await starts('program_start', { node: process.execPath, folder, env }, asked)),
      // A newer one, which keeps what it has compiled.
      ...(await starts('program_start_in_vscode', { node, folder, env }, asked)),
      await idleMemory({ node: process.execPath, folder, env }),
      await streaming({ node, folder, env }, server.url),
    ];
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What its modules weigh. The one that reads PDF documents is left out: it runs in a process of its own, and there only. */
async function programSize(built: string): Promise<Figure> {
  await buildForRelease(built);
  const names = (await readdir(join(built, 'headless'))).filter((name) => !name.startsWith('library'));
  const sizes = await Promise.all(names.map(async (name) => ({ name, bytes: (await stat(join(built, 'headless', name))).size })));
  const sum = (of: typeof sizes): number => of.reduce((total, { bytes }) => total + bytes, 0);
  const loaded = sum(sizes.filter(({ name }) => !name.startsWith('pdf-')));
  return { name: 'program_bytes', value: loaded, unit: 'bytes', goal: 3 * MEGABYTE, note: `${sum(sizes).toLocaleString('en')} with what reads PDF documents` };
}

/** Milliseconds from its start to its first request to the model, beside a start of Node.js that does nothing. The two take turns. */
async function starts(name: string, place: Place, asked: readonly number[]): Promise<readonly Figure[]> {
  const program: number[] = [];
  const nothing: number[] = [];
  for (let run = 0; run <= STARTS; run += 1) {
    const empty = await timed(place, ['-e', '0']);
    const before = asked.length;
    const { start } = await timed(place, [PROGRAM, '-p', 'Hello', '--model', 'anthropic/claude-sonnet-5-5', '--no-session-persistence']);
    if (run === 0) continue;
    nothing.push(empty.end - empty.start);
    program.push((asked[before] ?? Number.NaN) - start);
  }
  const note = `medians of ${STARTS}: ${median(program).toFixed(0)} against ${median(nothing).toFixed(0)} ms; the shortest ${Math.min(...program).toFixed(0)} against ${Math.min(...nothing).toFixed(0)}`;
  return [
    { name: `${name}_ms`, value: median(program), unit: 'ms', goal: 150, note },
    { name: `${name}_ratio`, value: median(program) / median(nothing), unit: '× node -e 0', goal: 4, note },
  ];
}

async function timed({ node, folder, env }: Place, args: readonly string[]): Promise<{ readonly start: number; readonly end: number }> {
  const start = performance.now();
  const [code] = (await once(spawn(node, args, { cwd: folder, env, stdio: 'ignore' }), 'exit')) as readonly unknown[];
  if (code !== 0) throw new Error(`It ended with ${String(code)}: ${args.join(' ')}`);
  return { start, end: performance.now() };
}

/** What would be free if it ended, while it waits for its next input after an answer. What it shares with every Node.js is in the note. */
async function idleMemory(place: Place): Promise<Figure> {
  const program = new ProgramByLines(PROGRAM, place);
  try {
    await program.answerTo('Hello');
    const rollup = await readFile(`/proc/${program.pid}/smaps_rollup`, 'utf8');
    const megabytes = (field: string): number => (Number(new RegExp(`^${field}: +(\\d+) kB`, 'm').exec(rollup)?.[1]) * 1024) / MEGABYTE;
    const own = megabytes('Private_Clean') + megabytes('Private_Dirty');
    return { name: 'program_idle_mb', value: own, unit: 'MB', goal: 60, note: `its own; ${megabytes('Rss').toFixed(1)} with what it shares with others` };
  } finally {
    await program.end();
  }
}

/** What a long answer costs it, with a message for all deltas that come at once, beside what such an answer costs a program that uses nothing but the SDK. */
async function streaming(place: Place, url: string): Promise<Figure> {
  const ratios: number[] = [];
  const notes: string[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const bare = await bareSdkCpu(url, `bulk ${DELTAS}`);
    const program = new ProgramByLines(PROGRAM, place, ['--include-partial-messages']);
    try {
      for (let answer = 0; answer < WARM_UP; answer += 1) await costOf(program, `bulk ${DELTAS}`);
      let cost = 0;
      for (let answer = 0; answer < ANSWERS; answer += 1) cost += (await costOf(program, `bulk ${DELTAS}`, 3 * LETTERS * DELTAS)) / ANSWERS;
      ratios.push(cost / bare);
      notes.push(`${Math.round(cost)}/${Math.round(bare)}`);
    } finally {
      await program.end();
    }
  }
  const note = `processor time over that of the bare SDK, in ms: ${notes.join(', ')}`;
  return { name: 'program_stream_20k_ratio', value: median(ratios), unit: '×', goal: 1.5, note };
}

/** Milliseconds of the processor that an answer costs. @param least bytes that it has, with its deltas, its message, and its result */
async function costOf(program: ProgramByLines, prompt: string, least = 0): Promise<number> {
  const used = await processorMsOf(program.pid);
  const bytes = await program.answerTo(prompt);
  if (bytes < least) throw new Error(`The answer has only ${bytes} bytes.`);
  return (await processorMsOf(program.pid)) - used;
}
