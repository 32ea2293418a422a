import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAbortError } from '../../src/domain/errors.js';
import { createNodeFileLayer } from '../../src/node/files/node-file-layer.js';
import { createProcesses } from '../../src/node/process/processes.js';
import { createDemoProvider } from '../../src/provider/demo/provider.js';
import { presetOf } from '../../src/provider/openai/models/presets.js';
import { listModels } from '../../src/provider/openai/models/list-models.js';
import { createSessions } from '../../src/session/create-sessions.js';
import { openAiSource } from '../../src/models/sources.js';
import { Secrets } from '../../src/models/keys/secrets.js';
import { sessionHolder } from '../support/session-holder.js';
import { memoryChoices } from '../unit/models/memory-choices.js';
import { memorySecrets } from '../unit/models/memory-secrets.js';
import type { Figure } from './figure.js';
import { NO_LOG } from './outer-host.js';

const RUNS = 3;

/** How long somebody waits for what depends on others: processes, windows, servers. By the clock, for the waits are what counts. */
export async function measureWaits(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gnomon-bench-'));
  try {
    const holder = await sessionHolder(folder);
    return [
      await leastFigure('command_leaving_child_ms', 3_000, () => commandTime(folder, 'sleep 600 & echo $! > pid; echo hi')),
      await leastFigure('command_leaving_daemon_ms', 5_000, () => commandTime(folder, daemon('exec sleep 600'))),
      await leastFigure('command_leaving_writer_ms', 5_000, () => commandTime(folder, daemon('while echo x; do sleep 0.02; done'))),
      await leastFigure('session_take_over_ms', 3_000, () => takeOverTime(holder)),
      await leastFigure('demo_stop_ms', 50, demoStopTime),
      await leastFigure('silent_server_ms', 2_000, silentServerTime),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The least of some runs: what else the machine does makes waits longer and none shorter. */
async function leastFigure(name: string, goal: number, measure: () => Promise<number>): Promise<Figure> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) times.push(await measure());
  return { name, value: Math.min(...times), unit: 'ms', goal, note: `least of ${times.map(Math.round).join(', ')}` };
}

/** A line that ends when a process that left its group has begun. */
function daemon(script: string): string {
  return `rm -f pid; setsid bash -c 'echo $$ > pid; ${script}' & while [ ! -s pid ]; do sleep 0.01; done; echo hi`;
}

/** From the start of a command to its outcome. The process whose number it left in the file `pid` is ended afterwards. */
async function commandTime(folder: string, command: string): Promise<number> {
  const processes = createProcesses({ logFolder: folder, env: process.env });
  const start = performance.now();
  const { exitCode } = await processes.run({ command, cwd: folder, timeoutMs: 20_000 }, new AbortController().signal, () => undefined);
  const time = performance.now() - start;
  if (exitCode !== 0) throw new Error(`The command ended with ${exitCode ?? 'a signal'}.`);
  endProcess(Number(readFileSync(join(folder, 'pid'), 'utf8')));
  return time;
}

function endProcess(pid: number): void {
  try {
    process.kill(pid);
  } catch {
    // It has ended by itself.
  }
}

/** From the wish to take over a session that another process holds to its messages. */
async function takeOverTime(holder: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'gnomon-bench-'));
  const child = spawn(process.execPath, [holder, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const exited = once(child, 'exit');
    const [id] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const clock = { timestamp: () => '2026-01-01T00:00:00Z', monotonic: () => performance.now() };
    const { store } = createSessions({ folder, files: createNodeFileLayer(), clock, log: NO_LOG });
    const start = performance.now();
    const { recorder } = await store.open(id.trim(), { takeOver: true });
    const time = performance.now() - start;
    await exited;
    await recorder.close();
    return time;
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  }
}

/** From Stop to the end of an answer that waits for its next letters. */
async function demoStopTime(): Promise<number> {
  const abort = new AbortController();
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello' }], timestamp: '2026-01-01T00:00:00Z' }];
  const stream = createDemoProvider({ pace: { charactersPerSecond: 20 } }).stream({ model: 'demo', systemPrompt: '', messages, tools: [] }, abort.signal);
  await stream.next();
  const pending = stream.next().catch((error: unknown) => error);
  const start = performance.now();
  abort.abort();
  const end = await pending;
  if (!isAbortError(end)) throw new Error('The answer was not stopped.');
  return performance.now() - start;
}

/** How long a server of this machine that says nothing is waited for when the list of models is made. */
async function silentServerTime(): Promise<number> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const source = openAiSource(
      new Secrets(memorySecrets(), memoryChoices()),
      () => ({ id: 'ollama', preset: presetOf('ollama'), baseUrl, headers: {}, own: false }),
      listModels,
    );
    const start = performance.now();
    if (await source.isSetUp(new AbortController().signal)) throw new Error('A silent server was taken for one that answers.');
    return performance.now() - start;
  } finally {
    server.close().closeAllConnections();
  }
}
