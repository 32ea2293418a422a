import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { AgentSession } from '../../src/engine/agent-session.js';
import { answering, lastToolResults, type ModelServer, type RecordedRequest, reply, type Reply, startModelServer } from '../support/model-server/index.js';
import { type NodeHost, nodeHost } from '../unit/agent-host/node-host.js';
import { type Figure, median, medianFigure } from './figure.js';
import { NO_LOG } from './outer-host.js';

const WARM_UP = 3;
const RUNS = 15;
const TREES = 3;
const FILES = 5_000;
const IDLE = 20;
/** Calls of each of these agents, and bytes of each result: 30 messages and 200 kB. */
const CALLS = 14;
const RESULT = 14_500;
const MEGABYTE = 1024 * 1024;

/** What agents that work on parts of a task cost beside their requests. */
export async function measureAgents(): Promise<readonly Figure[]> {
  return [
    ...(await inFolder(NO_FILES, (rig) => startsAndQuestions(rig))),
    ...(await inFolder(FILES, (rig) => inWorktrees(rig))),
    ...(await inFolder(NO_FILES, (rig) => idle(rig))),
  ];
}

const NO_FILES = 0;

interface Rig {
  readonly folder: string;
  readonly host: NodeHost;
  readonly server: ModelServer;
}

/** Makes a host in a repository with some files, and removes all of it behind. */
async function inFolder(files: number, measure: (rig: Rig) => Promise<readonly Figure[]>): Promise<readonly Figure[]> {
  const around = mkdtempSync(join(tmpdir(), 'gnomon-agents-'));
  const folder = join(around, 'project');
  mkdirSync(folder);
  writeFileSync(join(folder, 'result.txt'), `${'x'.repeat(99)}\n`.repeat(RESULT / 100));
  for (let file = 0; file < files; file += 1) {
    const below = join(folder, `folder-${file % 50}`);
    mkdirSync(below, { recursive: true });
    writeFileSync(join(below, `file-${file}.txt`), `File number ${file}\n`.repeat(20));
  }
  git(folder, 'init', '-q');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'all');
  const server = await startModelServer({ apiKey: KEY });
  process.env['ANTHROPIC_API_KEY'] = KEY;
  const settings = { 'gnomon.anthropic.baseUrl': server.url, 'gnomon.model': 'anthropic/claude-sonnet-5-5' };
  const host = await nodeHost({ folder, storage: join(around, 'storage'), settings, log: NO_LOG });
  try {
    return await measure({ folder, host, server });
  } finally {
    await host.close();
    await server.close();
    rmSync(around, { recursive: true, force: true });
  }
}

const KEY = 'sk-of-the-bench';

function git(folder: string, ...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: folder, stdio: 'pipe' });
}

const isPart = ({ body }: RecordedRequest): boolean => JSON.stringify(body.messages[0]).includes('PART');

/** Has the model of a chat start agents, which answer by a script. */
function script({ server }: Rig, parts: readonly object[], agent: (request: RecordedRequest) => Reply): void {
  server.setScript((request) => {
    if (isPart(request)) return agent(request);
    if (lastToolResults(request.body).length > 0) return reply().text('Done.');
    return parts.reduce<ReturnType<typeof reply>>((all, part) => all.toolCall('agent', part), reply());
  });
}

const part = (name: string, more: object = {}): object => ({ description: `Part ${name}`, prompt: `PART ${name}`, ...more });

async function turn(session: AgentSession, words: string): Promise<void> {
  await session.send([{ type: 'text', text: words }]).turn;
}

/** Milliseconds from the moment at which a call runs that starts an agent to the first request of that. */
async function startTime(rig: Rig, name: string, more: object = {}): Promise<number> {
  const session = await rig.host.start({ mode: 'acceptEdits' });
  let called = NaN;
  let asked = NaN;
  session.onEvent((event) => {
    if (event.type === 'tool_call' && event.state.status === 'running') called = performance.now();
  });
  script(rig, [part(name, more)], () => {
    asked = performance.now();
    return reply().text('Found.');
  });
  await turn(session, `Go ${name}`);
  await session.close();
  return asked - called;
}

/** Milliseconds from the answer with a call that asks until the chat has the question. */
async function questionTime(rig: Rig, name: string): Promise<number> {
  const session = await rig.host.start();
  let answered = NaN;
  const asks = new Promise<number>((resolve) => {
    const stop = session.asks.onDidChange(() => {
      const [ask] = session.asks.waiting;
      if (ask === undefined) return;
      stop();
      resolve(performance.now());
    });
  });
  script(rig, [part(name)], (request) => {
    if (lastToolResults(request.body).length > 0) return reply().text('Done.');
    answered = performance.now();
    return reply().toolCall('write', { file_path: `${name}.txt`, content: 'written' });
  });
  const ended = turn(session, `Go ${name}`);
  const time = (await asks) - answered;
  session.cancel();
  await ended;
  await session.close();
  return time;
}

async function startsAndQuestions(rig: Rig): Promise<readonly Figure[]> {
  const starts: number[] = [];
  const questions: number[] = [];
  for (let run = 0; run < WARM_UP + RUNS; run += 1) {
    const [start, question] = [await startTime(rig, `start-${run}`), await questionTime(rig, `question-${run}`)];
    if (run < WARM_UP) continue;
    starts.push(start);
    questions.push(question);
  }
  return [medianFigure('elf_start_ms', starts, { unit: 'ms', goal: 20 }), medianFigure('elf_question_ms', questions, { unit: 'ms', goal: 200 })];
}

/** A start in a worktree beside `git worktree add` of the same files, one after the other. */
async function inWorktrees(rig: Rig): Promise<readonly Figure[]> {
  const own: number[] = [];
  const gits: number[] = [];
  for (let run = 0; run <= TREES; run += 1) {
    const began = performance.now();
    git(rig.folder, 'worktree', 'add', '-q', join(rig.folder, '..', `tree-${run}`));
    const ofGit = performance.now() - began;
    const ofElf = await startTime(rig, `tree-${run}`, { isolation: 'worktree' });
    if (run === 0) continue;
    gits.push(ofGit);
    own.push(ofElf);
  }
  const [mine, theirs] = [median(own), median(gits)];
  const note = `${own.map(Math.round).join(', ')} ms; git worktree add: ${gits.map(Math.round).join(', ')} ms; ${FILES} files`;
  return [{ name: 'elf_start_worktree_over_git_ms', value: mine - 1.3 * theirs, unit: 'ms', goal: 100, note }];
}

/** What is kept in memory of agents that have ended. */
async function idle(rig: Rig): Promise<readonly Figure[]> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const session = await rig.host.start();
  rig.server.setScript(answering(reply().text('Warm.'), 'Warm.'));
  await turn(session, 'Hello');
  await startTime(rig, 'warm');
  rig.server.forget();
  collect();
  const before = process.memoryUsage().heapUsed;
  const parts = Array.from({ length: IDLE }, (_, index) => part(`idle-${index}`));
  script(rig, parts, ({ body }) => {
    const done = body.messages.filter(({ role }) => role === 'assistant').length;
    return done < CALLS ? reply().toolCall('read', { file_path: 'result.txt', offset: 1, limit: 140 + done }) : reply().text('Read.');
  });
  await turn(session, 'Go');
  // What the server of the bench has recorded is not Gnomon's.
  rig.server.forget();
  collect();
  const value = (process.memoryUsage().heapUsed - before) / MEGABYTE;
  await session.close();
  return [{ name: 'idle_elves_20_mb', value, unit: 'MB', goal: 20, note: `${IDLE} agents with ${2 * CALLS + 2} messages each, their chat open` }];
}
