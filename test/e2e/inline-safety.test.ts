import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { gate } from '../support/model-server/index.js';
import { InlineRig } from './inline-rig.js';

const SLOW = { timeout: 60_000 };
const LINES = Array.from({ length: 12 }, (_, index) => `const line${index + 1} = value(${index + 1});`);
const CHANGED = LINES.map((line, index) => (index === 1 || index === 8 ? line.replace('value', 'other') : line));
const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

describe('E-1 edits in place of files that save themselves', () => {
  let rig: InlineRig;

  beforeAll(async () => {
    rig = await InlineRig.start({ 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 });
  });
  afterAll(() => rig.all.stop());
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await rig.all.app.workbench.screenshot(`failed-${task.name.slice(0, 20).replaceAll(/\W/g, '-')}`);
  });

  it('are shown beside the file, and reach it hunk by hunk as they are kept', async () => {
    await rig.open('saved.ts', textOf(LINES));
    await rig.select(1, 12);
    rig.answer(textOf(CHANGED));
    await rig.ask('Use other');
    await rig.says('2 changes.');
    const preview = rig.page.locator('.tab', { hasText: 'now ↔ with the edit' });
    await preview.waitFor(SLOW);
    await rig.page.locator('.monaco-diff-editor').getByText('other').first().waitFor(SLOW);
    await rig.all.app.workbench.screenshot('inline-staged');
    expect((await rig.bytes('saved.ts')).toString()).toBe(textOf(LINES));
    // In the file's own tab the hunks can be decided about one by one.
    await rig.all.app.workbench.openFile('saved.ts');
    await rig.lens('Keep').nth(1).click(SLOW);
    await rig.says('1 change.');
    const one = textOf(LINES.map((line, index) => (index === 8 ? (CHANGED[index] ?? '') : line)));
    await rig.all.app.waitForFile('saved.ts', one);
    await rig.lens('Discard').first().click(SLOW);
    await rig.prompt.waitFor({ state: 'detached', ...SLOW });
    await preview.waitFor({ state: 'detached', ...SLOW });
    expect((await rig.bytes('saved.ts')).toString()).toBe(one);
  });
});

describe('E-1 permission for edits in place', () => {
  let rig: InlineRig;

  beforeAll(async () => {
    rig = await InlineRig.start({ 'gnomon.permissions.deny': ['Edit(denied.ts)'], 'gnomon.permissions.ask': ['Edit(asked.ts)'] });
  });
  afterAll(() => rig.all.stop());
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await rig.all.app.workbench.screenshot(`failed-${task.name.slice(0, 20).replaceAll(/\W/g, '-')}`);
  });

  it('a file that a rule denies is refused before the model is asked', async () => {
    await rig.open('denied.ts', textOf(LINES));
    await rig.select(1, 12);
    const before = rig.all.server.requests.length;
    rig.answer(textOf(CHANGED));
    await rig.ask('Use other');
    await rig.says(/may not change this file.*Edit\(denied\.ts\)/);
    expect(rig.all.server.requests).toHaveLength(before);
    await rig.prompt.getByRole('button', { name: 'Close the Edit' }).click();
    await rig.prompt.waitFor({ state: 'detached', ...SLOW });
  });

  it('a file that a rule asks about is changed when the person allows it, and not a hunk before', async () => {
    await rig.open('asked.ts', textOf(LINES));
    await rig.select(1, 12);
    const hold = gate();
    const whole = textOf(CHANGED);
    const half = whole.indexOf('const line7 ');
    rig.answer(whole.slice(0, half), hold, whole.slice(half));
    await rig.ask('Use other');
    await hold.reached;
    hold.open();
    const told = await rig.all.app.workbench.notification('Gnomon needs your permission');
    await rig.shows(textOf(LINES));
    await told.getByRole('button', { name: 'Show' }).click();
    await rig.all.chat.prompt.getByRole('button', { name: 'Allow', exact: true }).click(SLOW);
    await rig.says('2 changes.');
    await rig.shows(textOf(CHANGED));
  });
});
