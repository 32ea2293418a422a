import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Gate, gate, lastToolResults, lastUserText, reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { inSoak } from '../support/in-soak.js';
import { SETTINGS_IN_WINDOW } from './app.js';
import { inlinePrompt } from './inline-prompt.js';
import { InlineRig } from './inline-rig.js';

const SLOW = { timeout: 60_000 };
const LINES = Array.from({ length: 20 }, (_, index) => `const line${index + 1} = value(${index + 1});`);
/** The same with five lines changed, far from each other. */
const CHANGED = LINES.map((line, index) => (index % 4 === 1 ? line.replace('value', 'other') : line));
/** The first lines of both, of which two differ. */
const [FEW, FEW_CHANGED] = [LINES.slice(0, 7), CHANGED.slice(0, 7)];
const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** A text in two pieces, with a gate before a line. */
function heldBefore(text: string, line: string): { readonly hold: Gate; readonly pieces: readonly (string | Gate)[] } {
  const hold = gate();
  const at = text.indexOf(line);
  return { hold, pieces: [text.slice(0, at), hold, text.slice(at)] };
}

/** Whether the model was told what came of its edit. */
function toolTold(rig: InlineRig): boolean {
  return JSON.stringify(rig.latest()).includes('Done. The user sees');
}

let rig: InlineRig;

beforeAll(async () => {
  rig = await InlineRig.start(
    {
      'gnomon.permissions.deny': ['Edit(denied.txt)'],
      'gnomon.permissions.ask': ['Edit(asked.txt)'],
      // Some files save themselves.
      '[rust]': { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 },
      ...SETTINGS_IN_WINDOW,
    },
    { asItStarts: true },
  );
});
afterAll(() => rig.all.stop());

inlinePrompt(() => rig);

describe('E-1 edits in place', () => {
  beforeAll(async () => {
    await rig.all.app.openChat();
  });
  beforeEach(async () => {
    const { page, workbench } = rig.all.app;
    // After a test that failed VS Code would ask what is to become of unsaved text.
    if ((await page.locator('.tab.dirty').count()) > 0) await workbench.runCommand('File: Save All Files');
    await workbench.closeEditors();
  });

  /** Opens a file of a few lines, selects them and has them changed in two places. */
  async function open(name: string): Promise<void> {
    await rig.open(name, textOf(FEW));
    await rig.editor.select(1, FEW.length);
    rig.answer(textOf(FEW_CHANGED));
  }

  /** Asks for the five changes; the model stops before the third. */
  async function askForFive(name: string, text = textOf(LINES)): Promise<Gate> {
    await rig.open(name, text);
    await rig.editor.select(1, 20);
    const { hold, pieces } = heldBefore(textOf(CHANGED), 'const line9 ');
    rig.answer(...pieces);
    await rig.ask('Use other in every fourth line');
    await hold.reached;
    await rig.says('2 changes so far');
    return hold;
  }

  it('stream hunks into the editor, also while another tab is shown; each can be kept and undone by itself, the rest at once', async () => {
    const hold = await askForFive('hunks.txt');
    await rig.shows(textOf([...CHANGED.slice(0, 8), ...LINES.slice(8)]));
    expect(lastUserText(rig.latest())).toContain('Use other in every fourth line');
    await rig.all.app.workbench.openFile('README.md');
    hold.open();
    await waitFor(() => toolTold(rig), { what: 'the end of the turn', timeoutMs: 30_000 });
    await rig.page.locator('.tab[data-resource-name="hunks.txt"]').click();
    await rig.pends(5);
    await rig.shows(textOf(CHANGED));
    // Nothing is on the disk yet.
    expect((await rig.bytes('hunks.txt')).toString()).toBe(textOf(LINES));
    await rig.lens('Keep').nth(4).waitFor(SLOW);
    await rig.lens('Undo').nth(1).click();
    await rig.pends(4);
    await rig.lens('Keep').first().click();
    await rig.pends(3);
    await rig.editor.goTo(14);
    await rig.page.keyboard.press('Control+Alt+Backspace');
    await rig.pends(2);
    await rig.editor.goTo(18);
    await rig.page.keyboard.press('Control+Alt+Enter');
    await rig.pends(1);
    await rig.decide('Undo All');
    const kept = LINES.map((line, index) => (index === 1 || index === 17 ? (CHANGED[index] ?? '') : line));
    await rig.saves('hunks.txt', textOf(kept));
  });

  it('are one step to undo, and what was typed before and after is not part of it', async () => {
    await rig.open('step.txt', textOf(LINES));
    await rig.editor.goTo(1);
    await rig.page.keyboard.type('before();\n');
    await rig.editor.select(2, 21);
    rig.answer(textOf(CHANGED));
    await rig.ask('Use other');
    await rig.pends(5);
    await rig.editor.goTo(1);
    await rig.page.keyboard.type('after;');
    const whole = (middle: readonly string[], after: boolean): string => `${after ? 'after;' : ''}before();\n${textOf(middle)}`;
    await rig.shows(whole(CHANGED, true));
    await rig.undo();
    await rig.shows(whole(CHANGED, false));
    await rig.undo();
    await rig.shows(whole(LINES, false));
    await rig.over();
    await rig.saves('step.txt', whole(LINES, false));
  });

  inSoak('unit/inline-edit/change-stream.test.ts', 'unit/inline-edit/edit-state.test.ts')(
    'lose nothing that is typed meanwhile; undoing them takes back exactly what Gnomon did',
    async () => {
      const hold = await askForFive('typing.txt', `${textOf(LINES)}// tail\n`);
      await rig.editor.goTo(1);
      await rig.page.keyboard.type('mineAbove();\n');
      await rig.page.keyboard.press('Control+End');
      await rig.page.keyboard.type('mineBelow();');
      const whole = (middle: readonly string[]): string => `mineAbove();\n${textOf(middle)}// tail\nmineBelow();`;
      await rig.saves('typing.txt', whole([...CHANGED.slice(0, 8), ...LINES.slice(8)]));
      hold.open();
      await rig.pends(5);
      await rig.page.keyboard.type(' still();');
      await rig.saves('typing.txt', `${whole(CHANGED)} still();`);
      await rig.decide('Undo All');
      await rig.saves('typing.txt', `${whole(LINES)} still();`);
    },
  );

  it('Escape in mid-stream restores the file byte by byte, in UTF-16 with CRLF and no line break at its end', async () => {
    const bytes = Buffer.from(`\uFEFF${LINES.join('\r\n')}`, 'utf16le');
    await rig.open('utf16.txt', bytes);
    await rig.editor.select(1, 20);
    const { hold, pieces } = heldBefore(CHANGED.join('\n'), 'const line9 ');
    rig.answer(...pieces);
    await rig.ask('Use other');
    await hold.reached;
    await rig.says('2 changes so far');
    await rig.shows([...CHANGED.slice(0, 8), ...LINES.slice(8)].join('\n'));
    await rig.editor.focus();
    await rig.page.keyboard.press('Escape');
    await rig.over();
    await rig.shows(LINES.join('\n'));
    await rig.page.locator('.tab.active[data-resource-name="utf16.txt"]:not(.dirty)').waitFor();
    await rig.editor.save();
    await rig.all.app.waitForFile('utf16.txt', bytes);
    hold.open();
  });

  inSoak('unit/inline-edit/replacement.test.ts', 'unit/inline-edit/streaming-diff.test.ts')(
    'write where nothing is yet; what is said before the model has said its last word waits, and changes what was written',
    async () => {
      await rig.open('blank.txt', 'const first = 1;\n\nconst last = 3;\n');
      await rig.editor.goTo(2);
      const hold = gate();
      const call = reply().toolCall('edit_selection', { new_text: 'const second = 2;\nconst half = 2.5;' });
      rig.all.server.setScript(({ body }) => (lastToolResults(body).length > 0 ? reply().text('Almost ', hold, 'done.') : call));
      await rig.ask('Declare second');
      await hold.reached;
      await rig.shows('const first = 1;\nconst second = 2;\nconst half = 2.5;\nconst last = 3;\n');
      await rig.pends(1);
      const before = rig.all.server.requests.length;
      await rig.revise('Without half');
      await rig.says('Preparing…');
      expect(rig.all.server.requests).toHaveLength(before);
      rig.answer('const second = 2;');
      hold.open();
      await rig.shows('const first = 1;\nconst second = 2;\nconst last = 3;\n');
      await rig.pends(1);
      await rig.decide('Keep All');
      await rig.saves('blank.txt', 'const first = 1;\nconst second = 2;\nconst last = 3;\n');
    },
  );

  it('say what stands in the way, and leave nothing behind', async () => {
    await open('locked.txt');
    await chmod(join(rig.all.app.workspace, 'locked.txt'), 0o444);
    const before = rig.all.server.requests.length;
    await rig.ask('Use other');
    const locked = /read-only.*try again/;
    await rig.all.app.workbench.notification(locked);
    expect(rig.all.server.requests).toHaveLength(before);
    await chmod(join(rig.all.app.workspace, 'locked.txt'), 0o644);
    const cut = textOf(FEW_CHANGED).slice(0, textOf(FEW_CHANGED).indexOf('const line5 '));
    // However often it is asked to go on.
    rig.all.server.setScript(() =>
      reply()
        .toolCall('edit_selection', {}, { chunks: [`{"new_text":${JSON.stringify(cut).slice(0, -1)}`] })
        .stop('max_tokens'),
    );
    await rig.again(locked, 'Use other');
    await rig.all.app.workbench.notification(/Nothing was changed\. .*length limit/);
    await rig.shows(textOf(FEW));
    rig.all.server.setScript(() => reply().text('Which other do you mean?'));
    await rig.again(/length limit/, 'Use other');
    await rig.dismiss('Which other do you mean?');
    await rig.editor.goTo(1);
    await rig.page.keyboard.type('mine();\n');
    await rm(join(rig.all.app.workspace, 'locked.txt'));
    await rig.editor.select(2, 8);
    await rig.ask('Use other');
    await rig.dismiss(/no longer exists on disk/);
    await rig.shows(`mine();\n${textOf(FEW)}`);
    await rig.saves('locked.txt', `mine();\n${textOf(FEW)}`);
  });

  it('begin at the light bulb, too, pend in several files at once, each with its own, and go on in the chat', async () => {
    await open('bulb.txt');
    const action = await rig.editor.openLightBulb('Edit with Gnomon', () => rig.editor.select(1, FEW.length));
    await action.click();
    await rig.say('Use other');
    await rig.pends(2);
    await rig.shows(textOf(FEW_CHANGED));
    await open('second.txt');
    await rig.ask('Use other');
    await rig.pends(2);
    await waitFor(() => toolTold(rig), { what: 'the end of the turn', timeoutMs: 30_000 });
    await rig.lens('Continue in Chat').click();
    for (const text of ['Use other', 'Edited the selection']) await rig.all.chat.waitForText(text);
    await rig.all.app.workbench.runCommand('Gnomon: Undo Changes in File');
    await rig.shows(textOf(FEW));
    await rig.saves('second.txt', textOf(FEW));
    await rig.page.locator('.tab[data-resource-name="bulb.txt"]').click();
    await rig.pends(2);
    await rig.decide('Keep All');
    await rig.saves('bulb.txt', textOf(FEW_CHANGED));
  });

  inSoak('unit/inline-edit/edit-state.test.ts', 'integration/workspace.test.ts')(
    'are shown beside a file that saves itself or was never saved, and reach it as they are kept',
    async () => {
      await open('saved.rs');
      await rig.ask('Use other');
      const preview = rig.page.locator('.tab', { hasText: 'Current ↔ Proposed' });
      await preview.waitFor(SLOW);
      await rig.page.locator('.monaco-diff-editor').getByText('other').first().waitFor(SLOW);
      expect((await rig.bytes('saved.rs')).toString()).toBe(textOf(FEW));
      // In the file's own tab the hunks can be decided about one by one.
      await rig.page.locator('.tab[data-resource-name="saved.rs"]').first().click();
      await rig.pends(2);
      await rig.lens('Keep').nth(1).click(SLOW);
      await rig.pends(1);
      const one = textOf(FEW.map((line, index) => (index === 5 ? (CHANGED[index] ?? '') : line)));
      await rig.all.app.waitForFile('saved.rs', one);
      await rig.lens('Discard').first().click(SLOW);
      await rig.over();
      await preview.waitFor({ state: 'detached', ...SLOW });
      expect((await rig.bytes('saved.rs')).toString()).toBe(one);
      await rig.all.app.workbench.runCommand('File: New Untitled Text File');
      await rig.page.locator('.editor-group-container.active .monaco-editor.focused[data-uri^="untitled:"]').waitFor(SLOW);
      await rig.page.keyboard.type('one\ntwo');
      rig.answer('first\ntwo\nthird\n');
      await rig.ask('Write it out');
      await preview.waitFor(SLOW);
      await rig.page.locator('.monaco-diff-editor .modified').getByText('third').waitFor(SLOW);
      await rig.page.locator('.editor-group-container.active').getByRole('button', { name: 'Keep Inline Edit' }).click(SLOW);
      await preview.waitFor({ state: 'detached', ...SLOW });
      await rig.shows('first\ntwo\nthird');
      // Closing it would ask what is to become of it.
      await rig.all.app.workbench.runCommand('View: Revert and Close Editor');
    },
  );

  it('a file that a rule denies is refused before the model is asked; one that a rule asks about is changed when the person allows it, and not a hunk before', async () => {
    await open('denied.txt');
    const before = rig.all.server.requests.length;
    await rig.ask('Use other');
    await rig.dismiss(/not allowed to change this file.*Edit\(denied\.txt\)/);
    expect(rig.all.server.requests).toHaveLength(before);
    await open('asked.txt');
    const { hold, pieces } = heldBefore(textOf(FEW_CHANGED), 'const line5 ');
    rig.answer(...pieces);
    await rig.ask('Use other');
    await hold.reached;
    hold.open();
    const told = await rig.all.app.workbench.notification('Gnomon needs your permission');
    await rig.shows(textOf(FEW));
    await told.getByRole('button', { name: 'Show' }).click();
    await rig.all.chat.prompt.getByRole('button', { name: 'Allow', exact: true }).click(SLOW);
    await rig.pends(2);
    await rig.shows(textOf(FEW_CHANGED));
    await rig.decide('Keep All');
    await rig.saves('asked.txt', textOf(FEW_CHANGED));
  });

  inSoak('unit/permission/plan-mode.test.ts')('are answered with a refusal while everything is only planned', async () => {
    const { app, server } = rig.all;
    // The line above the text shows when the settings count.
    await app.changeSettings({ 'gnomon.permissionMode': 'plan', 'breadcrumbs.enabled': false });
    await rig.page
      .locator('.breadcrumbs-control:visible')
      .first()
      .waitFor({ state: 'hidden', ...SLOW });
    await open('planned.txt');
    const before = server.requests.length;
    await rig.ask('Use other');
    await app.workbench.notification(/not allowed to change this file/);
    expect(server.requests).toHaveLength(before);
    await rig.shows(textOf(FEW));
  });
});
