import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WorkspaceEnvironment } from '../../../src/agent-host/environment.js';
import { Signal } from '../../../src/concurrency/signal.js';
import { ownSession } from '../../../src/domain/session/identity.js';
import type { Message } from '../../../src/domain/model/message.js';
import type { SessionEvent, Turn } from '../../../src/engine/events.js';
import { createWorkspace } from '../../../src/node/files/workspace.js';
import { eventually } from '../../support/eventually.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { MemoryLog } from '../engine/rig.js';

const SECOND = 1_000;

let folder: string;
let environment: WorkspaceEnvironment;
beforeEach(() => {
  folder = temporaryFolder();
  const workspace = createWorkspace(() => [{ name: 'ws', path: folder }], '/nowhere');
  environment = new WorkspaceEnvironment({ workspace, trusted: () => false, open: () => [], log: new MemoryLog() });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => vi.useRealTimers());

function contents(): string | undefined {
  return environment.facts().find(({ label }) => label === 'Contents')?.value;
}

/** What is known when nothing more is under way. */
async function settled(): Promise<string | undefined> {
  vi.useRealTimers();
  await environment.refresh();
  return contents();
}

test('a look that can wait is done at once where nothing is known yet', async () => {
  writeFileSync(join(folder, 'a'), '');
  environment.refreshSoon();
  vi.useRealTimers();
  await eventually(() => expect(contents()).toBe('a'));
});

test('a look that can wait is done when nothing has asked for it for a second, and no turn begins', async () => {
  await environment.refresh();
  const looked = vi.spyOn(environment, 'refresh');
  for (let time = 0; time < 5; time += 1) {
    environment.refreshSoon();
    vi.advanceTimersByTime(SECOND - 1);
    environment.putOff();
    vi.advanceTimersByTime(SECOND - 1);
  }
  expect(looked).not.toHaveBeenCalled();
  writeFileSync(join(folder, 'b'), '');
  vi.advanceTimersByTime(1);
  expect(looked).toHaveBeenCalledOnce();
  // Nothing waits any more: a turn that begins brings no look.
  environment.putOff();
  vi.advanceTimersByTime(SECOND);
  expect(looked).toHaveBeenCalledOnce();
  expect(await settled()).toBe('b');
});

test('a look at once takes the place of one that waits, and nothing is looked at when the window is gone', async () => {
  await environment.refresh();
  environment.refreshSoon();
  await environment.refresh();
  const looked = vi.spyOn(environment, 'refresh');
  vi.advanceTimersByTime(SECOND);
  environment.refreshSoon();
  environment.dispose();
  vi.advanceTimersByTime(SECOND);
  expect(looked).not.toHaveBeenCalled();
});

const NOTHING = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const TURN: Turn = {
  ...{ end: 'end_turn', messages: [], rounds: 1, durationMs: 0, modelMs: 0, denials: [] },
  ...{ usage: NOTHING, costUsd: undefined, byModel: {} },
};

test('a session is looked after: at its beginning, and at once behind a turn with calls, so that its next message knows what they changed', async () => {
  const events = new Signal<SessionEvent>();
  const stop = environment.follow({ onEvent: events.subscribe });
  expect(await settled()).toBe('empty');
  writeFileSync(join(folder, 'a'), '');
  const looked = vi.spyOn(environment, 'refresh');
  const result: Message = { role: 'tool_result', toolCallId: 'c1', toolName: 'bash', content: [], isError: false, timestamp: '2026-01-01T00:00:00Z' };
  events.emit({ type: 'turn_ended', turn: { ...TURN, messages: [result] }, who: ownSession('s') });
  expect(looked).toHaveBeenCalledOnce();
  await eventually(() => expect(contents()).toBe('a'));
  stop();
  events.emit({ type: 'turn_ended', turn: { ...TURN, messages: [result] }, who: ownSession('s') });
  expect(looked).toHaveBeenCalledOnce();
});
