import { cp, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Sessions } from '../../../src/session/create-sessions.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { TestProcesses, testSessions, texts } from './support/setup.js';
import { decodeSession } from '../../support/decode-session.js';

/** The folder of sessions as the first version wrote it: folded, an envelope alone, killed with a journal, killed in mid-answer. */
const FIRST = join(import.meta.dirname, 'samples', 'first');

async function sample(): Promise<string> {
  const folder = temporaryFolder();
  await cp(FIRST, folder, { recursive: true });
  return folder;
}

/** The sessions in a folder, as a window sees them after all earlier ones ended. */
function sessionsIn(folder: string): Sessions {
  return testSessions(folder, { processes: new TestProcesses().start() });
}

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  folded: ['Look <here> & “there”<image>', '<thinking><thinking><tool_call>', 'x', 'Done.'],
  'envelope-only': ['only an envelope', 'yes'],
  'journal-only': ['never folded', '<thinking>answer'],
  both: ['one', 'two', 'three', 'four, cut o'],
};

describe('what the first version stored', () => {
  it('is listed, with its old index and without', async () => {
    const folder = await sample();
    const expected = [
      { id: 'both', title: 'one', messageCount: 4 },
      { id: 'journal-only', title: 'never folded', messageCount: 2, createdAt: expect.any(String) as string },
      { id: 'envelope-only', title: 'only an envelope', messageCount: 2 },
      { id: 'folded', title: 'A folded session', messageCount: 4, model: 'demo/demo', costUsd: 0.25, createdAt: '2026-02-18T12:00:00.12Z' },
    ];
    expect(await sessionsIn(folder).store.list()).toMatchObject(expected);
    await writeFile(join(folder, 'index.json'), '');
    expect(await sessionsIn(folder).store.list()).toMatchObject(expected);
  });

  it('is taken from its old index as far as that goes', async () => {
    const folder = await sample();
    const path = join(folder, 'folded.json');
    const { size } = await stat(path);
    await utimes(path, 1_000, 1_000);
    const { mtimeMs } = await stat(path);
    const entry = { size, mtimeMs, title: 'from the index', updatedAt: '2026-02-18T12:00:00Z', messageCount: 77 };
    await writeFile(
      join(folder, 'index.json'),
      JSON.stringify({ version: 1, envelopes: { folded: entry }, titles: { folded: { size: 1, mtimeMs: 1, title: 'old' } } }),
    );
    const listed = (await sessionsIn(folder).store.list()).find(({ id }) => id === 'folded');
    expect(listed).toMatchObject({ title: 'A folded session', messageCount: 77, costUsd: 0.25 });
    expect(listed).not.toHaveProperty('createdAt');
  });

  it.each(Object.keys(TEXTS))('opens and folds without loss: %s', async (id) => {
    const folder = await sample();
    const { store } = sessionsIn(folder);
    const opened = await store.open(id);
    expect(texts(opened.session.messages)).toEqual(TEXTS[id]);
    expect(opened.warnings).toEqual([]);
    await opened.recorder.close();
    expect((await readdir(folder)).filter((name) => name.startsWith(`${id}.`) && !/^[^.]+(\.meta)?\.json$/.test(name))).toEqual([]);
    expect(texts(decodeSession(await readFile(join(folder, `${id}.json`))).messages.map(({ message }) => message))).toEqual(TEXTS[id]);
    const again = await store.open(id);
    expect(again.session.messages).toEqual(opened.session.messages);
    await again.recorder.close();
  });

  it('keeps every detail', async () => {
    const { store } = sessionsIn(await sample());
    const { session, meta, recorder } = await store.open('folded');
    expect(session).toMatchObject({ systemPrompt: 'Be good.', createdAt: '2026-02-18T12:00:00.12Z' });
    expect(session.messages[1]).toMatchObject({
      content: [{ redacted: true, signature: Uint8Array.from([1, 2]) }, { thinking: 'hm' }, { arguments: '{"path":"a.ts","n":1.0}' }],
    });
    expect(meta).toMatchObject({
      title: 'A folded session',
      mode: 'plan',
      models: { 1: 'demo/demo' },
      costUsd: 0.25,
      denials: [{ reason: 'no' }],
      compactions: [{ summary: 'It was short.' }],
      redacted: { 1: [0] },
    });
    await recorder.close();
    const journal = await store.open('journal-only');
    expect(journal.session).toMatchObject({ systemPrompt: 'Be quick.', messages: [{}, { content: [{ redacted: true }, {}] }] });
    await journal.recorder.close();
    const both = await store.open('both');
    expect(both.meta).toMatchObject({ interruptedAt: 3 });
    await both.recorder.close();
  });

  it('can be branched, labeled, deleted and had back', async () => {
    const { store, library } = sessionsIn(await sample());
    for (const [id, words] of Object.entries(TEXTS)) {
      await library.label(id, { pinned: true });
      const branch = await store.branch(id, 1);
      expect(texts(branch.session.messages)).toEqual(words.slice(0, 1));
      await branch.recorder.close();
      await library.trash(id);
      await library.restore(id);
      expect(texts((await library.read(id)).session.messages)).toEqual(words);
    }
  });
});
