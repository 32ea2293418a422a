import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, ToolResultMessage } from '../../../src/domain/model/message.js';
import type { SessionMeta } from '../../../src/domain/session/session-store.js';
import { type ToldOutcome, forModel } from '../../../src/domain/tool/for-model.js';
import { type CallOutcome, statusOf } from '../../../src/domain/tool/outcome.js';
import { readOutcome, storedOutcome } from '../../../src/session/codec/outcomes.js';
import { itemsOf } from '../../../src/chat/projection/transcript-items.js';
import { OUTCOME_KINDS, outcomesOf, withoutOutcomes } from '../../support/outcomes.js';
import { runs } from '../../support/runs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { assistant, TestProcesses, testStore, toolResult, user } from './support/setup.js';

/** A conversation in which each call became something, whatever its result says. */
function conversation(outcomes: readonly CallOutcome[], told: (outcome: CallOutcome) => string): readonly Message[] {
  const calls = outcomes.map((_, index) => ({ type: 'tool_call' as const, id: `c${index}`, name: 'read', arguments: '{"file_path":"a"}' }));
  return [
    user('Go.'),
    assistant('', { content: calls, stopReason: 'tool_use' }),
    ...outcomes.map((outcome, index) => ({ ...toolResult(`c${index}`, told(outcome)), isError: statusOf(outcome) !== 'done', outcome })),
  ];
}

function outcomesIn(messages: readonly Message[]): readonly (CallOutcome | undefined)[] {
  return messages.flatMap((message) => (message.role === 'tool_result' ? [message.outcome] : []));
}

/** The calls of a conversation as they are shown. */
function shown(messages: readonly Message[], meta: SessionMeta = {}): readonly unknown[] {
  return itemsOf(messages, meta).flatMap((item) => (item.kind === 'answer' ? item.blocks : []));
}

/** Writes a conversation as it was before outcomes were stored, and gives the path of its sidecar. */
async function asOfOld(
  folder: string,
  messages: readonly Message[],
  meta: SessionMeta & Readonly<Record<string, unknown>>,
): Promise<{ id: string; sidecar: string }> {
  const { recorder, session } = await testStore(folder).create('');
  for (const message of messages) await recorder.append(message);
  await recorder.close();
  const sidecar = join(folder, `${session.id}.meta.json`);
  await writeFile(sidecar, JSON.stringify({ version: 1, ...meta }));
  return { id: session.id, sidecar };
}

async function jsonOf(path: string): Promise<Readonly<Record<string, unknown>>> {
  return JSON.parse(await readFile(path, 'utf8')) as Readonly<Record<string, unknown>>;
}

const every = fc.tuple(...OUTCOME_KINDS.map((kind) => outcomesOf(kind)));

describe('what became of calls', () => {
  it('comes back as it was of every kind, and nothing of it is read from what the model is told', async () => {
    const told = (outcome: CallOutcome): string => (statusOf(outcome) === 'done' ? 'a' : forModel(outcome as ToldOutcome));
    await fc.assert(
      fc.asyncProperty(every, async (outcomes) => {
        for (const words of [told, () => 'x']) {
          const folder = temporaryFolder();
          const { recorder, session } = await testStore(folder).create('');
          const messages = conversation(outcomes, words);
          for (const message of messages) await recorder.append(message);
          await recorder.close();
          const again = await testStore(folder).open(session.id);
          expect(outcomesIn(again.session.messages)).toEqual(outcomes);
          expect(shown(again.session.messages, again.meta)).toEqual(shown(messages));
          await again.recorder.close();
        }
      }),
      { numRuns: runs(50) },
    );
  });

  it('comes back from the journal of a host that was killed, from the files, and in a branch', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const host = processes.start();
    const outcomes: readonly CallOutcome[] = [
      { kind: 'not_found', file: 'a', notes: [{ block: 0, from: 0, to: 1 }] },
      { kind: 'done', more: true },
    ];
    const { recorder, session } = await testStore(folder, { processes: host }).create('');
    for (const message of conversation(outcomes, () => 'x')) await recorder.append(message);
    host.end();
    const recovered = await testStore(folder, { processes: processes.start() }).open(session.id);
    expect(outcomesIn(recovered.session.messages)).toEqual(outcomes);
    await recovered.recorder.close();
    const store = testStore(folder, { processes: processes.start() });
    const branch = await store.branch(session.id, 4);
    await branch.recorder.close();
    for (const id of [session.id, branch.session.id]) {
      const opened = await store.open(id);
      expect(outcomesIn(opened.session.messages)).toEqual(outcomes);
      await opened.recorder.close();
    }
    expect(branch.meta.outcomes).toMatchObject({ 2: { call: 'c0', kind: 'not_found', file: 'a' }, 3: { call: 'c1', kind: 'done' } });
  });

  it('is nothing of the v1 file', async () => {
    const files = await Promise.all(
      [(messages: readonly Message[]) => messages, withoutOutcomes].map(async (change) => {
        const folder = temporaryFolder();
        const { recorder, session } = await testStore(folder).create('');
        for (const message of change(conversation([{ kind: 'not_found', file: 'a' }], () => 'x'))) await recorder.append(message);
        await recorder.close();
        return (await jsonOf(join(folder, `${session.id}.json`)))['messages'];
      }),
    );
    expect(files[0]).toEqual(files[1]);
  });

  it('is not taken from another call, nor from what cannot be', () => {
    const stored = storedOutcome('c1', { kind: 'rule' } as unknown as CallOutcome);
    expect(readOutcome(stored, 'c1')).toBeUndefined();
    expect(readOutcome(storedOutcome('c1', { kind: 'done' }), 'c2')).toBeUndefined();
    for (const wrong of [{ kind: 'found', count: 'many' }, { kind: 'found' }, { kind: 'denied', denial: { kind: 'rule', rule: 'x' } }, { kind: 'toString' }])
      expect(readOutcome({ call: 'c1', ...wrong }, 'c1')).toBeUndefined();
    expect(readOutcome({ call: 'c1', kind: 'done', notes: ['0 5 1', 7, 'x'], later: true }, 'c1')).toEqual({ kind: 'done' });
  });
});

const OLD: readonly ToolResultMessage[] = [
  { ...toolResult('c0', 'src/a.ts does not exist. Did you mean src/b.ts?'), isError: true },
  { ...toolResult('c1', 'Permission denied. Plan mode only reads; nothing may be changed or run. Nothing was done.'), isError: true },
  { ...toolResult('c2', 'The user denied this call; nothing was done. They said: not there'), isError: true },
  toolResult('c3', '1\tx\n[PARTIAL: lines 1-1 of 9. Continue with offset 2.]'),
];
const DENIALS = [
  { toolName: 'read', toolCallId: 'c1', reason: 'Plan mode only reads; nothing may be changed or run.' },
  { toolName: 'read', toolCallId: 'c2', reason: 'not there' },
];
const PLACEHOLDERS: readonly CallOutcome[] = OLD.map(() => ({ kind: 'done' }));

describe('a session of an older version', () => {
  const messages: readonly Message[] = [...conversation(PLACEHOLDERS, () => '').slice(0, 2), ...OLD];
  const meta = { title: 'Old', denials: DENIALS, later: { key: [1, 'x'] } };

  it('shows the words that it always showed, and keeps every field when it is saved', async () => {
    const folder = temporaryFolder();
    const { id, sidecar } = await asOfOld(folder, messages, meta);
    const { session, recorder, meta: read } = await testStore(folder).open(id);
    expect(shown(session.messages, read)).toMatchObject([
      { call: { status: 'failed', output: '', problem: 'File not found: src/a.ts' } },
      { call: { status: 'denied', output: '', problem: 'Plan mode is read-only.' } },
      { call: { status: 'denied', output: '', problem: 'You denied it: not there' } },
      { call: { status: 'done', output: '1\tx\n…' } },
    ]);
    const next = conversation([{ kind: 'no_pages' }], () => 'x').slice(1);
    for (const message of next) await recorder.append(message);
    await recorder.close();
    // What is read from words is not stored: the next version reads it again, as this one did.
    expect(await jsonOf(sidecar)).toEqual({ version: 1, ...meta, outcomes: { 7: { call: 'c0', kind: 'no_pages' } } });
  });

  it('that goes on after a later one keeps what that stored', async () => {
    const folder = temporaryFolder();
    const outcomes = { 2: { call: 'c0', kind: 'teleported', to: { place: 'elsewhere' } }, 3: { call: 'other', kind: 'done' } };
    const { id, sidecar } = await asOfOld(folder, messages, { ...meta, outcomes });
    const { session, recorder, meta: read } = await testStore(folder).open(id);
    expect(shown(session.messages, read)).toMatchObject([{ call: { problem: 'File not found: src/a.ts' } }, { call: { status: 'denied' } }, {}, {}]);
    await recorder.append(user('More.'));
    await recorder.close();
    expect(await jsonOf(sidecar)).toMatchObject({ outcomes: { 2: outcomes[2] } });
  });
});
