import { execFileSync } from 'node:child_process';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answering, lastToolResults, reply, resultText } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import type { Workbench } from '../vscode/workbench.mjs';
import type { App } from './app.js';
import type { Chat } from './chat.js';
import { ProposalEditor } from './proposal-editor.js';
import { AFTER, BEFORE, ReviewRig } from './review-rig.js';
import type { SharedWindow } from './shared-window.js';
import { says } from '../support/wording.js';
import { inSoak } from '../support/in-soak.js';

const SLOW = { timeout: 60_000 };
const HALF = BEFORE.replace('two', 'TWO');
const OTHER_HALF = BEFORE.replace('eight', 'EIGHT');
const REDO = 'Gnomon: Undo Restore';

/** Cases for changes of files: proposals, what is to be reviewed, and what is restored. Edits are accepted, but those below `asked`. */
export function review(window: SharedWindow): void {
  describe('changes of files', () => {
    let rig: ReviewRig;
    let app: App;
    let chat: Chat;
    let page: Page;
    let workbench: Workbench;

    beforeAll(async () => {
      rig = new ReviewRig(await window.take());
      ({ app, chat } = rig.all);
      ({ page, workbench } = app);
    });
    beforeEach(() => rig.reset());

    describe('C-3 a proposal in an editor', () => {
      let editor: ProposalEditor;

      beforeAll(() => {
        editor = new ProposalEditor(rig.all);
      });

      /** What the model was told last of a call that it had made. */
      function told(): string {
        const results = rig.all.server.requests.map(({ body }) => lastToolResults(body)).findLast((each) => each.length > 0);
        return results?.map(resultText).at(-1) ?? '';
      }

      inSoak('integration/proposal.test.ts')(
        'is not allowed in the chat while the editor holds unsaved text; saved, it is shown in the prompt, and exactly that is written',
        async () => {
          const before = Buffer.from('\uFEFFone\r\ntwo\r\nthree\r\n', 'utf16le');
          await editor.propose('asked/a.txt', before);
          await editor.show('a.txt');
          await expect.poll(() => editor.present().innerText(), SLOW).toContain('two');
          await expect.poll(() => editor.proposed().innerText(), SLOW).toContain('TWO');
          await editor.type('a.txt', 'mine ');
          await chat.prompt.getByRole('button', { name: 'Allow', exact: true }).click();
          await chat.prompt.getByText(says('proposalUnsaved')).waitFor(SLOW);
          expect((await readFile(join(app.workspace, 'asked/a.txt'))).equals(before)).toBe(true);
          await editor.proposed().locator('.view-line').first().click();
          await editor.save('a.txt');
          await chat.prompt.getByText(says('proposalChanged')).waitFor(SLOW);
          await chat.prompt.getByText('mine one').waitFor(SLOW);
          await chat.answer('Allow');
          await chat.waitForIdle();
          expect((await readFile(join(app.workspace, 'asked/a.txt'))).equals(Buffer.from('\uFEFFmine one\r\nTWO\r\nthree\r\n', 'utf16le'))).toBe(true);
          expect(told()).toMatch(/^The user changed this call before allowing it\..*-one\n\+mine one\n TWO\n/s);
          await editor.tab('a.txt').waitFor({ state: 'detached', ...SLOW });
        },
      );

      it('is allowed in the editor, which saves first; denied there, nothing is written; opened, it is read however long it is, and closed without saving, it is what it was', async () => {
        await editor.propose('asked/b.txt');
        await editor.show('b.txt');
        await editor.type('b.txt', 'mine ');
        await editor.title('Allow').click();
        await chat.waitForIdle();
        expect(await app.read('asked/b.txt')).toBe('mine one\nTWO\nthree\n');
        expect(told()).toContain('+mine one');
        await editor.tab('b.txt').waitFor({ state: 'detached', ...SLOW });
        await editor.propose('asked/c.txt');
        await editor.show('c.txt');
        await editor.title('Deny').click();
        await chat.waitForIdle();
        expect(await app.read('asked/c.txt')).toBe('one\ntwo\nthree\n');
        expect(told()).toMatch(/^The user denied this call/);
        await editor.tab('c.txt').waitFor({ state: 'detached', ...SLOW });
        const long = Array.from({ length: 80 }, (_, line) => `TWO ${line}`).join('\n');
        await editor.propose('asked/d.txt', BEFORE, long);
        const allow = (disabled: boolean): Locator => chat.prompt.getByRole('button', { name: 'Allow', exact: true, disabled });
        await chat.prompt.getByText(says('reviewRest')).waitFor(SLOW);
        await allow(true).waitFor(SLOW);
        await editor.show('d.txt');
        await allow(false).waitFor(SLOW);
        await editor.type('d.txt', 'unsaved ');
        await workbench.runCommand('View: Revert and Close Editor');
        await editor.tab('d.txt').waitFor({ state: 'detached', ...SLOW });
        await chat.answer('Allow');
        await chat.waitForIdle();
        expect(await app.read('asked/d.txt')).toBe(BEFORE.replace('two', long));
        expect(told()).not.toContain('The user changed');
      });
    });

    describe('C-7 to review', () => {
      /** Shows the source control view and gives its row of a file. */
      async function row(name: string): Promise<Locator> {
        await workbench.openView('Source Control');
        const found = page.locator('.scm-view').getByRole('treeitem', { name: new RegExp(`^${name}`) });
        await found.waitFor();
        return found;
      }

      it('are listed: Undo takes a file back, Keep lets it stand; a single one is undone above its lines', async () => {
        await rig.change('undone.txt', 'kept.txt', 'lens.txt');
        await rig.region.getByRole('button', { name: /^3 files \+6/ }).waitFor();
        await chat.unfold('Changed files');
        await rig.region.getByRole('button', { name: 'Undo undone.txt' }).click();
        await app.waitForFile('undone.txt', BEFORE);
        await rig.region.getByRole('button', { name: 'Keep kept.txt' }).click();
        await rig.region.getByRole('button', { name: /^1 file \+2/ }).waitFor();
        expect(await app.read('kept.txt')).toBe(AFTER);
        await workbench.openFile('lens.txt');
        const undo = page.locator('.codelens-decoration a', { hasText: 'Undo' });
        await waitFor(async () => (await undo.count()) === 2, { what: 'both changes with their buttons', timeoutMs: 30_000 });
        await undo.first().click();
        await waitFor(async () => (await undo.count()) === 1, { what: 'one change to be left', timeoutMs: 30_000 });
        await waitFor(async () => (await workbench.editor.text()).includes('\ntwo\n'), { what: 'the line that was there before', timeoutMs: 30_000 });
        await workbench.editor.save();
        await app.waitForFile('lens.txt', OTHER_HALF);
        await workbench.runCommand('Gnomon: Keep All Changes');
        await rig.region.waitFor({ state: 'detached' });
      });

      inSoak('integration/review.test.ts', 'unit/edits/ledger.test.ts')(
        'are shown one by one in the peek: Undo takes one back, Keep lets the other stand',
        async () => {
          await rig.change('peek.txt');
          await workbench.openFile('peek.txt');
          // VS Code has compared the file by then.
          const glyphs = page.locator('.dirty-diff-glyph');
          await waitFor(async () => (await glyphs.count()) === 2, { what: 'both changes beside the lines', timeoutMs: 30_000 });
          await workbench.runCommand('Gnomon: Show Changes Here');
          await rig.peekButton('Keep Change').waitFor();
          await expect.poll(() => rig.peek.innerText(), SLOW).toMatch(/Gnomon/);
          await rig.peekButton('Undo Change').click();
          await app.waitForFile('peek.txt', OTHER_HALF);
          await rig.peek.waitFor({ state: 'detached' });
          await waitFor(async () => (await glyphs.count()) === 1, { what: 'one change beside the lines', timeoutMs: 30_000 });
          await workbench.runCommand('Gnomon: Show Changes Here');
          // Its buttons are made anew when the file was compared again.
          await expect.poll(() => rig.peek.innerText(), SLOW).toMatch(/1 of 1 change/);
          await rig.peekButton('Keep Change').click();
          await rig.region.waitFor({ state: 'detached' });
          await page.locator('.codelens-decoration a', { hasText: 'Keep' }).first().waitFor({ state: 'detached' });
          expect(await app.read('peek.txt')).toBe(OTHER_HALF);
        },
      );

      inSoak('unit/edits/ledger.test.ts', 'integration/review.test.ts')(
        'are rows of source control, which keep, undo and compare, as do its buttons with all; it goes with the last one',
        async () => {
          await rig.change('kept.txt', 'undone.txt', 'compared.txt');
          const compared = await row('compared.txt');
          await compared.click();
          await page.locator('.tab.active', { hasText: 'before ↔ now' }).waitFor();
          const diff = page.locator('.monaco-diff-editor');
          await diff.getByText('TWO').first().waitFor();
          await diff.getByText('two', { exact: true }).first().waitFor();
          const kept = await row('kept.txt');
          await kept.hover();
          await kept.getByRole('button', { name: 'Keep Changes in File' }).click();
          await kept.waitFor({ state: 'detached' });
          const undone = await row('undone.txt');
          await undone.hover();
          await undone.getByRole('button', { name: 'Undo Changes in File' }).click();
          await undone.waitFor({ state: 'detached' });
          await app.waitForFile('undone.txt', BEFORE);
          expect(await app.read('kept.txt')).toBe(AFTER);
          await page.locator('.part.sidebar').getByRole('button', { name: 'Keep All Changes' }).click();
          await compared.waitFor({ state: 'detached' });
          expect(await app.read('compared.txt')).toBe(AFTER);
          await app.openChat();
          await rig.change('first.txt', 'second.txt');
          await row('first.txt');
          await page.locator('.part.sidebar').getByRole('button', { name: 'Undo All Changes…' }).click();
          const dialog = workbench.dialog();
          expect(await dialog.innerText()).toContain('2 files');
          await dialog.getByRole('button', { name: 'Undo All' }).click();
          await app.waitForFile('first.txt', BEFORE);
          await app.waitForFile('second.txt', BEFORE);
          await rig.region.waitFor({ state: 'detached' });
        },
      );

      it('are all shown in one comparison, and gone through from change to change and on to the next file', async () => {
        await rig.change('a-first.txt', 'b-second.txt');
        await rig.region.getByRole('button', { name: 'Review', exact: true }).click();
        await page.locator('.tab.active', { hasText: 'Changes by Gnomon' }).waitFor();
        const multi = page.locator('.monaco-component.multiDiffEditor');
        for (const name of ['a-first.txt', 'b-second.txt']) await multi.getByText(name).first().waitFor();
        const sides = [BEFORE, AFTER].map((text) => text.trimEnd());
        const shown = async (): Promise<string> =>
          (await multi.locator('.view-lines').allInnerTexts()).map((text) => text.replaceAll('\u00a0', ' ').trimEnd()).join('\n--\n');
        await waitFor(async () => (await shown()) === [...sides, ...sides].join('\n--\n'), {
          what: 'both sides of both files in the comparison',
          timeoutMs: 30_000,
        });
        const inTitle = page.locator('.editor-group-container.active .editor-actions');
        for (const name of ['Keep All Changes', 'Undo All Changes…']) await inTitle.getByRole('button', { name }).waitFor();
        // One file is opened at its first change, where each can be kept and undone.
        await rig.region.getByRole('button', { name: /^2 files/ }).click();
        await rig.region.getByRole('button', { name: 'a-first.txt', exact: true }).click();
        await page.locator('.tab.active[data-resource-name="a-first.txt"]').waitFor();
        await page
          .locator('.statusbar-item')
          .filter({ hasText: /Ln 2, Col 1$/ })
          .waitFor();
        await inTitle.getByRole('button', { name: /^Keep/ }).first().waitFor();
        await workbench.editor.goTo(1);
        for (const [command, name, line] of [
          ['Next', 'a-first.txt', 2],
          ['Next', 'a-first.txt', 8],
          ['Next', 'b-second.txt', 2],
          ['Previous', 'a-first.txt', 8],
        ] as const) {
          await workbench.runCommand(`Gnomon: Go to ${command} Change`);
          await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
          await page
            .locator('.statusbar-item')
            .filter({ hasText: new RegExp(`Ln ${line}, Col 1$`) })
            .waitFor();
        }
        await workbench.runCommand('Gnomon: Keep Changes in File');
        await rig.region.getByRole('button', { name: /^1 file/ }).waitFor();
        await workbench.openFile('b-second.txt');
        await workbench.runCommand('Gnomon: Undo Changes in File');
        await app.waitForFile('b-second.txt', BEFORE);
        expect(await app.read('a-first.txt')).toBe(AFTER);
      });
    });

    describe('C-8 restored to before a message', () => {
      const isThere = (name: string): Promise<boolean> =>
        access(join(app.workspace, name)).then(
          () => true,
          () => false,
        );

      inSoak('integration/review.test.ts', 'unit/edits/restore.test.ts')(
        'ask about what the person changed since, which is kept or overwritten; what was created is deleted, and redone',
        async () => {
          await writeFile(join(app.workspace, 'restored.txt'), BEFORE);
          const edits = [{ old_string: 'two', new_string: 'TWO' }];
          rig.all.server.setScript(
            answering(
              reply()
                .toolCall('read', { file_path: 'restored.txt' })
                .toolCall('edit', { file_path: 'restored.txt', edits })
                .toolCall('write', { file_path: 'created.txt', content: 'new\n' }),
            ),
          );
          await chat.send('Change and create');
          await chat.waitForIdle();
          const mine = `${HALF}mine\n`;
          await writeFile(join(app.workspace, 'restored.txt'), mine);
          const dialog = workbench.dialog();
          await rig.restoreButton('Files').click();
          await dialog.getByRole('button', { name: 'Cancel' }).click();
          await dialog.waitFor({ state: 'detached' });
          expect([await app.read('restored.txt'), await isThere('created.txt')]).toEqual([mine, true]);
          await rig.restoreButton('Files').click();
          await dialog.getByRole('button', { name: 'Keep My Version' }).click();
          const told = await workbench.notification('Files: 1 deleted (did not exist before); kept with your changes: restored.txt.');
          expect([await app.read('restored.txt'), await isThere('created.txt')]).toEqual([mine, false]);
          await told.getByRole('button', { name: 'Undo Restore' }).click();
          await app.waitForFile('created.txt', 'new\n');
          await rig.restoreButton('Files').click();
          await dialog.getByRole('button', { name: 'Overwrite' }).click();
          await app.waitForFile('restored.txt', BEFORE);
          await waitFor(async () => !(await isThere('created.txt')), { what: 'created.txt to be gone', timeoutMs: 30_000 });
          await rig.restoreButton('Files').click();
          const nothing = await workbench.notification('Files are already in this state.');
          expect(await nothing.getByRole('button', { name: /Restore|Limitations/ }).count()).toBe(0);
        },
      );

      it('a conversation goes on in a branch, with the message in the composer; the branch restores too, and all is redone', async () => {
        await rig.write('steps.txt', 'first\n');
        await rig.write('steps.txt', 'second\n');
        await chat.mine.nth(1).hover();
        await rig.restoreButton('Files and Chat', 1).click();
        await app.waitForFile('steps.txt', 'first\n');
        await waitFor(async () => (await chat.mine.count()) === 1, { what: 'one message', timeoutMs: 30_000 });
        await waitFor(async () => (await chat.message.inputValue()) === 'Write steps.txt: second', { what: 'the message in the composer', timeoutMs: 30_000 });
        await chat.unfold('Changed files');
        await rig.region.getByRole('button', { name: 'Undo steps.txt' }).waitFor();
        await rig.restoreButton('Files').click();
        await app.waitForFile('steps.txt', '');
        await workbench.runCommand(REDO);
        await app.waitForFile('steps.txt', 'first\n');
        await workbench.runCommand(REDO);
        await app.waitForFile('steps.txt', 'second\n');
        await chat.message.fill('');
        // The first conversation is still there.
        await workbench.runCommand('Gnomon: Open Chat…');
        const sessions = page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: 'Write steps.txt: first' });
        await waitFor(async () => (await sessions.count()) === 2, { what: 'both conversations', timeoutMs: 30_000 });
        await workbench.escape(sessions.first());
      });

      inSoak('unit/edits/checkpoints.test.ts', 'unit/agent-host/changes/side-by-side.test.ts')(
        'hold what a command changed, too, where git knows it',
        async () => {
          const git = (...args: string[]): Buffer => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: app.workspace });
          await writeFile(join(app.workspace, 'tracked.txt'), BEFORE);
          git('init', '-q');
          git('add', 'tracked.txt');
          git('commit', '-qm', 'start');
          const head = git('rev-parse', 'HEAD').toString();
          rig.all.server.setScript(answering(reply().toolCall('bash', { command: "sed -i 's/two/TWO/' tracked.txt" })));
          await chat.send('Run');
          await chat.waitForPrompt();
          await chat.answer('Allow');
          await chat.waitForIdle();
          await chat.unfold('Changed files');
          await rig.region.getByRole('button', { name: 'Undo tracked.txt' }).waitFor();
          await rig.restoreButton('Files').click();
          await app.waitForFile('tracked.txt', BEFORE);
          expect(git('rev-parse', 'HEAD').toString()).toBe(head);
        },
      );
    });
  });
}
