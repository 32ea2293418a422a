import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { FileTexts } from '../../src/domain/host/dialogs.js';
import { answerShownChanges, askBesideChanges } from '../../src/vscode/dialogs/confirm-changes.js';
import { showComparison } from '../../src/vscode/dialogs/comparison.js';
import { waitFor } from '../vscode/wait.mjs';
import { closeEditors } from './close-editors.js';

const TIMEOUT_MS = 30_000;
const TITLE = 'Apply Changes of general: Look';
const EDITED: FileTexts = { path: 'a.txt', before: 'a\n', after: 'b\n' };
const MADE: FileTexts = { path: 'made.txt', after: 'made\n' };

describe('changes that the user is asked about beside a comparison', () => {
  afterEach(closeEditors);

  const run = (command: string): Thenable<unknown> => vscode.commands.executeCommand(command);
  const tabs = (): readonly vscode.Tab[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs.filter(({ label }) => label.startsWith(TITLE)));

  /** Shows a comparison of the same title that nobody is asked about, and that stays. */
  async function another(files: readonly FileTexts[]): Promise<vscode.Tab> {
    await showComparison(TITLE, files);
    await run('workbench.action.keepEditor');
    return waitFor(() => tabs().find(({ isPreview }) => !isPreview), { what: 'the other comparison', timeoutMs: TIMEOUT_MS });
  }

  /** Asks, and waits for the comparison to be there. */
  async function asked(files: readonly FileTexts[]): Promise<{ readonly tab: vscode.Tab; readonly outcome: () => string | undefined }> {
    const before = new Set(tabs());
    let outcome: string | undefined;
    void askBesideChanges({ title: TITLE, files }).then((came) => (outcome = came));
    const tab = await waitFor(() => tabs().find((each) => !before.has(each) && each.isActive && !each.isPreview), {
      what: 'the comparison, which stays open',
      timeoutMs: TIMEOUT_MS,
    });
    return { tab, outcome: () => outcome };
  }

  for (const [what, files] of [
    ['with a file that is edited', [EDITED, MADE]],
    ['with new and deleted files only', [MADE, { path: 'gone.txt', before: 'gone\n' }]],
    ['with a file that is moved as it is', [{ path: 'to.txt', from: 'a.txt', before: 'a\n', after: 'a\n' }]],
  ] as const) {
    it(`${what}, are asked about until its own tab is closed, and answered where that is the active one`, async () => {
      const other = await another(files);
      const first = await asked(files);
      assert.ok(tabs().includes(other));
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'looked at' }), { preview: true });
      answerShownChanges('gnomon.applyShownChanges');
      const second = await asked(files);
      await vscode.window.tabGroups.close(other);
      assert.deepEqual([first.outcome(), second.outcome(), tabs()], [undefined, undefined, [first.tab, second.tab]]);
      await vscode.window.tabGroups.close(first.tab);
      await waitFor(() => first.outcome() === 'closed', { what: 'that it is closed', timeoutMs: TIMEOUT_MS });
      answerShownChanges('gnomon.applyShownChanges');
      await waitFor(() => second.outcome() === 'wanted', { what: 'the answer', timeoutMs: TIMEOUT_MS });
      assert.deepEqual(tabs(), []);
    });
  }

  it('are asked about as well when its tab was moved to another group', async () => {
    const { outcome } = await asked([EDITED]);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'stays here' }), { preview: false });
    await run('workbench.action.previousEditor');
    await run('workbench.action.moveEditorToNextGroup');
    await waitFor(() => vscode.window.tabGroups.all.length > 1 && vscode.window.tabGroups.activeTabGroup.activeTab?.label.startsWith(TITLE), {
      what: 'the tab in its new group',
      timeoutMs: TIMEOUT_MS,
    });
    assert.equal(outcome(), undefined);
    answerShownChanges('gnomon.dismissShownChanges');
    await waitFor(() => outcome() === 'unwanted', { what: 'the answer', timeoutMs: TIMEOUT_MS });
    assert.deepEqual(tabs(), []);
  });
});
