import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { text } from '../../../src/domain/model/content.js';
import type { Message } from '../../../src/domain/model/message.js';
import { runSessions } from '../../../src/headless/sessions/index.js';
import { headlessProgram, type ProgramEnd } from '../../support/headless-program.js';
import { filesBelow, heldSession, ownStorage, sessionsCommand, sessionsIn, writeSessions, Written } from '../../support/headless-sessions.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { assistant, toolResult, user } from '../session/support/setup.js';

const { run } = headlessProgram();

let folder: string;
let home: string;
let storage: string;

beforeEach(() => {
  [folder, home] = [temporaryFolder(), temporaryFolder()];
  storage = ownStorage(folder, home);
});

/** The command in the program itself, as users start it. */
const started = (...args: readonly string[]): Promise<ProgramEnd> => run(['sessions', ...args], { folder, home });

const sessions = (...args: readonly string[]): Promise<ProgramEnd> => sessionsCommand(args, { folder, home });
const call = (name: string, args: object, id = 'c1'): Message =>
  assistant('', { content: [{ type: 'tool_call', id, name, arguments: JSON.stringify(args) }], stopReason: 'tool_use' });

/** Two sessions, of which the second is newer. */
async function two(): Promise<void> {
  await writeSessions(
    storage,
    { id: 'abc-older', messages: [user('Fix the test'), assistant('It is fixed.')], meta: { costUsd: 0.42, model: 'demo/demo' } },
    { id: 'abd-newer', messages: [user('Explain this')], at: new Date().toISOString() },
  );
}

/** What no terminal may get: what it would follow, and what hides or turns text. */
const FOLLOWED = /(?![\n\t])[\p{Cc}\p{Cf}]/u;
const HOSTILE = '\u001B]0;owned\u0007\u001B[2J\u009B31m\rFine\u202E\u200B';

describe('the list of sessions', () => {
  it('has the newest first, with what one needs to choose', async () => {
    await two();
    const { code, output, errors } = await started();
    expect([code, errors]).toEqual([0, '']);
    const [head, ...lines] = output.trimEnd().split('\n');
    expect(head).toMatch(/^ID +AGE +MESSAGES +COST +TITLE$/);
    expect(lines).toEqual([
      expect.stringMatching(/^abd-newer +just now +1 +– +Explain this$/),
      expect.stringMatching(/^abc-older +(2026-02-18|\d+ days? ago) +2 +\$0\.42 +Fix the test$/),
    ]);
    expect((await sessions('list')).output).toBe(output);
  });

  it('can be one JSON object a line', async () => {
    await two();
    const { output } = await sessions('list', '--json');
    const objects = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(objects).toEqual([
      { id: 'abd-newer', title: 'Explain this', messageCount: 1, updatedAt: expect.any(String) as string, createdAt: expect.any(String) as string },
      expect.objectContaining({ id: 'abc-older', title: 'Fix the test', messageCount: 2, costUsd: 0.42, model: 'demo/demo' }),
    ]);
  });

  it('says what to do where there are none, and gives programs nothing', async () => {
    const { code, output, errors } = await sessions();
    expect([code, output, errors]).toEqual([0, '', expect.stringContaining('gnomon -p "')]);
    expect(await sessions('list', '--json')).toEqual({ code: 0, output: '', errors: '' });
    expect((await sessions('list', '--trash')).errors).toContain('The trash is empty.');
  });

  it('marks what is open elsewhere and what is damaged, and hides nothing', async () => {
    await two();
    const { id } = await heldSession(storage);
    writeFileSync(join(storage, 'sessions', 'broken.json'), '{"version":1,"messages":[{"type":"nonsense"}]}');
    const { output } = await sessions();
    expect(output).toMatch(new RegExp(`^${id} .*\\[open elsewhere\\] from the other process$`, 'm'));
    expect(output).toMatch(/^broken .*\[damaged: .*messages\[0\].*\] /m);
    expect(output.trimEnd().split('\n')).toHaveLength(5);
    const json = (await sessions('list', '--json')).output.split('\n').filter((line) => /elsewhere|problem/.test(line));
    expect(json).toHaveLength(2);
  });

  it.each([['list'], ['list', '--json'], ['show', 'evil']])('gives a terminal nothing to follow, whatever is stored: %s %s', async (...args) => {
    const attack = [user(`${HOSTILE}\nsecond line`), assistant(`said ${HOSTILE}`), call(`bash${HOSTILE}`, { command: `ls ${HOSTILE}` })];
    await writeSessions(storage, { id: 'evil', messages: attack, meta: { title: HOSTILE, model: `demo/${HOSTILE}` } });
    // Another program may have written the index.
    const index = join(storage, 'sessions', 'index.json');
    const { output: before } = await sessions('list');
    writeFileSync(index, readFileSync(index, 'utf8').replaceAll('Fine', 'Fi\\u001b[31mne'));
    const { code, output, errors } = await sessions(...args);
    expect(code).toBe(0);
    for (const written of [before, output, errors]) expect(written).not.toMatch(FOLLOWED);
    expect(output).toContain('Fi');
    if (args.includes('--json')) expect(JSON.parse(output)).toMatchObject({ id: 'evil' });
  });
});

describe('the id of a session', () => {
  it('can be given by its beginning', async () => {
    await two();
    expect((await sessions('show', 'abc')).output).toContain('It is fixed.');
  });

  it('is the whole one where that is the beginning of another', async () => {
    await writeSessions(storage, { id: 'a', messages: [user('short')] }, { id: 'ab', messages: [user('long')] });
    expect((await sessions('show', 'a')).output).toContain('short');
  });

  it('must be that of one session only', async () => {
    await two();
    const { code, output, errors } = await started('show', 'ab');
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/2 sessions begin with “ab”: abd-newer, abc-older\./);
  });

  it.each([['show'], ['rename', 'T'], ['export'], ['delete'], ['delete', '--permanently'], ['restore']])('must be there: %s %s', async (name, ...rest) => {
    const { code, errors } = await sessions(name, 'nothing-like-it', ...rest);
    expect([code, errors]).toEqual([1, expect.stringContaining('There is no session “nothing-like-it”')]);
  });
});

describe('a session that is shown', () => {
  it('is readable text, with each call in one line', async () => {
    const messages = [
      user('Fix the test'),
      call('bash', { command: 'npm test\nnpm run lint', timeout: 5 }),
      { ...toolResult('c1', 'one failed'), isError: true },
      call('read', { file_path: 'src/a.ts' }, 'c2'),
      toolResult('c2', 'SECRET CONTENT'),
      assistant('It is\nfixed.'),
    ];
    await writeSessions(storage, { id: 'abc', messages, meta: { title: 'A fix', costUsd: 0.5 } });
    const { code, output, errors } = await sessions('show', 'abc');
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(/^A fix\nabc · 6 messages · \$0\.50 · /);
    expect(output).toContain('\n\nYou\nFix the test\n\nGnomon\n  > bash npm test npm run lint (failed)\n\n  > read src/a.ts\n\nIt is\nfixed.\n');
    expect(output).not.toContain('SECRET');
  });

  it('can be read while another process has it open', async () => {
    const { id } = await heldSession(storage);
    expect((await sessions('show', id)).output).toContain('from the other process');
  });

  it('cannot be one that is damaged, which stays as it is', async () => {
    mkdirSync(join(storage, 'sessions'), { recursive: true });
    const path = join(storage, 'sessions', 'broken.json');
    writeFileSync(path, '{"version":1,');
    for (const name of ['show', 'export', 'fork']) {
      expect(await sessions(name, 'broken')).toEqual({ code: 1, output: '', errors: expect.stringContaining('The session broken is damaged') as string });
    }
    expect(readFileSync(path, 'utf8')).toBe('{"version":1,');
  });
});

describe('a session that is copied', () => {
  it('stays as it is, also while another process has it open', async () => {
    const { id } = await heldSession(storage);
    const before = filesBelow(storage);
    const { code, output, errors } = await sessions('fork', id, '--json');
    const copy = JSON.parse(output) as { readonly id: string; readonly parent: object };
    expect([code, errors, copy.parent]).toEqual([0, '', { id, count: 1 }]);
    expect(filesBelow(storage)).toMatchObject(before);
    expect((await sessions('show', copy.id)).output).toContain('from the other process');
    expect((await sessions('fork', copy.id)).errors).toMatch(new RegExp(`^The session \\S+ is a copy of ${copy.id}\\.\n$`));
  });
});

describe('a session that is renamed', () => {
  it('has the title of the user from then on, until an empty one brings back the first', async () => {
    await two();
    const { code, errors } = await sessions('rename', 'abc', 'A', 'better title');
    expect([code, errors.trim()]).toEqual([0, 'The session abc-older has the title “A better title” now.']);
    expect((await sessionsIn(storage).library.read('abc-older')).meta).toMatchObject({ title: 'A better title', titleBy: 'person', costUsd: 0.42 });
    await sessions('rename', 'abc', '');
    expect((await sessions()).output).toContain('Fix the test');
  });

  it('is not touched while another process has it open', async () => {
    const { id } = await heldSession(storage);
    const before = filesBelow(storage);
    for (const args of [
      ['rename', id, 'Mine'],
      ['delete', id],
      ['delete', id, '--permanently'],
    ]) {
      const { code, errors } = await sessions(...args);
      expect([code, errors]).toEqual([1, `The session ${id} is open in another window or program. Close it there first.\n`]);
    }
    expect(filesBelow(storage)).toEqual(before);
  });
});

describe('a session that is exported', () => {
  it('is Markdown on standard output, or the file itself', async () => {
    await two();
    const markdown = await sessions('export', 'abc');
    expect([markdown.code, markdown.errors]).toEqual([0, '']);
    expect(markdown.output).toMatch(/^# Fix the test\n\n- Started: [\s\S]*\n## You\n[\s\S]*\n## Gnomon\n[\s\S]*It is fixed\.\n$/);
    expect((await sessions('export', 'abc', '--json')).output).toBe(readFileSync(join(storage, 'sessions', 'abc-older.json'), 'utf8'));
  });

  it('is written to a file, but never over one unless that is wanted', async () => {
    await two();
    const path = join(folder, 'out.md');
    expect(await sessions('export', 'abc', '--output', 'out.md')).toEqual({ code: 0, output: '', errors: `Written to ${path}\n` });
    expect(readFileSync(path, 'utf8')).toContain('It is fixed.');
    writeFileSync(path, 'mine');
    expect(await sessions('export', 'abc', '-o', path)).toEqual({ code: 1, output: '', errors: `${path} is there already. To overwrite it: --force\n` });
    expect(readFileSync(path, 'utf8')).toBe('mine');
    await sessions('export', 'abc', '-o', path, '--force');
    expect(readFileSync(path, 'utf8')).toContain('It is fixed.');
    expect((await sessions('export', 'abc', '-o', join('no', 'folder.md'))).code).toBe(1);
  });

  it('has no likely secrets unless they are wanted', async () => {
    const key = `sk-${'a1b2c3d4'.repeat(4)}`;
    await writeSessions(storage, { id: 'abc', messages: [user(`Use ${key}`)] });
    for (const form of [[], ['--json']]) {
      expect((await sessions('export', 'abc', ...form)).output).not.toContain(key);
      expect((await sessions('export', 'abc', ...form, '--with-secrets')).output).toContain(key);
    }
  });

  it('gives a terminal nothing to follow, but a file every character', async () => {
    await writeSessions(storage, { id: 'evil', messages: [user(`a ${HOSTILE} b`)] });
    const environment = { XDG_DATA_HOME: join(home, 'data') };
    const written = async (isTTY: boolean, ...more: readonly string[]): Promise<string> => {
      const output = new Written(isTTY);
      const streams = { input: process.stdin, output, errors: new Written(), environment };
      expect(await runSessions(['export', 'evil', ...more], { streams, folder })).toBe(0);
      return output.text;
    };
    expect(await written(true)).not.toMatch(FOLLOWED);
    expect(await written(true)).toContain('a \\u{1b}]0;owned');
    expect(await written(false)).toContain(`a ${HOSTILE} b`);
    const json = await written(true, '--json');
    expect(json).not.toMatch(FOLLOWED);
    expect(JSON.parse(json)).toEqual(JSON.parse(await written(false, '--json')));
  });
});

describe('a session that is deleted', () => {
  it('is in the trash, from where it comes back as it was', async () => {
    await two();
    const before = filesBelow(storage);
    const { code, errors } = await started('delete', 'abc');
    expect([code, errors]).toEqual([0, expect.stringContaining('gnomon sessions restore abc-older') as string]);
    expect((await sessions()).output).not.toContain('abc-older');
    expect((await sessions('list', '--trash')).output).toMatch(/^abc-older +just now +Fix the test$/m);
    expect((await sessions('show', 'abc')).errors).toContain('gnomon sessions restore abc-older');
    expect((await sessions('restore', 'abc')).errors).toContain('is back');
    expect(filesBelow(storage)).toEqual(before);
    expect((await sessions('restore', 'abc')).errors).toContain('is not in the trash');
  });

  it('can be deleted for good, also from the trash, with all that is kept of it', async () => {
    await two();
    for (const id of ['abc-older', 'abd-newer']) {
      mkdirSync(join(storage, 'checkpoints', id), { recursive: true });
      writeFileSync(join(storage, 'checkpoints', id, 'index.json'), '{"version":1,"entries":[]}');
    }
    await sessions('delete', 'abc');
    for (const id of ['abc', 'abd']) expect((await sessions('delete', id, '--permanently')).errors).toContain('is deleted for good');
    expect(Object.keys(filesBelow(storage))).toEqual([]);
    expect(existsSync(join(storage, 'checkpoints', 'abc-older'))).toBe(false);
  });
});

describe('what the first version stored', () => {
  it('is listed, shown, exported, deleted, and restored without changing a byte', async () => {
    cpSync(join(import.meta.dirname, '..', 'session', 'samples', 'first'), join(storage, 'sessions'), { recursive: true });
    const before = filesBelow(storage);
    expect((await sessions()).output.trimEnd().split('\n')).toHaveLength(5);
    expect((await sessions('show', 'both')).output).toContain('three');
    expect((await sessions('show', 'folded')).output).toContain('Look <here> & “there”\n  + Image 1');
    expect((await sessions('export', 'folded', '--json')).output).toBe(readFileSync(join(storage, 'sessions', 'folded.json'), 'utf8'));
    await sessions('delete', 'folded');
    await sessions('restore', 'folded');
    expect(filesBelow(storage)).toEqual(before);
  });
});

describe('a long conversation', () => {
  it('reaches a pipe as a whole', async () => {
    const long = 'x'.repeat(900_000);
    await writeSessions(storage, { id: 'long', messages: [user('Say much'), assistant('', { content: [text(long)] })] });
    expect((await started('show', 'long')).output).toContain(long);
    expect((await started('export', 'long')).output).toContain(long);
  });
});
