import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leftFor, pendingIn } from '../../../src/agent-host/changes/bring-changes.js';
import { LedgerStore } from '../../../src/edits/ledger-store.js';
import { createNodeFileLayer } from '../../../src/node/files/node-file-layer.js';
import { identifyFolder } from '../../../src/session/other-workspaces/folder-identity.js';
import { programHere } from '../../support/entries/program-here.js';
import type { ProgramEnd } from '../../support/headless-program.js';
import { editorStorage, filesBelow, ownStorage, sessionsCommand, sessionsIn, writeSessions } from '../../support/headless-sessions.js';
import { lastToolResults, type ModelServer, reply, startModelServer } from '../../support/model-server/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { assistant, testLog, texts, user } from '../session/support/setup.js';

const { run } = programHere;

let server: ModelServer;
let folder: string;
let home: string;

beforeEach(async () => {
  server = await startModelServer();
  server.setScript(() => reply().text('Fine.'));
  [folder, home] = [temporaryFolder(), temporaryFolder()];
});
afterEach(() => server.close());

const MODEL = ['--model', 'anthropic/claude-sonnet-5-5'];
const env = (): Readonly<Record<string, string>> => ({ ANTHROPIC_API_KEY: 'sk-test-1234567890', ANTHROPIC_BASE_URL: server.url });
const gnomon = (...args: readonly string[]): Promise<ProgramEnd> => run([...MODEL, ...args], { folder, home, env: env() });
const inVsCode = (...args: readonly string[]): Promise<ProgramEnd> => gnomon('--session-storage', 'vscode', ...args);
const sessions = (...args: readonly string[]): Promise<ProgramEnd> => sessionsCommand([...args, '--session-storage', 'vscode'], { folder, home });
const chat = (id: string, words: string): Parameters<typeof writeSessions>[1] => ({ id, messages: [user(words), assistant(`re: ${words}`)] });
const said = async (storage: string, id: string): Promise<readonly string[]> => texts((await sessionsIn(storage).library.read(id)).session.messages);
type Result = { readonly session_id: string };
/** What a run has left to be shown in a window. */
const pending = (storage: string, id: string): ReturnType<LedgerStore['load']> => {
  const files = createNodeFileLayer();
  return new LedgerStore(pendingIn(leftFor(storage, id).path), { files, save: () => Promise.reject(new Error('only read')) }, testLog()).load();
};
const ids = async (storage: string): Promise<readonly string[]> => (await sessionsIn(storage).store.list()).map(({ id }) => id);

describe('the chats that VS Code has of a folder', () => {
  it('must have been begun there once', async () => {
    for (const end of [await inVsCode('-p', 'x'), await run(['sessions', '--session-storage', 'vscode'], { folder, home })]) {
      expect([end.code, end.output]).toEqual([1, '']);
      expect(end.errors).toMatch(/VS Code keeps nothing for the folder .* Open it in VS Code once/);
    }
    editorStorage({ folder: temporaryFolder(), home });
    expect((await inVsCode('-p', 'x')).code).toBe(1);
    expect(server.requests).toEqual([]);
    expect(existsSync(ownStorage(folder, home))).toBe(false);
  });

  it('are gone on with in the terminal, and are chats of VS Code afterwards', async () => {
    const storage = editorStorage({ folder, home });
    await writeSessions(storage, chat('begun-there', 'in the window'));
    expect((await inVsCode('-p', 'in the terminal', '--continue')).code).toBe(0);
    expect(server.requests[0]?.body.messages).toHaveLength(3);
    expect(await said(storage, 'begun-there')).toEqual(['in the window', 're: in the window', expect.stringContaining('in the terminal'), 'Fine.']);
    // A window goes on with it in turn.
    const { recorder } = await sessionsIn(storage).store.open('begun-there');
    await recorder.append(user('in the window again'));
    await recorder.close();
    await inVsCode('-p', 'once more', '--resume', 'begun');
    expect(await said(storage, 'begun-there')).toHaveLength(7);
    expect(existsSync(join(ownStorage(folder, home), 'sessions'))).toBe(false);
  });

  it('get a new one from a run, where the window finds it', async () => {
    const storage = editorStorage({ folder, home });
    const { output } = await inVsCode('-p', 'hello', '--output-format', 'json');
    const { session_id: id } = JSON.parse(output) as Result;
    expect(await ids(storage)).toEqual([id]);
    expect((await sessions()).output).toContain(`${id}  just now`);
    expect((await run(['sessions'], { folder, home })).errors).toContain('There are no sessions');
  });

  it('are found where the extension has kept nothing yet', async () => {
    const storage = editorStorage({ folder, home });
    renameSync(storage, `${storage}.away`);
    expect((await inVsCode('-p', 'hello')).code).toBe(0);
    expect(await ids(storage)).toHaveLength(1);
  });

  it.each(['Code - Insiders', 'VSCodium', 'Cursor'])('are found in %s, too', async (editor) => {
    // One in which the folder was opened without the extension does not count.
    const other = editorStorage({ folder, home, editor: 'Code' });
    renameSync(other, `${other}.away`);
    await writeSessions(editorStorage({ folder, home, editor }), chat('there', 'hello'));
    expect((await sessions()).output).toMatch(/^there /m);
  });

  it('are found by the folder that a link leads to, and after it was renamed', async () => {
    const link = join(temporaryFolder(), 'link');
    symlinkSync(folder, link);
    await writeSessions(editorStorage({ folder: link, home, name: 'b'.repeat(32) }), chat('by-link', 'hello'));
    const storage = editorStorage({ folder: join(folder, '..', 'earlier-name'), home, name: 'c'.repeat(32) });
    await writeSessions(storage, chat('by-index', 'hello'));
    const index = join(home, 'config', 'Code', 'User', 'globalStorage', 'gnomon.gnomon', 'storages');
    mkdirSync(index, { recursive: true });
    const earlier = { ...(await identifyFolder(folder)), path: join(folder, '..', 'earlier-name'), realPath: join(folder, '..', 'earlier-name') };
    writeFileSync(join(index, 'c.json'), JSON.stringify({ version: 1, storage, folders: [earlier] }));
    expect((await sessions()).output).toMatch(/^by-link /m);
    expect((await sessions()).output).toMatch(/^by-index /m);
    // They stay where they are: each window finds them by its own index.
    await inVsCode('-p', 'more', '--resume', 'by-index');
    expect(await ids(storage)).toEqual(['by-index']);
    expect(await said(storage, 'by-index')).toHaveLength(4);
  });

  it('are those of a workspace of several folders, too, by what the extension has noted', async () => {
    const storage = editorStorage({ folder, home, workspace: { workspace: pathToFileURL(join(folder, 'all.code-workspace')).href } });
    await writeSessions(storage, chat('shared', 'hello'));
    expect((await sessions()).code).toBe(1);
    const index = join(home, 'config', 'Code', 'User', 'globalStorage', 'gnomon.gnomon', 'storages');
    mkdirSync(index, { recursive: true });
    writeFileSync(join(index, 'x.json'), JSON.stringify({ version: 1, storage, folders: [await identifyFolder(folder)] }));
    expect((await sessions()).output).toMatch(/^shared /m);
  });

  it.runIf(process.platform === 'linux')('begin where VS Code has them now, and those of an earlier folder of this name are listed', async () => {
    const current = createHash('md5')
      .update(folder)
      .update(String(statSync(folder).ino))
      .digest('hex');
    const now = editorStorage({ folder, home, name: current });
    const earlier = editorStorage({ folder, home, name: '0'.repeat(32) });
    await writeSessions(earlier, chat('earlier', 'hello'));
    await inVsCode('-p', 'hello');
    expect(await ids(now)).toHaveLength(1);
    expect(await ids(earlier)).toEqual(['earlier']);
    expect((await sessions()).output.trimEnd().split('\n')).toHaveLength(3);
  });

  it('can be renamed, exported, deleted, and restored', async () => {
    const storage = editorStorage({ folder, home });
    await writeSessions(storage, chat('one', 'hello'));
    await sessions('rename', 'one', 'Better');
    expect((await sessions('export', 'one')).output).toMatch(/^# Better\n/);
    const before = filesBelow(storage);
    expect((await sessions('delete', 'one')).errors).toContain('gnomon sessions restore one --session-storage vscode');
    expect(await ids(storage)).toEqual([]);
    for (const name of ['one', 'other']) expect((await sessions('show', name)).errors).toContain('--session-storage vscode');
    expect((await sessions()).errors).toContain('gnomon --session-storage vscode -p');
    await sessions('restore', 'one');
    expect(filesBelow(storage)).toEqual(before);
    await sessions('delete', 'one', '--permanently');
    expect(filesBelow(storage)).toEqual({});
  });
});

describe('what pends in a window', () => {
  const writes = (name = 'made'): void =>
    server.setScript(({ body }) =>
      lastToolResults(body).length === 0 ? reply().toolCall('write', { file_path: `${name}.txt`, content: `${name}\n` }) : reply().text('Done.'),
    );

  it('is left alone by a run, whose turns can be restored in the window, and whose changes pend until the chat is opened there', async () => {
    const storage = editorStorage({ folder, home });
    await writeSessions(storage, chat('one', 'hello'));
    mkdirSync(join(storage, 'review'), { recursive: true });
    const hash = 'f'.repeat(64);
    writeFileSync(join(storage, 'review', hash), 'not to be lost');
    writeFileSync(join(storage, 'review', 'ledger.json'), '{"version":1,"files":[{"kind":"whole"}]}');
    const before = filesBelow(join(storage, 'review'));
    writes();
    const { code, errors } = await inVsCode('-p', 'Make it', '--continue', '--permission-mode', 'acceptEdits');
    expect([code, errors]).toEqual([0, expect.stringMatching(/made\.txt: created [\s\S]*open the chat in VS Code/)]);
    expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toBe('made\n');
    expect(filesBelow(join(storage, 'review'))).toEqual(before);
    const { entries } = JSON.parse(readFileSync(join(storage, 'checkpoints', 'one', 'index.json'), 'utf8')) as { readonly entries: readonly object[] };
    expect(entries).toMatchObject([{ turn: 2, path: join(folder, 'made.txt'), before: { kind: 'absent' } }]);
    expect(readdirSync(storage).toSorted()).toEqual(['checkpoints', 'review', 'sessions', 'terminal']);
    expect(await pending(storage, 'one')).toMatchObject([{ path: join(folder, 'made.txt'), existed: false, baseline: '', agent: 'made\n' }]);
    await sessions('delete', 'one', '--permanently');
    expect(await pending(storage, 'one')).toEqual([]);
  });

  it('grows with each run of a chat, which tells only of what it has changed itself', async () => {
    const storage = editorStorage({ folder, home });
    writes();
    const first = JSON.parse((await inVsCode('-p', 'Make it', '--permission-mode', 'acceptEdits', '--output-format', 'json')).output) as Result;
    writes('other');
    const { errors } = await inVsCode('-p', 'And the other', '--continue', '--permission-mode', 'acceptEdits');
    expect(errors).toMatch(/^1 file changed:\n {2}other\.txt: created/);
    expect((await pending(storage, first.session_id)).map(({ path }) => path)).toEqual([join(folder, 'made.txt'), join(folder, 'other.txt')]);
    server.setScript(() => reply().text('Fine.'));
    const copy = JSON.parse((await inVsCode('-p', 'x', '--continue', '--fork-session', '--output-format', 'json')).output) as Result;
    expect(await pending(storage, copy.session_id)).toEqual([]);
    // But what was done before can be restored in it, too.
    expect(readFileSync(join(storage, 'checkpoints', copy.session_id, 'index.json'), 'utf8')).toContain('made.txt');
  });

  it('is nothing where a run changes nothing', async () => {
    const storage = editorStorage({ folder, home });
    await inVsCode('-p', 'hello');
    expect(readdirSync(storage)).toEqual(['sessions']);
  });
});

describe('which session is gone on with', () => {
  it('can be said by the beginning of its id', async () => {
    const storage = ownStorage(folder, home);
    await writeSessions(storage, chat('abc-one', 'one'), chat('abd-two', 'two'));
    expect((await gnomon('-p', 'x', '--resume', 'abc')).code).toBe(0);
    expect(await said(storage, 'abc-one')).toHaveLength(4);
    for (const [beginning, why] of [
      ['ab', '2 sessions begin with “ab”'],
      ['x', 'There is no session “x” of this folder'],
    ] as const) {
      const { code, errors } = await gnomon('-p', 'x', '--resume', beginning);
      expect([code, errors]).toEqual([1, expect.stringContaining(why)]);
    }
    expect(server.requests).toHaveLength(1);
  });

  it('is never one that is damaged, or in the trash', async () => {
    const storage = ownStorage(folder, home);
    await writeSessions(storage, chat('good', 'hello'), chat('gone', 'hello'));
    await run(['sessions', 'delete', 'gone'], { folder, home });
    writeFileSync(join(storage, 'sessions', 'broken.json'), '{"version":1,');
    expect((await gnomon('-p', 'x', '--resume', 'broken')).errors).toContain('The session broken is damaged');
    expect((await gnomon('-p', 'x', '--resume', 'gone')).errors).toContain('is in the trash');
    expect(server.requests).toEqual([]);
    expect((await gnomon('-p', 'x', '--continue')).code).toBe(0);
    expect(await said(storage, 'good')).toHaveLength(4);
    expect(readFileSync(join(storage, 'sessions', 'broken.json'), 'utf8')).toBe('{"version":1,');
  });

  it.each([[['--take-over']], [['--take-over', '--continue', '--fork-session']]])('must be said for %j', async (args) => {
    const { code, errors } = await gnomon('-p', 'x', ...args);
    expect([code, errors]).toEqual([2, expect.stringContaining('--take-over needs --resume or --continue')]);
  });

  it('may be one that the first version stored, of which only what is new changes', async () => {
    const storage = editorStorage({ folder, home });
    cpSync(join(import.meta.dirname, '..', 'session', 'samples', 'first'), join(storage, 'sessions'), { recursive: true });
    const before = filesBelow(join(storage, 'sessions'));
    expect((await inVsCode('-p', 'And now?', '--resume', 'folded')).code).toBe(0);
    const after = filesBelow(join(storage, 'sessions'));
    const others = (files: Readonly<Record<string, string>>): object =>
      Object.fromEntries(Object.entries(files).filter(([name]) => !name.startsWith('folded.')));
    expect(others(after)).toEqual(others(before));
    const [was, is] = [before, after].map((files) => Buffer.from(files['folded.json'] ?? '', 'base64').toString('utf8'));
    const [head, messages] = (was ?? '').split('  "messages": ');
    expect(is?.startsWith((head ?? '').replace(/"updated_at": "[^"]*"/, /"updated_at": "[^"]*"/.exec(is)?.[0] ?? ''))).toBe(true);
    expect(is).toContain((messages ?? '').replace(/\n {2}\]\n\}\s*$/, ','));
  });
});
