import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { TITLE_COMMANDS, inTitle } from '../../../src/vscode/command-ids.js';

interface Entry {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

interface Manifest {
  readonly contributes: { readonly commands: readonly (Entry & { readonly title: string })[]; readonly menus: Readonly<Record<string, readonly Entry[]>> };
}

let manifest: Manifest;
const titled = TITLE_COMMANDS.map(inTitle);

beforeAll(async () => {
  manifest = JSON.parse(await readFile('package.json', 'utf8')) as Manifest;
});

/** What a menu offers of the chat. */
function offered(menu: string): readonly Entry[] {
  return (manifest.contributes.menus[menu] ?? []).filter(({ command }) => titled.includes(command));
}

describe('the title bars of the chat', () => {
  test('offer the same for the view and for an editor tab, which is not opened in one again', () => {
    const ofTab = offered('editor/title');
    const ofView = offered('view/title').filter(({ command }) => command !== inTitle('gnomon.openInEditorTab'));
    expect(
      offered('view/title')
        .map(({ command }) => command)
        .sort(),
    ).toEqual([...titled].sort());
    expect(ofTab.map(({ command, group }) => [command, group])).toEqual(ofView.map(({ command, group }) => [command, group]));
    for (const { when } of ofTab) expect(when).toMatch(/^activeWebviewPanelId == gnomon\.session\b/);
    for (const { when } of offered('view/title')) expect(when).toMatch(/^view == gnomon\.chat\b/);
  });

  test('have commands of their own, which are not in the palette and stand beside those that are', () => {
    const all = manifest.contributes.commands.map(({ command }) => command);
    for (const command of TITLE_COMMANDS) expect(all).toContain(command);
    const hidden = (manifest.contributes.menus['commandPalette'] ?? []).filter(({ when }) => when === 'false').map(({ command }) => command);
    for (const command of titled) expect([all.includes(command), hidden.includes(command)], command).toEqual([true, true]);
  });

  test('have icons where VS Code shows icons', () => {
    const shown = offered('view/title').filter(({ group }) => group?.startsWith('navigation'));
    expect(shown.map(({ command }) => command)).toEqual([inTitle('gnomon.newSession'), inTitle('gnomon.showHistory')]);
    for (const { command } of shown) expect(manifest.contributes.commands.find((each) => each.command === command)).toHaveProperty('icon');
  });
});
