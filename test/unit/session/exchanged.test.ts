import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/domain/model/message.js';
import type { SessionStore } from '../../../src/domain/session/session-store.js';
import type { CallOutcome } from '../../../src/domain/tool/outcome.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { conversation, jsonOf, META, OUTCOMES, writeExchanged } from './support/exchanged.js';
import { TestProcesses, testStore, texts, user } from './support/setup.js';

/**
 * Sessions of e850d744, which knows nothing of outcomes, and of this version, each as the other one left them. They were made once:
 * - `old`: by a test in a work tree of e850d744, with the sentences of its tools: `closed`, `killed` after its last message, and `branched` off
 *   `closed` (its files renamed from the ids that were made up for them).
 * - `ours`: by {@link writeExchanged}, which still writes the same, as a test below says.
 * - `returned`: a copy of `ours`, in which e850d744 branched `closed` (`branched-by-old`, renamed), and opened each of the three, added a
 *   message, a call, and its result, changed the mode and the costs, and closed it.
 */
const SAMPLES = join(import.meta.dirname, '../../fixtures/sessions/exchanged');

/** A store over a copy of samples, after whoever wrote them ended. */
async function storeOf(samples: 'old' | 'returned'): Promise<{ store: SessionStore; folder: string }> {
  const folder = temporaryFolder();
  await cp(join(SAMPLES, samples), folder, { recursive: true });
  const processes = new TestProcesses();
  processes.start().end();
  return { store: testStore(folder, { processes: processes.start() }), folder };
}

function outcomesIn(messages: readonly Message[]): readonly (CallOutcome | undefined)[] {
  return messages.flatMap((message) => (message.role === 'tool_result' ? [message.outcome] : []));
}

const OLD_OUTCOMES: readonly CallOutcome[] = [
  { kind: 'not_found', file: 'src/a.ts' },
  { kind: 'denied', denial: { kind: 'plan_mode' } },
  { kind: 'denied', denial: { kind: 'user', said: 'not there' } },
  { kind: 'done', more: true },
];

describe('a session of e850d744', () => {
  it.each(['closed', 'killed', 'branched'])('loses no field when it is opened, continued and closed here: %s', async (id) => {
    const { store, folder } = await storeOf('old');
    const before = await jsonOf(join(folder, `${id}.meta.json`));
    const { session, recorder, warnings } = await store.open(id);
    expect(warnings).toEqual([]);
    expect(outcomesIn(session.messages)).toMatchObject(OLD_OUTCOMES);
    expect(session.messages[1]?.content[0]).toEqual({ type: 'thinking', thinking: '', redacted: true, signature: Uint8Array.from([1, 2]) });
    await recorder.append(user('More.'));
    await recorder.close();
    expect(await jsonOf(join(folder, `${id}.meta.json`))).toEqual({ ...before, redacted: { 1: [0] } });
    const again = await store.open(id);
    expect(again.session.messages.slice(0, -1)).toEqual(session.messages);
    await again.recorder.close();
  });
});

describe('a session of this version', () => {
  it('is written as it was when e850d744 opened it', async () => {
    const folder = temporaryFolder();
    await writeExchanged(folder);
    const names = (await readdir(join(SAMPLES, 'ours'))).filter((name) => !name.endsWith('.lock'));
    expect((await readdir(folder)).filter((name) => !name.endsWith('.lock') && name !== 'index.json')).toEqual(names);
    for (const name of names) expect(await readFile(join(folder, name), 'utf8'), name).toBe(await readFile(join(SAMPLES, 'ours', name), 'utf8'));
  });

  it.each(['closed', 'killed', 'branched'])('comes back without loss when e850d744 has continued it: %s', async (id) => {
    const { store } = await storeOf('returned');
    const { session, meta, recorder, warnings } = await store.open(id);
    expect(warnings).toEqual([]);
    expect(session.messages.slice(0, 6)).toEqual(conversation());
    // The last one is read from its words, as e850d744 has no other.
    expect(outcomesIn(session.messages)).toEqual([...OUTCOMES, { kind: 'not_found', file: 'b.ts' }]);
    expect(texts(session.messages.slice(6))).toEqual(['More.', '<tool_call>', 'b.ts does not exist.']);
    const { outcomes, ...others } = meta;
    const { pinned, ...branched } = META;
    const expected = id === 'branched' ? { ...branched, parent: { id: 'closed', count: 6 } } : { ...branched, pinned };
    expect(others).toEqual({ ...expected, mode: 'default', costUsd: 0.5, redacted: { 1: [0] } });
    expect(Object.keys(outcomes ?? {})).toEqual(['2', '3', '4', '5']);
    await recorder.close();
  });

  it('keeps its parent and what e850d744 knows of it in a branch that e850d744 makes, in which outcomes are read from words', async () => {
    const { store } = await storeOf('returned');
    const { session, meta, recorder } = await store.open('branched-by-old');
    const unknown = { byModel: undefined, heldBack: undefined, outcomes: undefined };
    expect(meta).toEqual({ ...META, ...unknown, pinned: undefined, parent: { id: 'closed', count: 6 }, redacted: { 1: [0] } });
    expect(outcomesIn(session.messages)).toEqual([
      { kind: 'rejected', problem: 'x' },
      { kind: 'done' },
      { kind: 'denied', denial: { kind: 'told', reason: 'A rule says so.' } },
      { kind: 'done' },
    ]);
    await recorder.close();
  });
});
