import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPatch } from 'diff';
import { describe, expect, it } from 'vitest';
import type { Plan, Tool } from '../../../../src/domain/tool/tool.js';
import { createDiskDocuments } from '../../../../src/node/files/disk-documents.js';
import { createWorkspace } from '../../../../src/node/files/workspace.js';
import { createTools } from '../../../../src/tool/index.js';
import { createMemoryWorkspace, toolContext } from '../../../support/memory-workspace/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { type Rig, rig, textOf } from '../rig.js';
import { settledPlan } from '../../../support/settled-plan.js';

const OLD = 'one\ntwo\nthree\n';

/** What the person makes of a planned call. */
function rewritten(tool: Tool, plan: Plan, text: string, path = plan.changes[0]?.path ?? ''): Promise<Plan> {
  return tool.amend?.(plan, { type: 'content', path, text }, toolContext()) ?? Promise.reject(new Error(`${tool.spec.name} cannot be changed.`));
}

/** A file that was read, and a planned edit of it. */
async function edit(files: Readonly<Record<string, string>> = { '/ws/a': OLD }): Promise<Rig & { readonly plan: Plan }> {
  const all = rig({ files });
  await all.call('read', { file_path: 'a' });
  return { ...all, plan: await all.tool('edit').plan({ file_path: 'a', edits: [{ old_string: 'two', new_string: 'TWO' }] }, toolContext()) };
}

describe('C-3 a file’s text that the person changed before it is written', () => {
  it('is what the plan writes and shows, to exactly that file, and what the model is told', async () => {
    const { tool, documents, plan } = await edit();
    const mine = 'one\nzwei\nthree\nfour\n';
    const made = await rewritten(tool('edit'), plan, mine);
    expect(made.changes).toEqual([{ ...plan.changes[0], text: mine }]);
    expect([made.accesses, made.args, made.subject]).toEqual([plan.accesses, plan.args, plan.subject]);
    expect(made.preview).toMatchObject({ kind: 'diff', path: '/ws/a', created: false });
    expect(made.preview.kind === 'diff' && applyPatch(OLD, made.preview.diff)).toBe(mine);
    expect(Object.isFrozen(made) && Object.isFrozen(made.changes[0])).toBe(true);
    const told = textOf(await tool('edit').execute(made, toolContext()));
    expect(documents.text('/ws/a')).toBe(mine);
    expect(told).toBe('Changed a: 4 lines. What the user changed in your proposal:\n\n--- a\n+++ a\n@@ -1,3 +1,4 @@\n one\n-TWO\n+zwei\n three\n+four\n');
  });

  it('holds for new files, an empty text too', async () => {
    const { tool, documents } = rig();
    const plan = await tool('write').plan({ file_path: 'new', content: 'x\n' }, toolContext());
    const made = await rewritten(tool('write'), plan, '');
    expect(made.preview).toMatchObject({ created: true });
    expect(textOf(await tool('write').execute(made, toolContext()))).toMatch(/^Created new: 0 lines\. What the user changed/);
    expect(documents.text('/ws/new')).toBe('');
  });

  it('is told against what the model proposed, however often it was changed; back to that, nothing is told', async () => {
    const { tool, plan } = await edit();
    const first = await rewritten(tool('edit'), plan, 'one\nfirst\nthree\n');
    const second = await rewritten(tool('edit'), first, 'one\nsecond\nthree\n');
    const back = await rewritten(tool('edit'), second, 'one\nTWO\nthree\n');
    expect(textOf(await tool('edit').execute(back, toolContext()))).toBe('Edited a: 1 replacement at line 2.');
    const { tool: other, plan: again } = await edit();
    const last = await rewritten(other('edit'), await rewritten(other('edit'), again, 'one\nfirst\n'), 'one\nsecond\nthree\n');
    expect(textOf(await other('edit').execute(last, toolContext()))).toMatch(/-TWO\n\+second\n three\n$/);
  });

  it.each([
    ['another file', '/ws/b', 'x', /for a and cannot be changed to edit another file/],
    ['the same file by another name', '/ws/./a', 'x', /cannot be changed to edit another file/],
    ['what the file holds already', '/ws/a', OLD, /nothing to write/],
  ])('%s is refused', async (_name, path, text, problem) => {
    const { tool, plan } = await edit();
    await expect(rewritten(tool('edit'), plan, text, path)).rejects.toThrow(problem);
  });

  it('tool-08: is refused when the file is no longer what it was made from, at once and when it runs', async () => {
    const { tool, documents, plan } = await edit();
    const made = await rewritten(tool('edit'), plan, 'mine\n');
    documents.put('/ws/a', 'other\n');
    await expect(rewritten(tool('edit'), plan, 'mine\n')).rejects.toThrow('a has changed since this edit was proposed.');
    expect(await tool('edit').execute(made, toolContext())).toMatchObject({ isError: true });
    documents.remove('/ws/a');
    await expect(rewritten(tool('edit'), plan, 'mine\n')).rejects.toThrow('a has changed since this edit was proposed.');
    const fresh = await tool('write').plan({ file_path: 'new', content: 'x' }, toolContext());
    documents.put('/ws/new', 'theirs');
    await expect(rewritten(tool('write'), fresh, 'mine')).rejects.toThrow('new has changed since this edit was proposed.');
  });

  it('is told in part when it is long, and the model has to read it before it replaces all of it', async () => {
    const { tool, call, plan } = await edit();
    const long = Array.from({ length: 5_000 }, (_, index) => `line ${index}\n`).join('');
    const told = textOf(await tool('edit').execute(await rewritten(tool('edit'), plan, long), toolContext()));
    expect(told.length).toBeLessThan(11_000);
    expect(told).toMatch(/\[\d+ more characters left out\. Read the file before you change it again\.\]$/);
    await expect(call('write', { file_path: 'a', content: 'x\n' })).rejects.toThrow(/Only a part of a has been read/);
    const short = await edit();
    await short.tool('edit').execute(await rewritten(short.tool('edit'), short.plan, 'mine\n'), toolContext());
    expect(textOf(await short.call('write', { file_path: 'a', content: 'x\n' }))).toBe('Replaced a: 1 line.');
  });

  it('only tools that write a file take it, and only for plans of their own', async () => {
    const { tool, plan } = await edit();
    await expect(rewritten(tool('write'), plan, 'x')).rejects.toThrow(/not a plan made by the tool write/);
    await expect(tool('edit').amend?.(plan, { type: 'command', command: 'rm a' }, toolContext())).rejects.toThrow(/Only the text/);
    expect('amend' in tool('read')).toBe(false);
  });
});

describe('C-3 tool-06: the bytes on disk', () => {
  const utf16le = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
  it.each<[string, (text: string) => Buffer]>([
    ['UTF-8', (text) => Buffer.from(text)],
    ['UTF-8 with a mark', (text) => Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 LE', utf16le],
    ['UTF-16 BE', (text) => utf16le(text).swap16()],
    ['windows-1252', (text) => Buffer.from(text, 'latin1')],
  ])('%s stays what it is, with CRLF, mixed endings and the mode', async (_name, encode) => {
    const folder = temporaryFolder();
    const path = join(folder, 'file.txt');
    const workspace = createWorkspace(() => [{ name: 'ws', path: folder }], folder);
    for (const [before, mine] of [
      ['é one\r\ntwo\r\n', 'é one\r\nmine é\r\nmore\r\n'],
      ['é\r\ntwo\nx\rlast', 'é\r\nmine\nx\rlast'],
    ] as const) {
      const tools = createTools({ ...createMemoryWorkspace(), documents: createDiskDocuments(), workspace });
      const tool = tools.find(({ spec }) => spec.name === 'edit') as Tool;
      writeFileSync(path, encode(before));
      chmodSync(path, 0o755);
      const plan = await settledPlan(tool, { file_path: path, edits: [{ old_string: 'two', new_string: '2' }] }, toolContext());
      await tool.execute(await rewritten(tool, plan, mine), toolContext());
      expect(readFileSync(path).equals(encode(mine))).toBe(true);
      expect(statSync(path).mode & 0o777).toBe(0o755);
    }
  });
});
