import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createVsCodeRuleSettings } from '../../src/vscode/permission/rules/vscode-rule-settings.js';

/** Needs a window with a workspace file that has two folders. */
describe('rules of permission in several folders', () => {
  it('are those of the workspace file and of each folder, and are written where they belong', async () => {
    const settings = createVsCodeRuleSettings();
    const places = (): readonly string[] => settings.sources().flatMap(({ place }) => (place === 'machine' ? [] : [place]));
    assert.deepEqual(places(), ['user', 'workspace', 'folder', 'folder']);
    const [workspace, , second] = settings.sources().filter(({ place }) => place === 'workspace' || place === 'folder');
    assert.ok(workspace);
    assert.ok(second);
    await settings.change(workspace, 'deny', { add: ['Bash(curl:*)'] });
    await settings.change(second, 'ask', { add: ['Bash(git push:*)'] });
    const lists = settings
      .sources()
      .flatMap(({ place, lists: { deny, ask } }) => (place === 'machine' || place === 'user' ? [] : [[place, deny ?? null, ask ?? null]]));
    assert.deepEqual(lists, [
      ['workspace', ['Bash(curl:*)'], null],
      ['folder', null, null],
      ['folder', null, ['Bash(git push:*)']],
    ]);
    const folder = vscode.workspace.workspaceFolders?.[1]?.uri.fsPath ?? '';
    assert.match(readFileSync(join(folder, '.vscode', 'settings.json'), 'utf8'), /git push/);
    await settings.change(workspace, 'deny', { remove: 'Bash(curl:*)' });
    await settings.change(second, 'ask', { remove: 'Bash(git push:*)' });
  });
});
