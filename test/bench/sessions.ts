import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '../../src/domain/model/message.js';
import { createNodeFileLayer } from '../../src/node/files/node-file-layer.js';
import { encodeSession } from '../../src/session/codec/encode.js';
import { type Sessions, createSessions } from '../../src/session/create-sessions.js';
import { type Figure, medianFigure } from './figure.js';

const NOW = '2026-01-01T00:00:00Z';
const RUNS = 5;
const APPENDS = 50;
/** A long conversation: 5,000 messages, 21 MB. */
const LONG = { messages: 5_000, bytes: 3_000 };
/** sess-12: the history of a busy year: 10,000 messages in 2,000 sessions, 500 MB. */
const HISTORY = { sessions: 2_000, messages: 5, bytes: 50_000 };
/** Images of 1 MB in one conversation. */
const IMAGES = 200;
const MEGABYTE = 1024 * 1024;

/** How long work took, and the longest time in which the host did nothing else. */
interface Timing {
  readonly total: number;
  readonly block: number;
}

/** What keeping conversations costs: recording, folding, opening, listing, searching; long ones and many. */
export async function measureSessions(): Promise<readonly Figure[]> {
  // Memory first: what the others leave free would hide it.
  return [...(await inFolder(images)), ...(await inFolder(longConversation)), ...(await inFolder(history))];
}

async function inFolder(measure: (folder: string) => Promise<readonly Figure[]>): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gnomon-bench-'));
  try {
    return await measure(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function longConversation(folder: string): Promise<readonly Figure[]> {
  await writeSession(
    folder,
    'long',
    Array.from({ length: LONG.messages }, (_, index) => message(index, LONG.bytes)),
  );
  const { store } = sessionsIn(folder);
  const opens: Timing[] = [];
  const appends: number[] = [];
  const folds: Timing[] = [];
  for (let run = 0; run <= RUNS; run += 1) {
    const { timing, value } = await timed(() => store.open('long'));
    opens.push(timing);
    for (let count = 0; count < APPENDS; count += 1) appends.push((await timed(() => value.recorder.append(message(count, 500)))).timing.total);
    folds.push((await timed(() => value.recorder.fold())).timing);
    await value.recorder.close();
  }
  return [
    medianFigure('session_append_ms', appends.slice(APPENDS), { unit: 'ms', goal: 2 }),
    medianFigure(
      'session_fold_block_ms',
      folds.slice(1).map(({ block }) => block),
      { unit: 'ms', goal: 20 },
    ),
    medianFigure(
      'session_open_21mb_ms',
      opens.slice(1).map(({ total }) => total),
      { unit: 'ms', goal: 1_000 },
    ),
    medianFigure(
      'session_open_21mb_block_ms',
      opens.slice(1).map(({ block }) => block),
      { unit: 'ms', goal: 20 },
    ),
  ];
}

async function history(folder: string): Promise<readonly Figure[]> {
  for (let session = 0; session < HISTORY.sessions; session += 1) {
    await writeSession(
      folder,
      String(session),
      Array.from({ length: HISTORY.messages }, (_, index) => message(session + index, HISTORY.bytes)),
    );
    await writeFile(join(folder, `${session}.meta.json`), JSON.stringify({ version: 1, title: `Session ${session}`, costUsd: 0.1 }));
  }
  const cold = await timed(() => sessionsIn(folder).store.list());
  const lists: Timing[] = [];
  // A store of its own for each list: nothing is known but the index on the disk.
  for (let run = 0; run < RUNS; run += 1) lists.push((await timed(() => sessionsIn(folder).store.list())).timing);
  return [
    medianFigure(
      'session_list_2000_ms',
      lists.map(({ total }) => total),
      { unit: 'ms', goal: 200 },
    ),
    { name: 'session_list_without_index_ms', value: cold.timing.total, unit: 'ms', goal: 60_000, note: '500 MB read once' },
    { name: 'session_list_without_index_block_ms', value: cold.timing.block, unit: 'ms', goal: 50 },
    await searching(folder),
  ];
}

async function searching(folder: string): Promise<Figure> {
  const { library } = sessionsIn(folder);
  const { timing } = await timed(async () => {
    for await (const hit of library.search('nowhere to be found', new AbortController().signal)) throw new Error(`Found in ${hit.id}.`);
  });
  return { name: 'session_search_block_ms', value: timing.block, unit: 'ms', goal: 50, note: `all 500 MB in ${Math.round(timing.total)} ms` };
}

async function images(folder: string): Promise<readonly Figure[]> {
  await writeImages(join(folder, 'images.json'));
  const times: number[] = [];
  const grown: number[] = [];
  const folds: Timing[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const memory = watchMemory();
    const { timing, value } = await timed(() => sessionsIn(folder).store.open('images'));
    grown.push(memory());
    times.push(timing.total);
    await value.recorder.append(message(run, 100));
    folds.push((await timed(() => value.recorder.close())).timing);
  }
  return [
    medianFigure('session_200_pictures_open_ms', times, { unit: 'ms', goal: 1_000 }),
    medianFigure('session_200_pictures_rss_mb', grown, { unit: 'MB', goal: 100 }),
    medianFigure(
      'session_200_pictures_fold_block_ms',
      folds.map(({ block }) => block),
      { unit: 'ms', goal: 50 },
    ),
  ];
}

/** Written bit by bit, so that making it takes no memory. */
async function writeImages(path: string): Promise<void> {
  const file = await open(path, 'w');
  const base64 = Buffer.alloc(MEGABYTE, 'image').toString('base64');
  const image = JSON.stringify({ type: 'user', content: [{ type: 'image', data: base64, mime_type: 'image/png' }], timestamp: NOW });
  await file.write('{"version":1,"messages":[');
  for (let count = 0; count < IMAGES; count += 1) await file.write(count === 0 ? image : `,${image}`);
  await file.write(']}');
  await file.close();
}

/** Notes the most memory that the process takes until the function it returns is called. @returns by how many MB it grew. */
function watchMemory(): () => number {
  const before = process.memoryUsage.rss();
  let most = before;
  const look = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 5);
  return () => {
    clearInterval(timer);
    look();
    return (most - before) / MEGABYTE;
  };
}

function sessionsIn(folder: string): Sessions {
  const log = { info: () => undefined, warn: console.error, error: console.error };
  return createSessions({ folder, files: createNodeFileLayer(), clock: { timestamp: () => NOW, monotonic: () => performance.now() }, log });
}

async function writeSession(folder: string, id: string, messages: readonly Message[]): Promise<void> {
  await writeFile(
    join(folder, `${id}.json`),
    encodeSession(
      { id, systemPrompt: '', createdAt: NOW, updatedAt: NOW },
      messages.map((item) => ({ message: item })),
    ),
  );
}

/** What a person or a model says, mostly code. */
function message(index: number, bytes: number): Message {
  const line = `const line${index} = "a <b> & c — \\n";\n`;
  const content = [{ type: 'text' as const, text: line.repeat(Math.ceil(bytes / 50)) }];
  if (index % 2 === 0) return { role: 'user', content, timestamp: NOW };
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return { role: 'assistant', content, stopReason: 'end_turn', rawStopReason: 'end_turn', usage, timestamp: NOW };
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly timing: Timing; readonly value: T }> {
  const block = watchBlocks();
  const start = performance.now();
  const value = await work();
  const total = performance.now() - start;
  return { timing: { total, block: block() }, value };
}

/** Notes the longest time between two turns of the event loop until the function it returns is called. */
function watchBlocks(): () => number {
  let longest = 0;
  let last = performance.now();
  let running = true;
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    running = false;
    return Math.max(longest, performance.now() - last);
  };
}
