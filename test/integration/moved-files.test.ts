import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { ToolResult } from '../../src/domain/tool/tool.js';
import { OpenQuestions } from '../../src/chat/conversation/conversation.js';
import { windowToolbox } from './window-toolbox.js';
import { settledPlan } from '../support/settled-plan.js';
import { waitFor } from '../vscode/wait.mjs';
import { closeEditors } from './close-editors.js';

const folder = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'moving');
const context = { signal: new AbortController().signal, sessionId: 's', callId: 'c', output: () => undefined };
const at = (name: string): string => join(folder, name);

/** Runs a patch in a session of its own. @param meanwhile what happens while the user is asked */
async function patch(lines: string, meanwhile: () => Promise<void> = () => Promise.resolve()): Promise<ToolResult> {
  const toolbox = windowToolbox(at('logs'));
  const tool = toolbox.toolsForSession(new OpenQuestions()).find(({ spec }) => spec.name === 'apply_patch');
  assert.ok(tool);
  const plan = await settledPlan(tool, { patch: lines }, context);
  await meanwhile();
  return tool.execute(plan, context);
}

const textOf = ({ content }: ToolResult): string => content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');

function write(name: string, content: string): string {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), content);
  return at(name);
}

async function open(name: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(at(name)), { preview: false });
}

async function type(editor: vscode.TextEditor, text: string): Promise<void> {
  assert.ok(await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), text)));
}

/** The files in the folder of the tests that tabs show. */
function shown(): readonly string[] {
  const paths = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook ? [input.uri.fsPath] : [])),
  );
  return paths.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length + 1));
}

describe('files that patches delete and move', () => {
  before(async () => {
    await vscode.workspace.getConfiguration().update('files.autoSave', 'off', vscode.ConfigurationTarget.Global);
  });
  beforeEach(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  });
  afterEach(closeEditors);
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('that no editor shows are deleted and moved on disk', async () => {
    write('a.ts', 'a\n');
    write('b.ts', 'b\n');
    assert.equal(textOf(await patch(`*** Delete File: ${at('a.ts')}`)), 'Deleted moving/a.ts.');
    assert.match(textOf(await patch(`*** Update File: ${at('b.ts')}\n*** Move to: ${at('lib/c.ts')}\n-b\n+c`)), /^Moved moving\/b\.ts to moving\/lib\/c\.ts\./);
    assert.deepEqual([readdirSync(folder), readFileSync(at('lib/c.ts'), 'utf8')], [['lib'], 'c\n']);
  });

  it('that an editor shows are deleted with it', async () => {
    write('a.ts', 'a\n');
    write('b.ts', 'b\n');
    await open('b.ts');
    await open('a.ts');
    assert.equal(textOf(await patch(`*** Delete File: ${at('a.ts')}`)), 'Deleted moving/a.ts.');
    assert.equal(existsSync(at('a.ts')), false);
    await waitFor(() => shown().join() === 'b.ts', { what: 'the editor of the file to be closed', timeoutMs: 10_000 });
  });

  it('that an editor shows are moved with it, with their mode, and changed there', async () => {
    const path = write('a.ts', 'one\ntwo\n');
    chmodSync(path, 0o755);
    await open('a.ts');
    const result = textOf(await patch(`*** Update File: ${path}\n*** Move to: ${at('lib/b.ts')}\n one\n-two\n+2`));
    assert.match(result, /^Moved moving\/a\.ts to moving\/lib\/b\.ts\./);
    assert.deepEqual([existsSync(path), readFileSync(at('lib/b.ts'), 'utf8')], [false, 'one\n2\n']);
    assert.equal(statSync(at('lib/b.ts')).mode & 0o777, 0o755);
    await waitFor(() => shown().join() === join('lib', 'b.ts'), { what: 'the editor to follow', timeoutMs: 10_000 });
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === at('lib/b.ts'));
    assert.deepEqual([document?.getText(), document?.isDirty], ['one\n2\n', false]);
  });

  it('tool-07: that have unsaved changes stay, with what to do, also when these came while the user was asked', async () => {
    write('a.ts', 'disk\n');
    const editor = await open('a.ts');
    const calls = [`*** Delete File: ${at('a.ts')}`, `*** Update File: ${at('a.ts')}\n*** Move to: ${at('b.ts')}`];
    for (const lines of calls) {
      const result = await patch(lines, () => type(editor, 'typed\n'));
      assert.match(textOf(result), /a\.ts has unsaved changes of the user in an editor; nothing was (?:deleted|moved)\. Ask the user/);
      assert.deepEqual([editor.document.getText(), readFileSync(at('a.ts'), 'utf8'), existsSync(at('b.ts'))], ['typed\ndisk\n', 'disk\n', false]);
      await assert.rejects(patch(lines), /a\.ts has unsaved changes of the user in an editor/);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
  });

  it('tool-08: that another program changed while the user was asked stay, and so does what is in the new place', async () => {
    write('a.ts', 'a\n');
    await open('a.ts');
    const change = (): Promise<void> => Promise.resolve(void write('a.ts', 'other\n'));
    assert.match(textOf(await patch(`*** Delete File: ${at('a.ts')}`, change)), /a\.ts has changed since it was read; nothing was deleted\. Read it again\./);
    write('a.ts', 'a\n');
    const occupy = (): Promise<void> => Promise.resolve(void write('b.ts', 'mine\n'));
    assert.match(textOf(await patch(`*** Update File: ${at('a.ts')}\n*** Move to: ${at('b.ts')}`, occupy)), /b\.ts exists, so moving\/a\.ts was not moved/);
    assert.deepEqual([readFileSync(at('a.ts'), 'utf8'), readFileSync(at('b.ts'), 'utf8')], ['a\n', 'mine\n']);
  });

  it('that an editor shows are moved back when they cannot be changed there', async () => {
    const path = write('a.txt', 'one\r\ntwo\n');
    await open('a.txt');
    const result = await patch(`*** Update File: ${path}\n*** Move to: ${at('b.txt')}\n-two\n+2`);
    assert.match(textOf(result), /b\.txt has mixed line endings and is open in the editor/);
    assert.deepEqual([readFileSync(path, 'utf8'), existsSync(at('b.txt'))], ['one\r\ntwo\n', false]);
    await waitFor(() => shown().join() === 'a.txt', { what: 'the editor to be back', timeoutMs: 10_000 });
  });

  it('a file is not moved to one that an editor shows, though that is not on disk any more', async () => {
    write('a.ts', 'a\n');
    write('b.ts', 'b\n');
    await type(await open('b.ts'), 'typed\n');
    rmSync(at('b.ts'));
    assert.match(textOf(await patch(`*** Update File: ${at('a.ts')}\n*** Move to: ${at('b.ts')}`)), /b\.ts is open in an editor already; nothing was moved/);
    assert.deepEqual([readFileSync(at('a.ts'), 'utf8'), existsSync(at('b.ts'))], ['a\n', false]);
  });

  it('a notebook that an editor shows is moved with its cells', async () => {
    const notebook = '{"cells": [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["one"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}';
    write('a.ipynb', notebook);
    await vscode.window.showNotebookDocument(await vscode.workspace.openNotebookDocument(vscode.Uri.file(at('a.ipynb'))), { preview: false });
    assert.match(textOf(await patch(`*** Update File: ${at('a.ipynb')}\n*** Move to: ${at('b.ipynb')}`)), /^Moved moving\/a\.ipynb to moving\/b\.ipynb\./);
    assert.deepEqual([existsSync(at('a.ipynb')), readFileSync(at('b.ipynb'), 'utf8')], [false, notebook]);
    await waitFor(() => shown().join() === 'b.ipynb', { what: 'the editor to follow', timeoutMs: 10_000 });
  });
});
