import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SessionBusyError } from '../../../src/session/errors.js';
import { programHere } from '../../support/entries/program-here.js';
import { headlessProgram, type ProgramEnd } from '../../support/headless-program.js';
import { editorStorage, filesBelow, heldSession, ownStorage, sessionsIn, writeSessions } from '../../support/headless-sessions.js';
import { gate, type ModelServer, reply, startModelServer } from '../../support/model-server/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { assistant, texts, user } from '../session/support/setup.js';

const { start } = headlessProgram();

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
const gnomon = (...args: readonly string[]): Promise<ProgramEnd> => programHere.run([...MODEL, ...args], { folder, home, env: env() });
const chat = (id: string, words: string): Parameters<typeof writeSessions>[1] => ({ id, messages: [user(words), assistant(`re: ${words}`)] });
const said = async (storage: string, id: string): Promise<readonly string[]> => texts((await sessionsIn(storage).library.read(id)).session.messages);

describe.each(['own', 'vscode'] as const)('a session that another process has open (%s)', (kind) => {
  const place = (): string => (kind === 'own' ? ownStorage(folder, home) : editorStorage({ folder, home }));
  const again = (...args: readonly string[]): Promise<ProgramEnd> => gnomon('--session-storage', kind, '-p', 'and now?', ...args);

  it('is not written by a second one, which says so and what to do', async () => {
    const storage = place();
    const { id } = await heldSession(storage);
    const before = filesBelow(storage);
    const { code, output, errors } = await again('--resume', id);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toContain(`The session ${id} is open in another window or program.`);
    expect(errors).toContain('--take-over');
    expect(filesBelow(storage)).toEqual(before);
    expect(server.requests).toEqual([]);
  });

  it('can be taken over, with all that was said', async () => {
    const storage = place();
    const { id, ended } = await heldSession(storage);
    expect((await again('--resume', id, '--take-over')).code).toBe(0);
    await ended;
    expect(server.requests[0]?.raw).toContain('from the other process');
    expect(await said(storage, id)).toEqual(['from the other process', expect.stringContaining('and now?'), 'Fine.']);
  });

  it('is not passed over by --continue when it is the newest, but can be copied or taken over', async () => {
    const storage = place();
    await writeSessions(storage, chat('older', 'hello'));
    const { id } = await heldSession(storage);
    const refused = await again('--continue');
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining(`The newest session (${id}, “from the other process”) is open in another`)]);
    expect(server.requests).toEqual([]);
    const copy = JSON.parse((await again('--continue', '--fork-session', '--output-format', 'json')).output) as { readonly session_id: string };
    expect(await said(storage, copy.session_id)).toHaveLength(3);
    expect(await said(storage, id)).toEqual(['from the other process']);
    expect((await again('--resume', id, '--take-over')).code).toBe(0);
  });
});

describe('a session that a run works on', () => {
  it('is not given to a window until the run has ended', async () => {
    const storage = editorStorage({ folder, home });
    await writeSessions(storage, chat('one', 'hello'));
    const held = gate();
    server.setScript(() => reply().text('I begin.').hold(held).text(' I end.'));
    const program = start([...MODEL, '--session-storage', 'vscode', '--continue', '-p', 'x'], { folder, home, env: env(), input: '' });
    await expect.poll(() => program.output).toContain('I begin.');
    const { store } = sessionsIn(storage);
    expect(await store.list()).toMatchObject([{ id: 'one', elsewhere: true }]);
    await expect(store.open('one')).rejects.toThrow(SessionBusyError);
    await expect(store.open('one', { takeOver: true })).rejects.toMatchObject({ busy: 'working' });
    held.open();
    expect((await program.end).code).toBe(0);
    const { recorder, session } = await store.open('one');
    expect(texts(session.messages).at(-1)).toBe('I begin. I end.');
    await recorder.close();
  });

  it('is given to a window between two messages by the protocol; then nothing more is said in it', async () => {
    const storage = editorStorage({ folder, home });
    await writeSessions(storage, chat('one', 'hello'));
    const args = ['--output-format', 'stream-json', '--input-format', 'stream-json', '--session-storage', 'vscode', '--resume', 'one'];
    const program = start([...MODEL, ...args], { folder, home, env: env() });
    const message = { type: 'user', message: { role: 'user', content: 'x' }, parent_tool_use_id: null, session_id: '' };
    program.send(message);
    await expect.poll(() => program.messages.filter(({ type }) => type === 'result')).toMatchObject([{ subtype: 'success' }]);
    const { recorder, session } = await sessionsIn(storage).store.open('one', { takeOver: true });
    expect(session.messages).toHaveLength(4);
    await expect.poll(() => program.errors).toContain('was taken over by another window');
    program.send(message);
    expect((await program.end).code).toBe(1);
    expect(program.messages.filter(({ type }) => type === 'result')[1]).toMatchObject({ subtype: 'error_during_execution', is_error: true });
    await recorder.append(user('in the window'));
    await recorder.close();
    expect(await said(storage, 'one')).toHaveLength(5);
    expect(server.requests).toHaveLength(1);
  });
});
