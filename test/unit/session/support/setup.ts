import { onTestFinished } from 'vitest';
import type { Clock } from '../../../../src/domain/clock.js';
import type { FileHandle, FileLayer } from '../../../../src/domain/workspace/file-layer.js';
import type { Log } from '../../../../src/domain/log.js';
import type { AssistantMessage, Message, ToolResultMessage, UserMessage } from '../../../../src/domain/model/message.js';
import type { SessionStore } from '../../../../src/domain/session/session-store.js';
import { createNodeFileLayer } from '../../../../src/node/files/node-file-layer.js';
import type { ProcessIdentity, ProcessProbe } from '../../../../src/session/lock/process-probe.js';
import { type Sessions, createSessions } from '../../../../src/session/create-sessions.js';
import type { SessionFolderOptions } from '../../../../src/session/session-folder.js';

/** A clock that a test sets; it goes on by a second with each look. */
export function testClock(start = '2026-02-18T12:00:00.120Z'): Clock & { set(time: string): void } {
  let now = Date.parse(start);
  return {
    set: (time) => {
      now = Date.parse(time);
    },
    monotonic: () => performance.now(),
    timestamp: () => {
      const time = new Date(now).toISOString();
      now += 1_000;
      return time;
    },
  };
}

/** A log that keeps its lines. */
export function testLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (message: string): void => {
    lines.push(message);
  };
  return { lines, info: keep, warn: keep, error: keep };
}

/** A made-up world of processes: each has a number, and lives until it is ended. */
export class TestProcesses {
  private readonly ended = new Set<number>();
  private last = 1000;

  /** A probe as one new process sees it, and its end. */
  start(): ProcessProbe & { readonly pid: number; end(): void } {
    const pid = (this.last += 1);
    const identity: ProcessIdentity = { pid, host: 'test', started: String(pid) };
    return {
      pid,
      end: () => this.ended.add(pid),
      self: () => Promise.resolve(identity),
      isRunning: (other) => Promise.resolve(this.ended.has(other.pid) || other.pid > this.last ? 'no' : 'yes'),
    };
  }
}

/** A store on real files that does not wait long for others. */
export function testStore(folder: string, options: Partial<SessionFolderOptions> = {}): SessionStore {
  return testSessions(folder, options).store;
}

/** A store and a library on real files that do not wait long for others. */
export function testSessions(folder: string, options: Partial<SessionFolderOptions> = {}): Sessions {
  return createSessions({ folder, files: nodeFiles(), clock: testClock(), log: testLog(), waitMs: 0, ...options });
}

/**
 * The real file layer. What a test leaves open, as a killed process does, is closed at its end; then every lock is
 * somebody else's, so that the heart of one that was left beats no more, nor into the folder that is being removed.
 */
export function nodeFiles(): FileLayer {
  const files = createNodeFileLayer();
  const open = new Set<Promise<FileHandle>>();
  let over = false;
  const track = async (start: () => Promise<FileHandle>): Promise<FileHandle> => {
    if (over) throw Object.assign(new Error('The test is over.'), { code: 'EEXIST' });
    const opening = start();
    open.add(opening);
    try {
      const handle = await opening;
      const close = (): Promise<void> => (open.delete(opening) ? handle.close() : Promise.resolve());
      return { ...handle, close };
    } catch (error) {
      open.delete(opening);
      throw error;
    }
  };
  onTestFinished(async () => {
    over = true;
    await Promise.allSettled([...open].map(async (opening) => (await opening).close()));
  });
  return {
    ...files,
    stat: (path) => (over ? Promise.resolve(undefined) : files.stat(path)),
    openExclusive: (path) => track(() => files.openExclusive(path)),
    openAppend: (path) => track(() => files.openAppend(path)),
  };
}

/** What the person says. */
export function user(text: string, timestamp = '2026-02-18T12:00:00Z'): UserMessage {
  return { role: 'user', content: [{ type: 'text', text }], timestamp };
}

/** What the model says. */
export function assistant(text: string, more: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    role: 'assistant',
    content: [{ type: 'text', text }],
    stopReason: 'end_turn',
    rawStopReason: 'end_turn',
    usage: { inputTokens: 3, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 },
    timestamp: '2026-02-18T12:00:01Z',
    ...more,
  };
}

/** What a tool says. */
export function toolResult(toolCallId: string, text: string): ToolResultMessage {
  return { role: 'tool_result', toolCallId, toolName: 'read', content: [{ type: 'text', text }], isError: false, timestamp: '2026-02-18T12:00:02Z' };
}

/** The text of each message. */
export function texts(messages: readonly Message[]): readonly string[] {
  return messages.map(({ content }) => content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join(''));
}
