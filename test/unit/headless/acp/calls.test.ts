import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { methods, type RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { selected, type TestEditor } from '../../../support/acp-editor.js';
import { editorIn, type EditorHere } from '../../../support/acp-here.js';
import { lastToolResults, type ModelServer, reply, resultText, startModelServer } from '../../../support/model-server/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

let server: ModelServer;
let folder: string;

/** What a client can say that it can do. */
type Abilities = NonNullable<Parameters<TestEditor['initialize']>[0]>;

async function opened(abilities: Abilities = {}, ...args: readonly string[]): Promise<Pick<EditorHere, 'editor' | 'id'>> {
  return editorIn({ server, folder, home: temporaryFolder() }, abilities, ...args);
}

beforeEach(async () => {
  server = await startModelServer();
  folder = temporaryFolder();
});
afterEach(() => server.close());

const FILES: Abilities = { fs: { readTextFile: true, writeTextFile: true } };
const file = (name: string): string => join(folder, name);
const content = (name: string): string => readFileSync(file(name), 'utf8');
/** A file that was last changed a while ago, so that an editor has had the time to notice. */
function old(name: string, text: string): void {
  writeFileSync(file(name), text);
  utimesSync(file(name), new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
}
/** Calls of the model, one a request, and then the end of its turn; and again for the next prompt. */
function calls(...all: readonly (readonly [tool: string, input: object])[]): void {
  let next = 0;
  server.setScript(({ body }) => {
    if (lastToolResults(body).length === 0) next = 0;
    const call = all[next];
    next += 1;
    return call === undefined ? reply().text('Done.') : reply().toolCall(...call);
  });
}
const WRITE = ['write', { file_path: 'made.txt', content: 'made\n' }] as const;
/** What the model was told of its last calls. */
const results = (): string => server.requests.map(({ body }) => lastToolResults(body).map(resultText).join('\n')).join('\n');

describe('a call', () => {
  it('is told from its beginning to its end, with its kind, its files, and its change', async () => {
    calls(WRITE);
    const { editor, id } = await opened();
    await editor.prompt(id, 'x');
    const [begun, ...changes] = editor.updates(id).filter(({ sessionUpdate }) => sessionUpdate.startsWith('tool_call'));
    expect(begun).toMatchObject({ sessionUpdate: 'tool_call', kind: 'edit', status: 'pending', name: 'write' });
    expect(changes.flatMap((update) => ('status' in update && typeof update.status === 'string' ? [update.status] : []))).toEqual(['in_progress', 'completed']);
    const told = Object.assign({}, begun, ...changes) as object;
    expect(told).toMatchObject({
      title: 'Write made.txt',
      status: 'completed',
      locations: [{ path: file('made.txt'), line: 1 }],
      content: [{ type: 'diff', path: file('made.txt'), oldText: null, newText: 'made\n' }],
    });
  });

  it('that changes a file is told with both versions, and one that deletes or moves it as that', async () => {
    old('a.txt', 'one\ntwo\nthree\n');
    calls(
      ['read', { file_path: 'a.txt' }],
      ['edit', { file_path: 'a.txt', old_string: 'two', new_string: 'TWO' }],
      ['apply_patch', { patch: '*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n@@\n one\n-TWO\n+2\n*** End Patch' }],
      ['apply_patch', { patch: '*** Begin Patch\n*** Delete File: b.txt\n*** End Patch' }],
    );
    const { editor, id } = await opened();
    await editor.prompt(id, 'x');
    expect(editor.asked.map(({ toolCall }) => [toolCall.kind, toolCall.content])).toEqual([
      ['edit', [{ type: 'diff', path: file('a.txt'), oldText: 'one\ntwo\nthree\n', newText: 'one\nTWO\nthree\n' }]],
      ['move', [{ type: 'diff', path: file('b.txt'), oldText: 'one\nTWO\nthree\n', newText: 'one\n2\nthree\n' }]],
      ['delete', [{ type: 'diff', path: file('b.txt'), oldText: 'one\n2\nthree\n', newText: '' }]],
    ]);
    expect([existsSync(file('a.txt')), existsSync(file('b.txt'))]).toEqual([false, false]);
  });

  it('that prints is told with its output as it is, whatever it looks like', async () => {
    calls(['bash', { command: 'printf "![x](http://127.0.0.1/)\\n\\140\\140\\140\\n"' }]);
    const { editor, id } = await opened();
    await editor.prompt(id, 'x');
    const shown = editor.ofKind('tool_call_update').flatMap((update) => update.content ?? []);
    expect(shown.at(-1)).toEqual({ type: 'content', content: { type: 'text', text: '````\n![x](http://127.0.0.1/)\n```\n````' } });
  });

  it('that plans is told as the plan', async () => {
    calls([
      'todo',
      {
        todos: [
          { text: 'Look', status: 'done' },
          { text: 'Do', status: 'in_progress' },
          { text: 'Test', status: 'pending' },
        ],
      },
    ]);
    const { editor, id } = await opened();
    await editor.prompt(id, 'x');
    expect(editor.ofKind('plan')).toMatchObject([
      {
        entries: [
          { content: 'Look', status: 'completed' },
          { content: 'Do', status: 'in_progress' },
          { content: 'Test', status: 'pending' },
        ],
      },
    ]);
  });

  it('that fails, or was begun in an answer that broke off, does not stay open', async () => {
    let requests = 0;
    server.setScript(({ body }) => {
      requests += 1;
      if (requests === 1) return reply().toolCall('read', { file_path: 'lost.txt' }).errorEvent('overloaded_error', 'Overloaded');
      return lastToolResults(body).length === 0 ? reply().toolCall('read', { file_path: 'none.txt' }) : reply().text('Done.');
    });
    const { editor, id } = await opened({ session: { notices: {} } });
    await editor.prompt(id, 'x');
    const open = new Map<string, unknown>();
    for (const update of editor.updates(id)) if ('toolCallId' in update && update.status !== undefined) open.set(update.toolCallId, update.status);
    expect([...open.values()]).toEqual(['failed', 'failed']);
    expect(editor.ofKind('notice')).toMatchObject([{ severity: 'warning', title: expect.stringMatching(/Trying again/) as string }]);
  });
});

describe('permission', () => {
  it('is asked for with the change and the answers that there are, and can be given once', async () => {
    calls(WRITE);
    const { editor, id } = await opened();
    await editor.prompt(id, 'x');
    expect(editor.asked[0]).toMatchObject({
      sessionId: id,
      toolCall: { kind: 'edit', status: 'pending', title: 'Write made.txt', content: [{ type: 'diff', oldText: null, newText: 'made\n' }] },
    });
    expect(editor.asked[0]?.options.map(({ kind }) => kind)).toEqual(['allow_once', 'allow_always', 'reject_once', 'reject_always']);
    expect(content('made.txt')).toBe('made\n');
  });

  it('names a call that the editor knows', async () => {
    calls(WRITE);
    const { editor, id } = await opened();
    editor.choose = ({ toolCall }) => {
      expect(editor.ofKind('tool_call').map(({ toolCallId }) => toolCallId)).toContain(toolCall.toolCallId);
      return selected('allow_once');
    };
    expect(await editor.prompt(id, 'x')).toBe('end_turn');
    expect(existsSync(file('made.txt'))).toBe(true);
  });

  it('can be denied once, and is asked for again', async () => {
    calls(WRITE);
    const { editor, id } = await opened();
    editor.choose = () => selected('reject_once');
    expect(await editor.prompt(id, 'x')).toBe('end_turn');
    await editor.prompt(id, 'y');
    expect(editor.asked).toHaveLength(2);
    expect(existsSync(file('made.txt'))).toBe(false);
    expect(editor.ofKind('tool_call_update').filter(({ status }) => status === 'failed')).toHaveLength(2);
  });

  it('can be given for the session, and for no other', async () => {
    calls(['bash', { command: 'touch made.txt' }]);
    const { editor, id } = await opened();
    editor.choose = () => selected('allow_always');
    await editor.prompt(id, 'x');
    await editor.prompt(id, 'y');
    expect(editor.asked).toHaveLength(1);
    const { sessionId } = await editor.agent.request(methods.agent.session.new, { cwd: folder, mcpServers: [] });
    await editor.prompt(sessionId, 'z');
    expect(editor.asked).toHaveLength(2);
  });

  it('can be denied for the session, and for no other', async () => {
    calls(['bash', { command: 'touch made.txt' }]);
    const { editor, id } = await opened();
    editor.choose = () => selected('reject_always');
    await editor.prompt(id, 'x');
    await editor.prompt(id, 'y');
    expect(editor.asked).toHaveLength(1);
    expect(results()).toContain('deny rule');
    const { sessionId } = await editor.agent.request(methods.agent.session.new, { cwd: folder, mcpServers: [] });
    editor.choose = () => selected('allow_once');
    await editor.prompt(sessionId, 'z');
    expect(editor.asked).toHaveLength(2);
    expect(existsSync(file('made.txt'))).toBe(true);
  });

  it.each([
    ['a request that was cancelled', () => ({ outcome: { outcome: 'cancelled' } as const })],
    ['an option that nobody offered', () => selected('nonsense')],
    [
      'an error',
      () => {
        throw new Error('There is no user.');
      },
    ],
  ])('is not given by %s', async (_, choose) => {
    calls(WRITE);
    const { editor, id } = await opened();
    editor.choose = choose;
    expect(await editor.prompt(id, 'x')).toBe('end_turn');
    expect(existsSync(file('made.txt'))).toBe(false);
  });

  it('is not asked for any more when the prompt is cancelled', async () => {
    calls(WRITE);
    const { editor, id } = await opened();
    let takenBack = false;
    editor.choose = (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          takenBack = true;
          resolve({ outcome: { outcome: 'cancelled' } });
        });
      });
    const prompt = editor.prompt(id, 'x');
    await expect.poll(() => editor.asked.length).toBe(1);
    await editor.agent.notify(methods.agent.session.cancel, { sessionId: id });
    expect(await prompt).toBe('cancelled');
    await expect.poll(() => takenBack).toBe(true);
    expect(existsSync(file('made.txt'))).toBe(false);
  });
});

describe('an editor that is gone', () => {
  it('while it is asked has not allowed anything, and no more is asked of the model', async () => {
    calls(WRITE);
    const { editor, id } = await opened();
    editor.choose = () => new Promise(() => undefined);
    void editor.prompt(id, 'x').catch(() => undefined);
    await expect.poll(() => editor.asked.length).toBe(1);
    editor.program.process.stdin.end();
    expect((await editor.program.end).code).toBe(0);
    expect([existsSync(file('made.txt')), server.requests.length]).toEqual([false, 1]);
  });

  it('or is not understood stops the turn', async () => {
    calls(WRITE);
    const { editor, id } = await opened();
    editor.choose = () => JSON.parse('null') as RequestPermissionResponse;
    expect(await editor.prompt(id, 'x')).toBe('cancelled');
    expect([existsSync(file('made.txt')), server.requests.length]).toEqual([false, 1]);
  });
});

describe('a question of the model', () => {
  const QUESTION = ['ask', { question: 'Which one?', choices: ['Left', 'Right'] }] as const;

  it('is put as a form where the editor has forms', async () => {
    calls(QUESTION);
    const { editor, id } = await opened({ elicitation: { form: {} } });
    editor.fill = () => ({ action: 'accept', content: { chosen: 'Right', written: 'Rather' } });
    await editor.prompt(id, 'x');
    expect(editor.forms).toMatchObject([{ mode: 'form', sessionId: id, message: 'Which one?' }]);
    expect(results()).toMatch(/Right[^]*Rather/);
  });

  it('is put as options elsewhere', async () => {
    calls(QUESTION);
    const { editor, id } = await opened();
    editor.choose = ({ options }) => selected(options.find(({ name }) => name === 'Left')?.optionId ?? '');
    await editor.prompt(id, 'x');
    expect(results()).toContain('Left');
  });
});

describe('files of the editor', () => {
  it('are read with what is not saved in them', async () => {
    old('a.txt', 'saved\n');
    calls(['read', { file_path: 'a.txt' }]);
    const { editor, id } = await opened(FILES);
    editor.buffers.set(file('a.txt'), 'not saved\n');
    await editor.prompt(id, 'x');
    expect(results()).toContain('not saved');
    expect(editor.fileRequests).toContain(`read ${file('a.txt')}`);
  });

  it('are changed through it, and what it does not save stays off the disk', async () => {
    old('a.txt', 'one\ntwo\n');
    calls(['read', { file_path: 'a.txt' }], ['edit', { file_path: 'a.txt', old_string: 'two', new_string: 'TWO' }]);
    const { editor, id } = await opened(FILES, '--permission-mode', 'acceptEdits');
    editor.buffers.set(file('a.txt'), 'ONE\ntwo\n');
    await editor.prompt(id, 'x');
    expect(editor.buffers.get(file('a.txt'))).toBe('ONE\nTWO\n');
    expect(content('a.txt')).toBe('one\ntwo\n');
    expect(results()).toContain('not saved to disk yet');
  });

  it('are made through it', async () => {
    calls(['write', { file_path: 'src/deep/made.txt', content: 'made\n' }]);
    const { editor, id } = await opened(FILES, '--permission-mode', 'acceptEdits');
    editor.save = (path, text) => writeFileSync(path, text);
    await editor.prompt(id, 'x');
    expect(editor.fileRequests).toContain(`write ${file('src/deep/made.txt')}`);
    expect(content('src/deep/made.txt')).toBe('made\n');
  });

  it('are not changed where the user has changed them since they were read', async () => {
    old('a.txt', 'one\ntwo\n');
    calls(['read', { file_path: 'a.txt' }], ['edit', { file_path: 'a.txt', old_string: 'two', new_string: 'TWO' }]);
    const { editor, id } = await opened(FILES);
    editor.buffers.set(file('a.txt'), 'one\ntwo\n');
    editor.choose = () => {
      editor.buffers.set(file('a.txt'), 'one\ntwo and a half\n');
      return selected('allow_once');
    };
    await editor.prompt(id, 'x');
    expect(editor.buffers.get(file('a.txt'))).toBe('one\ntwo and a half\n');
    expect(editor.fileRequests.some((request) => request.startsWith('write'))).toBe(false);
    expect(results()).toMatch(/changed/);
  });

  it('are not asked for where that is not permitted', async () => {
    old('.env', 'SECRET=1\n');
    calls(['read', { file_path: '.env' }]);
    const { editor, id } = await opened(FILES, '--disallowedTools', 'Read(.env)');
    editor.buffers.set(file('.env'), 'SECRET=1\n');
    await editor.prompt(id, 'x');
    expect(editor.fileRequests).toEqual([]);
    expect(results()).not.toContain('SECRET');
  });

  it('are left alone by an editor that cannot do both', async () => {
    old('a.txt', 'saved\n');
    calls(['read', { file_path: 'a.txt' }], WRITE);
    const { editor, id } = await opened({ fs: { readTextFile: true } });
    editor.buffers.set(file('a.txt'), 'not saved\n');
    await editor.prompt(id, 'x');
    expect(editor.fileRequests).toEqual([]);
    expect(content('made.txt')).toBe('made\n');
  });
});
