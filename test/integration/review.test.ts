import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Checkpoints } from '../../src/edits/checkpoints.js';
import { Ledger } from '../../src/edits/ledger.js';
import { LedgerStore } from '../../src/edits/ledger-store.js';
import { createChangeRecorder } from '../../src/edits/recorder.js';
import { restoreBefore } from '../../src/edits/restore.js';
import type { ChangeRecorder } from '../../src/domain/workspace/changes.js';
import { createDiskFiles } from '../../src/agent-host/changes/disk-files.js';
import { createEditorFiles } from '../../src/vscode/edits/editor-files.js';
import { HunkLenses } from '../../src/vscode/edits/hunk-lenses.js';
import { KeepCurrent } from '../../src/vscode/edits/keep-current.js';
import { goToChange } from '../../src/vscode/edits/navigate.js';
import { reviewCommands } from '../../src/vscode/edits/review-commands.js';
import { beforeUri, comparedUris, pathOf, uriOf } from '../../src/vscode/workspace/paths.js';
import { registerBeforeDocuments } from '../../src/vscode/edits/create-review.js';
import { textCodec } from '../../src/edits/text-work.js';
import { createDiskDocuments } from '../../src/node/files/disk-documents.js';
import { createVsCodeDocuments } from '../../src/vscode/workspace/vscode-documents.js';
import { createNodeFileLayer } from '../../src/node/files/node-file-layer.js';
import { atomicWrite } from '../../src/session/atomic-write.js';
import { waitFor } from '../vscode/wait.mjs';
import { closeEditors } from './close-editors.js';

const folder = realpathSync.native(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '') + '/review';
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('review and undo in the editor', () => {
  const files = createEditorFiles(createDiskFiles());
  let storage = '';
  let checkpoints: Checkpoints;
  let ledger: Ledger;
  let recorder: ChangeRecorder;

  before(() => vscode.workspace.getConfiguration().update('files.autoSave', 'off', vscode.ConfigurationTarget.Global));
  beforeEach(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    storage = mkdtempSync(join(tmpdir(), 'gnomon-review-'));
    const layer = createNodeFileLayer();
    const blobs = { files: layer, save: (path: string, bytes: Uint8Array) => atomicWrite({ files: layer, log, pid: process.pid }, path, [bytes]) };
    checkpoints = new Checkpoints({ ...blobs, log, folder: join(storage, 'checkpoints'), removeFolder: (path) => rmdir(path) });
    ledger = new Ledger({ store: new LedgerStore(join(storage, 'review'), blobs, log), files, codec: textCodec });
    recorder = createChangeRecorder({ checkpoints, ledger, files, log });
  });
  afterEach(async () => {
    await closeEditors();
    rmSync(storage, { recursive: true, force: true });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const at = (name: string): string => join(folder, name);
  const textOf = (name: string): string => readFileSync(at(name), 'utf8');
  const open = async (name: string): Promise<vscode.TextEditor> =>
    vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uriOf(at(name))), { preview: false });

  async function agent(name: string, act: () => Promise<unknown> | undefined): Promise<void> {
    const changes = [{ action: 'create' as const, path: at(name), text: '' }];
    const plan = { tool: 'write', subject: '', args: {}, accesses: [], preview: { kind: 'none' as const }, changes };
    const record = await recorder.begin({ sessionId: 's', callId: 'c', messageIndex: 2, plan });
    await act();
    await record.end({ failed: false });
  }

  const onDisk = (name: string, text: string) => (): undefined => {
    writeFileSync(at(name), text);
  };
  const inEditor = (editor: vscode.TextEditor, line: number, text: string) => async (): Promise<void> => {
    assert.ok(await editor.edit((builder) => builder.replace(editor.document.lineAt(line).range, text)));
  };

  const until = (what: string, condition: () => boolean): Promise<unknown> => waitFor(condition, { what, timeoutMs: 30_000 });

  it('commands in quick succession act each where the one before it has led', async () => {
    const text = Array.from({ length: 12 }, (_, line) => `line ${line}\n`).join('');
    writeFileSync(at('quick.txt'), text);
    const editor = await open('quick.txt');
    await agent('quick.txt', onDisk('quick.txt', text.replace('line 2', 'LINE 2').replace('line 9', 'LINE 9')));
    await until('the changes in the editor', () => editor.document.getText().includes('LINE 9'));
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    const run = reviewCommands(ledger, { redo: () => Promise.reject(new Error('There is nothing to redo')) }, log);
    await Promise.all([run('gnomon.nextChange', []), run('gnomon.keepHunk', []), run('gnomon.nextChange', []), run('gnomon.undoHunk', [])]);
    await until('the second change undone', () => textOf('quick.txt') === text.replace('line 2', 'LINE 2'));
    assert.deepEqual(ledger.files(), []);
  });

  it('tool-07: a restore goes through the editor, and unsaved text stays unsaved', async () => {
    writeFileSync(at('a.txt'), 'one\ntwo\n');
    const editor = await open('a.txt');
    await inEditor(editor, 0, 'typed')();
    await agent('a.txt', inEditor(editor, 1, 'agent'));
    const report = await restoreBefore({ checkpoints, files, ask: () => assert.fail('nothing to ask') }, 's', 2);
    assert.deepEqual(report.restored, [at('a.txt')]);
    assert.equal(editor.document.getText(), 'typed\ntwo\n');
    assert.equal(editor.document.isDirty, true);
    assert.equal(textOf('a.txt'), 'one\ntwo\n');
  });

  it('tool-07: text typed after the agent is asked about, and kept', async () => {
    writeFileSync(at('a.txt'), 'one\ntwo\n');
    const editor = await open('a.txt');
    await agent('a.txt', async () => {
      await inEditor(editor, 1, 'agent')();
      await editor.document.save();
    });
    await inEditor(editor, 0, 'typed')();
    const asked: (readonly string[])[] = [];
    const report = await restoreBefore({ checkpoints, files, ask: (paths) => (asked.push(paths), Promise.resolve('keep')) }, 's', 2);
    assert.deepEqual([asked, report.kept], [[[at('a.txt')]], [at('a.txt')]]);
    assert.equal(editor.document.getText(), 'typed\nagent\n');
  });

  it('C-8: an open file without unsaved changes is restored byte for byte, saved, with its mode', async () => {
    for (const [name, before] of [
      ['crlf.txt', 'one\r\ntwo\r\n'],
      ['mixed.txt', 'one\r\ntwo\n'],
    ] as const) {
      writeFileSync(at(name), before);
      chmodSync(at(name), 0o755);
      await agent(name, () => {
        writeFileSync(at(name), 'one\nagent\n');
        chmodSync(at(name), 0o644);
        return undefined;
      });
      const editor = await open(name);
      await restoreBefore({ checkpoints, files, ask: () => assert.fail('nothing to ask') }, 's', 2);
      assert.equal(textOf(name), before);
      assert.equal(statSync(at(name)).mode & 0o777, 0o755);
      await until('the editor to show what was restored', () => !editor.document.isDirty && editor.document.getText().includes('two'));
    }
  });

  it('C-8: a notebook that is open is undone byte for byte, and compared as text', async () => {
    const cell = (text: string): object => ({
      cell_type: 'code',
      execution_count: 1,
      metadata: {},
      outputs: [{ name: 'stdout', output_type: 'stream', text: 'out' }],
      source: text,
    });
    const before = JSON.stringify({ nbformat_minor: 4, nbformat: 4, metadata: {}, cells: [cell('one'), cell('two')] });
    writeFileSync(at('a.ipynb'), before);
    const notebook = await vscode.workspace.openNotebookDocument(uriOf(at('a.ipynb')));
    await vscode.window.showNotebookDocument(notebook);
    const documents = createVsCodeDocuments(createDiskDocuments());
    const { signal } = new AbortController();
    await agent('a.ipynb', async () => {
      const file = await documents.read(at('a.ipynb'), signal);
      assert.ok(file.kind === 'text');
      await documents.apply({ action: 'modify', path: at('a.ipynb'), baseHash: file.hash, text: file.text.replace('two', '2\nthree') }, signal);
    });
    assert.equal(notebook.cellAt(1).document.getText(), '2\nthree');
    const [review] = ledger.files();
    assert.deepEqual(review?.lines, { added: 2, removed: 1 });
    const shown = registerBeforeDocuments(ledger);
    await ledger.refresh(at('a.ipynb'));
    const sides = comparedUris(at('a.ipynb'));
    assert.equal((await vscode.workspace.openTextDocument(sides.before)).getText(), '%% cell code python nr=1\none\n%% cell code python nr=2\ntwo\n');
    assert.equal((await vscode.workspace.openTextDocument(sides.now)).getText(), '%% cell code python nr=1\none\n%% cell code python nr=2\n2\nthree\n');
    shown.dispose();
    assert.deepEqual(await ledger.undo(at('a.ipynb')), []);
    assert.equal(textOf('a.ipynb'), before);
    assert.deepEqual(ledger.files(), []);
    await until('the editor to show what was restored', () => notebook.cellAt(1).document.getText() === 'two' && !notebook.isDirty);
  });

  it('C-8: a notebook with unsaved changes is undone in its editor, which stays unsaved', async () => {
    const before = '{"cells": [{"cell_type": "markdown", "metadata": {}, "source": "one"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}';
    writeFileSync(at('b.ipynb'), before);
    const notebook = await vscode.workspace.openNotebookDocument(uriOf(at('b.ipynb')));
    await vscode.window.showNotebookDocument(notebook);
    const set = async (text: string): Promise<void> => {
      const edit = new vscode.WorkspaceEdit();
      const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, text, 'markdown');
      edit.set(notebook.uri, [vscode.NotebookEdit.replaceCells(new vscode.NotebookRange(0, 1), [cell])]);
      assert.ok(await vscode.workspace.applyEdit(edit));
    };
    await set('mine');
    await until('the notebook to be unsaved', () => notebook.isDirty);
    await agent('b.ipynb', () => set('agent'));
    assert.deepEqual(await ledger.undo(at('b.ipynb')), []);
    assert.equal(notebook.cellAt(0).document.getText(), 'mine');
    assert.equal(notebook.isDirty, true);
    assert.equal(textOf('b.ipynb'), before);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('C-8: a created file with unsaved text of the person is not deleted', async () => {
    await agent('new.txt', onDisk('new.txt', 'agent\n'));
    const editor = await open('new.txt');
    await inEditor(editor, 0, 'mine')();
    const report = await restoreBefore({ checkpoints, files, ask: () => Promise.resolve('overwrite') }, 's', 2);
    assert.equal(report.skipped.length, 1);
    assert.equal(editor.document.getText(), 'mine\n');
    assert.ok(existsSync(at('new.txt')));
  });

  it('C-7: undoing one hunk is one step in the editor; the person’s lines stay', async () => {
    writeFileSync(at('hunk.txt'), '1\n2\n3\n4\n5\n');
    await agent('hunk.txt', onDisk('hunk.txt', '1\ntwo\n3\n4\nfive\n'));
    const editor = await open('hunk.txt');
    assert.ok(await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), 'mine\n')));
    assert.deepEqual(await ledger.undo(at('hunk.txt'), ({ removed }) => removed.includes('2\n')), []);
    assert.equal(editor.document.getText(), 'mine\n1\n2\n3\n4\nfive\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), 'mine\n1\ntwo\n3\n4\nfive\n');
  });

  it('C-7: typing elsewhere moves the hunks and adds none; lenses and the earlier text follow', async () => {
    const parts = [registerBeforeDocuments(ledger), new KeepCurrent(ledger, log)];
    const lenses = new HunkLenses(ledger);
    try {
      writeFileSync(at('typed.txt'), '1\n2\n3\n');
      await agent('typed.txt', onDisk('typed.txt', '1\ntwo\n3\n'));
      const editor = await open('typed.txt');
      assert.ok(await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), 'mine\n')));
      await until('the hunk to move', () => ledger.files()[0]?.hunks[0]?.line === 2);
      assert.equal(ledger.files()[0]?.baseline, 'mine\n1\n2\n3\n');
      const titles = lenses.provideCodeLenses(editor.document).map(({ command, range }) => [range.start.line, command?.title]);
      assert.deepEqual(titles, [
        [2, '$(check) Keep'],
        [2, '$(discard) Undo'],
        [2, '+1 −1'],
      ]);
      await goToChange(ledger.files(), 1);
      assert.equal(vscode.window.activeTextEditor?.selection.active.line, 2);
      assert.equal(beforeUri(at('typed.txt')).path, editor.document.uri.path);
      assert.equal(pathOf(editor.document.uri), at('typed.txt'));
    } finally {
      vscode.Disposable.from(...parts, lenses).dispose();
    }
  });
});
