import { spawn } from 'node:child_process';
import type { HookHandler } from '../../src/domain/hook/definition.js';
import { createHookRunner } from '../../src/node/hook/hook-runner.js';
import { type Figure, median } from './figure.js';

const RUNS = 100;
const WARM_UP = 10;
const SIDE_BY_SIDE = 5;
const INPUT = JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'true' } });
const PROGRAM = '/bin/true';

/** What Gnomon adds to the process of a hook, and how long hooks take that run side by side. */
export async function measureHooks(): Promise<readonly Figure[]> {
  const runner = createHookRunner();
  const run = async (handler: HookHandler): Promise<void> => {
    const answer = await runner.run({ handler, input: INPUT, timeoutMs: 60_000, cwd: process.cwd(), variables: {} }, new AbortController().signal);
    if (answer.type !== 'exited' || answer.exitCode !== 0) throw new Error(`The hook did not answer: ${answer.type}.`);
  };
  try {
    const overhead = await measureOverhead(() => run({ type: 'command', command: PROGRAM, args: [] }));
    const took = await timed(() => Promise.all(Array.from({ length: SIDE_BY_SIDE }, () => run({ type: 'command', command: 'sleep 1' }))));
    return [overhead, { name: 'hooks_parallel_s', value: took / 1_000, unit: 's', goal: 2, note: `${SIDE_BY_SIDE} hooks of a second` }];
  } finally {
    runner.dispose();
  }
}

async function measureOverhead(run: () => Promise<void>): Promise<Figure> {
  const own: number[] = [];
  const bare: number[] = [];
  // In turn, so that both have the same machine.
  for (let count = 0; count < WARM_UP + RUNS; count++) {
    own.push(await timed(run));
    bare.push(await timed(runBare));
  }
  const [ours, theirs] = [median(own.slice(WARM_UP)), median(bare.slice(WARM_UP))];
  return {
    name: 'hook_overhead_ms',
    value: ours - theirs,
    unit: 'ms',
    goal: 15,
    note: `${ours.toFixed(2)} ms, ${theirs.toFixed(2)} ms with the bare process, ${RUNS} runs each`,
  };
}

function runBare(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(PROGRAM, { stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.on('error', () => undefined);
    child.stdout.resume();
    child.stderr.resume();
    child.once('error', reject);
    child.once('close', () => resolve());
    child.stdin.end(INPUT);
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
