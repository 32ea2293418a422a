import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Message, ToolResultMessage } from '../../../../src/domain/model/message.js';
import type { SessionMeta } from '../../../../src/domain/session/session-store.js';
import type { CallOutcome } from '../../../../src/domain/tool/outcome.js';
import { assistant, TestProcesses, testStore, toolResult, user } from './setup.js';

/** Outcomes of which the words of their results, `x`, say nothing: with notes, with what ran instead, denied, and as users see them. */
export const OUTCOMES: readonly CallOutcome[] = [
  { kind: 'not_found', file: 'src/a.ts', notes: [{ block: 0, from: 0, to: 1 }] },
  { kind: 'ran', exitCode: 1, durationMs: 1500, ran: { subject: 'npm run lint', by: 'user' } },
  { kind: 'denied', denial: { kind: 'rule', rule: 'Read(secret)', scope: 'user', what: 'reading' } },
  { kind: 'done', more: true },
];

/** What is known of {@link conversation} beside its messages: every field that e850d744 knows, and those that came after it. */
export const META: SessionMeta = {
  title: 'Exchanged',
  titleBy: 'person',
  pinned: true,
  model: 'demo/demo',
  mode: 'plan',
  agent: 'reviewer',
  models: { 1: 'demo/demo' },
  turns: { 1: { durationMs: 1500, costUsd: 0.25, cacheBreak: { reason: 'expired', tokens: 20_000 } } },
  costUsd: 0.25,
  byModel: {
    'demo/demo': { usage: { inputTokens: 3, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 }, costUsd: 0.25, requests: 1, webSearchRequests: 2 },
  },
  compactions: [{ upTo: 1, at: 2, summary: 'It was short.', trigger: 'manual', createdAt: '2026-02-18T12:00:03Z', tokensBefore: 9, tokensAfter: 4 }],
  heldBack: [{ from: 0, to: 1 }],
  denials: [{ toolName: 'read', toolCallId: 'c2', reason: 'A rule says so.' }],
  hookRuns: [{ toolCallId: 'c0', event: 'PreToolUse', by: 'check', decision: 'deny', durationMs: 12, rewrote: true, reason: 'no' }],
};

/** A turn with calls. */
export function conversation(): readonly Message[] {
  const calls = OUTCOMES.map((_, index) => ({ type: 'tool_call' as const, id: `c${index}`, name: 'read', arguments: '{"file_path":"a"}' }));
  const redacted = { type: 'thinking' as const, thinking: '', redacted: true as const, signature: Uint8Array.from([1, 2]) };
  const result = (outcome: CallOutcome, index: number): ToolResultMessage => ({ ...toolResult(`c${index}`, 'x'), isError: index % 2 === 0, outcome });
  return [user('Go.'), assistant('', { content: [redacted, ...calls], stopReason: 'tool_use' }), ...OUTCOMES.map(result)];
}

/**
 * Writes {@link conversation} into a folder that has nothing yet: `closed`, its branch `branched`, and `killed`, with a journal
 * as it is a moment after its last message.
 */
export async function writeExchanged(folder: string): Promise<void> {
  const processes = new TestProcesses();
  const host = processes.start();
  const store = testStore(folder, { processes: host });
  for (const id of ['closed', 'killed']) {
    const { recorder } = await store.create('Be good.', id);
    const [first, ...rest] = conversation();
    if (first !== undefined) await recorder.append(first);
    await recorder.updateMeta(META);
    for (const message of rest) await recorder.append(message);
    if (id === 'closed') await recorder.close();
  }
  await expect.poll(() => jsonOf(join(folder, 'killed.meta.json'))).toHaveProperty('outcomes.5');
  host.end();
  const branch = await testStore(folder, { processes: processes.start() }).branch('closed', 6, 'branched');
  await branch.recorder.close();
}

/** A file with JSON. */
export async function jsonOf(path: string): Promise<Readonly<Record<string, unknown>>> {
  return JSON.parse(await readFile(path, 'utf8')) as Readonly<Record<string, unknown>>;
}
