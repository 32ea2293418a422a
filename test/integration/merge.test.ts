import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { MergeRequest } from '../../src/domain/host/dialogs.js';
import { mergeFiles } from '../../src/vscode/dialogs/merge-files.js';
import { waitFor } from '../vscode/wait.mjs';
import { closeEditors } from './close-editors.js';

const TIMEOUT_MS = 30_000;
const SETTINGS = ['autoSave', 'autoSaveDelay'] as const;
/** What VS Code begins with: what is merged already, and the base where both have changed the same lines. */
const BEGUN = 'A\nb\nc\n';

describe('files that the user merges', () => {
  let saved: string[] = [];
  /** A file of which both have changed the last line, and the agent the first. */
  const request: MergeRequest = {
    name: 'both.txt',
    base: 'a\nb\nc\n',
    here: 'a\nb\nmine\n',
    there: 'A\nb\ntheirs\n',
    marked: 'A\nb\n<<<<<<< yours\nmine\n||||||| base\nc\n=======\ntheirs\n>>>>>>> worktree\n',
    theirs: 'A\nb\ntheirs\n',
    author: 'general: Change both',
    save: (text) => {
      saved.push(text);
      return Promise.resolve();
    },
  };

  beforeEach(async () => {
    saved = [];
    // By default, VS Code saves by a timer in a browser.
    await vscode.workspace.getConfiguration('files').update('autoSave', 'off', true);
  });
  afterEach(async () => {
    for (const name of SETTINGS) await vscode.workspace.getConfiguration('files').update(name, undefined, true);
    await closeEditors();
  });

  const run = (command: string): Thenable<unknown> => vscode.commands.executeCommand(command);

  it('without a merge editor, are compared with the base, and written with the lines of one of the two', async () => {
    const merging = mergeFiles([request], false);
    const diff = await waitFor(
      async () => {
        await run('quickInput.first');
        await run('workbench.action.acceptSelectedQuickOpenItem');
        const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
        return input instanceof vscode.TabInputTextDiff ? input : undefined;
      },
      { what: 'the comparison', timeoutMs: TIMEOUT_MS },
    );
    const texts = await Promise.all([diff.original, diff.modified].map(async (uri) => (await vscode.workspace.openTextDocument(uri)).getText()));
    assert.deepEqual(texts, [request.base, request.here]);
    await waitFor(
      async () => {
        await run('quickInput.last');
        await run('workbench.action.acceptSelectedQuickOpenItem');
        return saved.length > 0;
      },
      { what: 'the lines of the agent', timeoutMs: TIMEOUT_MS },
    );
    await merging;
    assert.deepEqual(saved, [request.theirs]);
  });

  it('in the merge editor, are not written by a timer, and asked about when it is closed', async () => {
    await vscode.workspace.getConfiguration('files').update('autoSaveDelay', 50, true);
    await vscode.workspace.getConfiguration('files').update('autoSave', 'afterDelay', true);
    let isSaved = false;
    const saves = vscode.workspace.onDidSaveTextDocument(({ uri }) => (isSaved ||= uri.scheme === 'gnomon-merge'));
    await merged('A\nb\nboth\n');
    await waitFor(() => isSaved, { what: 'the timer', timeoutMs: TIMEOUT_MS });
    saves.dispose();
    assert.deepEqual(saved, []);
    await closeEditors();
    await waitFor(
      async () => {
        await run('notification.acceptPrimaryAction');
        return saved.length > 0;
      },
      { what: 'the question', timeoutMs: TIMEOUT_MS },
    );
    assert.deepEqual(saved, ['A\nb\nboth\n']);
  });

  it('in the merge editor, are written when the user saves', async () => {
    const document = await merged('A\nb\nsaved\n');
    await document.save();
    assert.deepEqual(saved, ['A\nb\nsaved\n']);
  });

  it('in the merge editor, are each in one of their own that stays, and written apart from each other', async () => {
    const other = { ...request, name: 'other.txt', save: (text: string) => request.save(`other: ${text}`) };
    await mergeFiles([request, other]);
    const documents = await Promise.all([request, other].map(({ name }) => resultOf(name, BEGUN)));
    const open = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
    assert.deepEqual(
      open.map(({ label, isPreview, input }) => [label, isPreview, input instanceof vscode.TabInputText]),
      [
        ['Merging: both.txt', false, false],
        ['Merging: other.txt', false, false],
      ],
    );
    for (const document of documents) await replace(document, 'A\nb\nchosen\n');
    for (const document of documents) assert.ok(await document.save());
    assert.deepEqual(saved, ['A\nb\nchosen\n', 'other: A\nb\nchosen\n']);
  });

  it('in the merge editor, are not written while a conflict is open, unless the user wants that', async () => {
    await mergeFiles([request]);
    const document = await resultOf('both.txt', BEGUN);
    // In tests, VS Code refuses to show the question.
    assert.equal(await document.save(), false);
    assert.deepEqual([saved, document.isDirty], [[], true]);
    await replace(document, request.theirs);
    assert.ok(await document.save());
    assert.deepEqual(saved, [request.theirs]);
  });

  it('of one name that both have created, are not written while nothing is chosen', async () => {
    const marked = '<<<<<<< yours\nmine\n||||||| base\n=======\ntheirs\n>>>>>>> worktree\n';
    await mergeFiles([{ ...request, name: 'new.txt', base: '', here: 'mine\n', there: 'theirs\n', marked, theirs: 'theirs\n' }]);
    const document = await resultOf('new.txt', '');
    assert.equal(await document.save(), false);
    assert.deepEqual(saved, []);
    await replace(document, 'mine\ntheirs\n');
    assert.ok(await document.save());
    assert.deepEqual(saved, ['mine\ntheirs\n']);
  });

  it('are not written from a plain editor', async () => {
    await mergeFiles([request]);
    const document = await resultOf(request.name, BEGUN);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false });
    await run('workbench.action.revertAndCloseActiveEditor');
    const { input } = await waitFor(
      () => {
        const [tab, ...others] = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
        return others.length === 0 && tab;
      },
      { what: 'the plain editor alone', timeoutMs: TIMEOUT_MS },
    );
    assert.ok(input instanceof vscode.TabInputText);
    await replace(document, 'A\nb\nchosen\n');
    assert.equal(await document.save(), false);
    assert.deepEqual(saved, []);
  });

  /** Opens the merge editor, and makes a text of what is merged there. */
  async function merged(text: string): Promise<vscode.TextDocument> {
    await mergeFiles([request]);
    const document = await resultOf(request.name, BEGUN);
    await replace(document, text);
    return document;
  }

  /** The result of a merge editor that has begun with a text. */
  async function resultOf(name: string, text: string): Promise<vscode.TextDocument> {
    const isReady = ({ uri }: vscode.TextDocument): boolean => uri.scheme === 'gnomon-merge' && uri.query === '' && uri.path === `/${name}`;
    return waitFor(() => vscode.workspace.textDocuments.find((each) => isReady(each) && each.getText() === text), {
      what: 'the merge editor',
      timeoutMs: TIMEOUT_MS,
    });
  }

  async function replace(document: vscode.TextDocument, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }
});
