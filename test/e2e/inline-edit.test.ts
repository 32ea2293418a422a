import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Gate } from '../support/model-server/index.js';
import { gate, lastToolResults, lastUserText, reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { InlineRig } from './inline-rig.js';

const SLOW = { timeout: 60_000 };
const LINES = Array.from({ length: 20 }, (_, index) => `const line${index + 1} = value(${index + 1});`);
/** The same with five lines changed, far from each other. */
const CHANGED = LINES.map((line, index) => (index % 4 === 1 ? line.replace('value', 'other') : line));
const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** A text in two pieces, with a gate before a line. */
function heldBefore(text: string, line: string): { readonly hold: Gate; readonly pieces: readonly (string | Gate)[] } {
  const hold = gate();
  const at = text.indexOf(line);
  return { hold, pieces: [text.slice(0, at), hold, text.slice(at)] };
}

/** Whether the model was told what came of its edit. */
function toolTold(rig: InlineRig): boolean {
  return JSON.stringify(rig.latest()).includes('Done. The person sees');
}

describe('E-1 edits in place', () => {
  let rig: InlineRig;

  beforeAll(async () => {
    rig = await InlineRig.start();
  });
  afterAll(() => rig.all.stop());
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await rig.all.app.workbench.screenshot(`failed-${task.name.slice(0, 20).replaceAll(/\W/g, '-')}`);
  });
  beforeEach(async () => {
    const { workbench } = rig.all.app;
    await workbench.runCommand('File: Save All Files');
    await workbench.runCommand('View: Close All Editors');
  });

  /** Asks for the five changes; the model stops before the third. */
  async function askForFive(name: string, text = textOf(LINES)): Promise<Gate> {
    await rig.open(name, text);
    await rig.select(1, 20);
    const { hold, pieces } = heldBefore(textOf(CHANGED), 'const line9 ');
    rig.answer(...pieces);
    await rig.ask('Use other in every fourth line');
    await hold.reached;
    await rig.says('2 changes so far');
    return hold;
  }

  it('stream hunks into the editor; each can be kept and undone by itself, the rest at once', async () => {
    const hold = await askForFive('hunks.ts');
    await rig.shows(textOf([...CHANGED.slice(0, 8), ...LINES.slice(8)]));
    expect(lastUserText(rig.latest())).toContain('Use other in every fourth line');
    hold.open();
    await rig.says('5 changes.');
    await rig.shows(textOf(CHANGED));
    // Nothing is on the disk yet.
    expect((await rig.bytes('hunks.ts')).toString()).toBe(textOf(LINES));
    await rig.lens('Keep').nth(4).waitFor(SLOW);
    await rig.lens('Undo').nth(1).click();
    await rig.says('4 changes.');
    await rig.lens('Keep').first().click();
    await rig.says('3 changes.');
    await rig.goTo(14);
    await rig.page.keyboard.press('Control+Alt+Backspace');
    await rig.says('2 changes.');
    await rig.goTo(18);
    await rig.page.keyboard.press('Control+Alt+Enter');
    await rig.says('1 change.');
    await rig.prompt.getByRole('button', { name: 'Undo the Edit' }).click();
    await rig.prompt.waitFor({ state: 'detached', ...SLOW });
    const kept = LINES.map((line, index) => (index === 1 || index === 17 ? (CHANGED[index] ?? '') : line));
    await rig.saves('hunks.ts', textOf(kept));
  });

  it('are one step to undo, and what was typed before and after is not part of it', async () => {
    await rig.open('step.ts', textOf(LINES));
    await rig.goTo(1);
    await rig.page.keyboard.type('before();\n');
    await rig.select(2, 21);
    rig.answer(textOf(CHANGED));
    await rig.ask('Use other');
    await rig.says('5 changes.');
    await rig.goTo(1);
    await rig.page.keyboard.type('after;');
    const whole = (middle: readonly string[], after: boolean): string => `${after ? 'after;' : ''}before();\n${textOf(middle)}`;
    await rig.shows(whole(CHANGED, true));
    await rig.undo();
    await rig.shows(whole(CHANGED, false));
    await rig.undo();
    await rig.shows(whole(LINES, false));
    await rig.prompt.waitFor({ state: 'detached', ...SLOW });
    await rig.saves('step.ts', whole(LINES, false));
  });

  it('lose nothing that is typed meanwhile; undoing them takes back exactly what Gnomon did', async () => {
    const hold = await askForFive('typing.ts', `${textOf(LINES)}// tail\n`);
    await rig.goTo(1);
    await rig.page.keyboard.type('mineAbove();\n');
    await rig.page.keyboard.press('Control+End');
    await rig.page.keyboard.type('mineBelow();');
    const whole = (middle: readonly string[]): string => `mineAbove();\n${textOf(middle)}// tail\nmineBelow();`;
    await rig.saves('typing.ts', whole([...CHANGED.slice(0, 8), ...LINES.slice(8)]));
    hold.open();
    await rig.says('5 changes.');
    await rig.page.keyboard.type(' still();');
    await rig.saves('typing.ts', `${whole(CHANGED)} still();`);
    await rig.prompt.getByRole('button', { name: 'Undo the Edit' }).click();
    await rig.prompt.waitFor({ state: 'detached', ...SLOW });
    await rig.saves('typing.ts', `${whole(LINES)} still();`);
  });

  it.each([
    ['crlf.ts', Buffer.from(LINES.join('\r\n'))],
    ['utf16.ts', Buffer.from(`\uFEFF${LINES.join('\r\n')}\r\n`, 'utf16le')],
  ])('E-1 Escape in mid-stream restores %s byte by byte', async (name, bytes) => {
    await rig.open(name, bytes);
    await rig.select(1, 20);
    const { hold, pieces } = heldBefore(CHANGED.join('\n'), 'const line9 ');
    rig.answer(...pieces);
    await rig.ask('Use other');
    await hold.reached;
    await rig.says('2 changes so far');
    await rig.shows([...CHANGED.slice(0, 8), ...LINES.slice(8)].join('\n'));
    await rig.focusEditor();
    await rig.page.keyboard.press('Escape');
    await rig.prompt.waitFor({ state: 'detached', ...SLOW });
    await rig.shows(LINES.join('\n'));
    await rig.page.locator(`.tab.active[data-resource-name="${name}"]:not(.dirty)`).waitFor();
    await rig.all.app.workbench.runCommand('File: Save');
    await rig.all.app.waitForFile(name, bytes);
    hold.open();
  });

  it('write where nothing is yet, and change what they wrote when that is asked for', async () => {
    await rig.open('blank.ts', 'const first = 1;\n\nconst last = 3;\n');
    await rig.goTo(2);
    rig.answer('const second = 2;\nconst half = 2.5;');
    await rig.ask('Declare second');
    await rig.says('1 change.');
    await rig.shows('const first = 1;\nconst second = 2;\nconst half = 2.5;\nconst last = 3;\n');
    rig.answer('const second = 2;');
    await rig.reply('Without half');
    await rig.shows('const first = 1;\nconst second = 2;\nconst last = 3;\n');
    await rig.says('1 change.');
    await rig.prompt.getByRole('button', { name: 'Keep the Edit' }).click();
    await rig.prompt.waitFor({ state: 'detached', ...SLOW });
    await rig.saves('blank.ts', 'const first = 1;\nconst second = 2;\nconst last = 3;\n');
  });

  it('wait with what is said before the model has said its last word, and lose nothing of it', async () => {
    await rig.open('twice.ts', textOf(LINES.slice(0, 3)));
    await rig.select(1, 3);
    const hold = gate();
    const [first, second] = ['const once = 1;', 'const twice = 2;'].map((code) => reply().toolCall('edit_selection', { new_text: `${code}\n` }));
    rig.all.server.setScript(({ body }) => (lastToolResults(body).length > 0 ? reply().text('Almost ', hold, 'done.') : first ?? reply()));
    await rig.ask('Once');
    await hold.reached;
    await rig.shows('const once = 1;\n');
    const before = rig.all.server.requests.length;
    await rig.reply('Twice');
    await rig.says('Getting ready…');
    expect(rig.all.server.requests).toHaveLength(before);
    rig.script(second ?? reply());
    hold.open();
    await rig.shows('const twice = 2;\n');
    await rig.says('1 change.');
    await rig.prompt.getByRole('button', { name: 'Undo the Edit' }).click();
    await rig.prompt.waitFor({ state: 'detached', ...SLOW });
    await rig.saves('twice.ts', textOf(LINES.slice(0, 3)));
  });

  it('survive that another tab is shown meanwhile', async () => {
    const hold = await askForFive('hidden.ts');
    await rig.all.app.workbench.openFile('src/slot.js');
    hold.open();
    const lost = rig.page.locator('.tab[data-resource-name="hidden.ts"]');
    await lost.click();
    await rig.says('5 changes.');
    await rig.shows(textOf(CHANGED));
    await rig.prompt.getByRole('button', { name: 'Undo the Edit' }).click();
    await rig.prompt.waitFor({ state: 'detached', ...SLOW });
    await rig.saves('hidden.ts', textOf(LINES));
  });

  it('that break off leave nothing behind, and say so', async () => {
    await rig.open('broken.ts', textOf(LINES));
    await rig.select(1, 20);
    const cut = textOf(CHANGED).slice(0, textOf(CHANGED).indexOf('const line9 '));
    rig.script(reply().toolCall('edit_selection', {}, { chunks: [`{"new_text":${JSON.stringify(cut).slice(0, -1)}`] }).stop('max_tokens'));
    await rig.ask('Use other');
    await rig.says(/Nothing was changed\. .*length limit/);
    await rig.shows(textOf(LINES));
    rig.all.server.setScript(() => reply().text('Which other do you mean?'));
    await rig.reply('Use other');
    await rig.says('Which other do you mean?');
    await rig.prompt.getByRole('button', { name: 'Close the Edit' }).click();
    await rig.prompt.waitFor({ state: 'detached', ...SLOW });
  });

  it('go on in the chat, which has the whole conversation', async () => {
    await rig.open('chat.ts', textOf(LINES));
    await rig.select(1, 20);
    rig.answer(textOf(CHANGED));
    await rig.ask('Use other in five lines');
    await rig.says('5 changes.');
    await waitFor(() => toolTold(rig), { what: 'the end of the turn', timeoutMs: 30_000 });
    await rig.prompt.getByRole('button', { name: 'Open the Edit in the Chat' }).click();
    await rig.all.chat.waitForText('Use other in five lines');
    await rig.all.chat.waitForText('edit_selection');
  });
});
