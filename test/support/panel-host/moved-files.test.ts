import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ViewToolCall } from '../../../src/protocol/view-state.js';
import { PanelRig, postsOf } from './rig.js';
import { answerWith, state } from './scene-parts.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

const DELETION: Partial<ViewToolCall> = {
  subject: 'src/a.ts',
  topic: { action: 'delete', what: 'src/a.ts' },
  preview: { kind: 'diff', path: '/ws/src/a.ts', diff: '--- src/a.ts\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n', created: false, deleted: true },
};
const MOVE: Partial<ViewToolCall> = {
  subject: 'src/a.ts → lib/b.ts',
  topic: { action: 'move', what: 'src/a.ts', where: 'lib/b.ts' },
  preview: { kind: 'diff', path: '/ws/lib/b.ts', from: '/ws/src/a.ts', diff: '--- src/a.ts\n+++ lib/b.ts\n@@ -1 +1 @@\n-one\n+two\n', created: false },
};
const MOVE_ALONE: Partial<ViewToolCall> = { ...MOVE, preview: { kind: 'diff', path: '/ws/lib/b.ts', from: '/ws/src/a.ts', diff: '', created: false } };

const callOf = (over: Partial<ViewToolCall>): ViewToolCall => ({ id: 'c', name: 'apply_patch', subject: '', status: 'done', output: '', ...over });

/** A page with one call, which asks or is over. */
async function showing(over: Partial<ViewToolCall>): Promise<Page> {
  const page = await rig.open();
  const asks = over.approval !== undefined;
  const shown = state([answerWith([{ type: 'tool', call: callOf(over) }], { status: asks ? 'streaming' : 'complete' })], {
    activity: asks ? 'waiting' : 'idle',
  });
  await page.evaluate((next) => globalThis.panelHost.show(next), shown);
  return page;
}

const asking = (over: Partial<ViewToolCall>): Promise<Page> => showing({ ...over, status: 'awaiting_approval', approval: { reasons: [] } });
const promptOf = (page: Page): Locator => page.getByRole('group', { name: 'Permission required', exact: true });
const linesOf = (scope: Locator): Promise<readonly string[]> => scope.getByRole('group', { name: 'Changes' }).locator('.line').allTextContents();

describe('files that are deleted and moved', () => {
  test.each([
    ['a deletion with all that goes', DELETION, 'Delete src/a.ts?', ['one', 'two']],
    ['a move with both ends and the difference', MOVE, 'Move src/a.ts to lib/b.ts and edit it?', ['one', 'two']],
  ] as const)('a prompt shows %s, and tells it to screen readers', async (_what, call, question, lines) => {
    const page = await asking(call);
    const prompt = promptOf(page);
    await prompt.getByText(question, { exact: true }).waitFor();
    expect(await prompt.evaluate((element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent)).toBe(question);
    await page
      .getByRole('alert')
      .filter({ hasText: `Permission required: ${question.replace(' and edit it', '')}` })
      .waitFor();
    await prompt.locator('.line').nth(1).waitFor();
    for (const [index, line] of (await linesOf(prompt)).entries()) expect(line).toContain(lines[index]);
    expect(await prompt.getByRole('button', { name: 'Open Diff' }).count()).toBe(0);
  });

  test('a move without another text shows both ends, and can be allowed', async () => {
    const page = await asking(MOVE_ALONE);
    const prompt = promptOf(page);
    await prompt.getByText('Move src/a.ts to lib/b.ts?', { exact: true }).waitFor();
    await prompt.getByText('src/a.ts → lib/b.ts').waitFor();
    expect(await prompt.getByRole('group', { name: 'Changes' }).count()).toBe(0);
    await prompt.getByRole('button', { name: 'Allow', exact: true }).click();
    await expect.poll(() => postsOf(page)).toMatchObject([{ type: 'answer_approval', callId: 'c', answer: 'allow' }]);
  });

  test.each([
    ['deleted', DELETION, 'Deleted src/a.ts', '+0 −2'],
    ['moved and changed', MOVE, 'Moved src/a.ts to lib/b.ts', '+1 −1'],
  ] as const)('a file that was %s is told in words, with its difference below', async (_what, call, words, counts) => {
    const page = await showing(call);
    const card = page.getByRole('group', { name: words, exact: true });
    await card.getByRole('button').click();
    await card.locator('.line').nth(1).waitFor();
    expect((await card.getByRole('button').textContent())?.replace(/\s+/g, ' ')).toContain(counts);
  });

  test('a file that was moved as it is says that its content is the same', async () => {
    const page = await showing(MOVE_ALONE);
    const card = page.getByRole('group', { name: 'Moved src/a.ts to lib/b.ts', exact: true });
    await card.getByRole('button').click();
    await card.getByText('The content is unchanged.').waitFor();
    expect(await card.getByRole('button').textContent()).not.toMatch(/\d/);
  });

  test('a moved file that waits to be kept says where it was', async () => {
    const page = await rig.open();
    const file = { path: '/ws/lib/b.ts', display: 'lib/b.ts', status: 'changed' as const, movedFrom: 'src/a.ts', added: 0, removed: 0 };
    await page.evaluate((next) => globalThis.panelHost.show(next), state([], { changes: [file] }));
    const region = page.getByRole('region', { name: 'Changed files', exact: true });
    await region.getByRole('button', { expanded: false }).click();
    await region.getByRole('listitem').filter({ hasText: 'Moved from src/a.ts:' }).waitFor();
  });
});
