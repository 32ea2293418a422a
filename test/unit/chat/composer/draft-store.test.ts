import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { attachedBlock } from '../../../../src/domain/session/attached.js';
import { createNodeFileLayer } from '../../../../src/node/files/node-file-layer.js';
import { type DraftContent, EMPTY_DRAFT, DraftStore } from '../../../../src/chat/composer/draft-store.js';

let folder: string;
const logged: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'drafts-'));
  logged.length = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function open(): DraftStore {
  const note = (text: string): void => void logged.push(text);
  return new DraftStore({ folder: join(folder, 'drafts'), files: createNodeFileLayer(), log: { info: note, warn: note, error: note } });
}

const image = (fill: number) => ({ type: 'image' as const, mimeType: 'image/png' as const, data: new Uint8Array(1_000).fill(fill) });
const draft = (over: Partial<DraftContent> = {}): DraftContent => ({
  text: 'half a thought',
  at: 1_700_000_000_000,
  attachments: [
    { attachment: { id: 'p', name: 'shot.png', kind: 'image' }, content: image(1) },
    { attachment: { id: 'f', name: 'a.ts', kind: 'file' }, content: attachedBlock({ name: 'a.ts', text: 'Attached file: a.ts' }) },
  ],
  queue: [{ id: 'q', text: 'and then this', attached: [image(2)] }],
  ...over,
});

test('a draft with its images and its queue is there again after a restart', async () => {
  const store = open();
  store.save('123', draft());
  await store.flush();
  expect(await open().load('123')).toEqual(draft());
  expect(await open().load('456')).toEqual(EMPTY_DRAFT);
});

test('a command of a file that waits keeps what it becomes', async () => {
  const store = open();
  const script = [
    { type: 'text' as const, text: 'Look: ' },
    { type: 'command' as const, command: 'git log' },
    { type: 'command' as const, command: 'pwd', cwd: '/b' },
  ];
  const queue = [
    {
      id: 'q',
      text: '/look',
      attached: [],
      expanded: { script, blocks: [attachedBlock({ name: '/look', text: 'x' }), image(3)] },
      turn: {
        grant: { kind: 'command' as const, name: 'look', origin: { layer: 'project' as const, file: '/a', display: 'a' }, rules: ['Read'], digest: 'd' },
        agent: 'writer',
        model: 'opus',
        effort: 'high' as const,
      },
    },
  ];
  store.save('123', draft({ queue }));
  await store.flush();
  expect((await open().load('123')).queue).toEqual(queue);
});

test('only the person can read it', async () => {
  const store = open();
  store.save('123', draft());
  await store.flush();
  expect((await stat(join(folder, 'drafts'))).mode & 0o77).toBe(0);
  for (const name of await readdir(join(folder, 'drafts'))) expect((await stat(join(folder, 'drafts', name))).mode & 0o77).toBe(0);
});

test('of many changes at once the last one counts, and images are written once', async () => {
  const store = open();
  store.save('123', draft());
  await store.flush();
  const before = (await readdir(join(folder, 'drafts'))).filter((name) => !name.endsWith('.json'));
  const times = await Promise.all(before.map(async (name) => (await stat(join(folder, 'drafts', name))).mtimeMs));
  for (let index = 0; index < 50; index += 1) store.save('123', draft({ text: `text ${index}` }));
  expect((await store.load('123')).text).toBe('text 49');
  expect(await Promise.all(before.map(async (name) => (await stat(join(folder, 'drafts', name))).mtimeMs))).toEqual(times);
});

test('what is not needed any more is removed, and nothing of another session', async () => {
  const store = open();
  store.save('123', draft());
  store.save('1234', draft());
  store.save('123', draft({ attachments: [], queue: [] }));
  await store.flush();
  expect((await readdir(join(folder, 'drafts'))).filter((name) => name.startsWith('123.'))).toEqual(['123.json']);
  store.save('123', EMPTY_DRAFT);
  await store.flush();
  expect((await readdir(join(folder, 'drafts'))).map((name) => name.split('.')[0])).toEqual(['1234', '1234', '1234']);
});

test('a file that is no draft, or an image that was changed, does no harm', async () => {
  const store = open();
  store.save('123', draft());
  await store.flush();
  const images = (await readdir(join(folder, 'drafts'))).filter((name) => !name.endsWith('.json'));
  for (const name of images) await writeFile(join(folder, 'drafts', name), 'other bytes');
  const loaded = await store.load('123');
  expect(loaded.attachments.map(({ attachment }) => attachment.id)).toEqual(['f']);
  expect(loaded.queue).toEqual([{ id: 'q', text: 'and then this', attached: [] }]);
  for (const bad of ['', '{', '[]', '{"text":1}', '{"text":"a","at":-1,"attachments":[],"queue":[]}']) {
    await writeFile(join(folder, 'drafts', '123.json'), bad);
    expect(await store.load('123')).toEqual(EMPTY_DRAFT);
  }
  expect(logged).toHaveLength(5);
});

test('a name that could lead elsewhere is no key', async () => {
  const store = open();
  store.save('../evil', draft());
  await store.flush();
  expect(await readdir(folder)).toEqual([]);
  expect(await store.load('../evil')).toEqual(EMPTY_DRAFT);
});

test('sess-13 a draft of another storage comes here once, with its images and its queue, and never over one that is here', async () => {
  const [other, here] = ['other', 'drafts'].map(
    (name) =>
      new DraftStore({
        folder: join(folder, name),
        files: createNodeFileLayer(),
        log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      }),
  );
  other?.save('123', draft());
  other?.save('456', draft({ text: 'there' }));
  here?.save('456', draft({ text: 'here' }));
  await other?.flush();
  for (const key of ['123', '123', '456', '789', '../123']) await here?.bring(key, join(folder, 'other'));
  expect(await here?.load('123')).toEqual(draft());
  expect((await here?.load('456'))?.text).toBe('here');
  expect((await readdir(join(folder, 'other'))).filter((name) => name.startsWith('123'))).toEqual([]);
  await here?.bring('1', join(folder, 'missing'));
});
