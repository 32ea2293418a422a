import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ViewPreview } from '../../../src/protocol/view-state.js';
import { violations } from './axe.js';
import { PanelRig, sticksOutAt } from './rig.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

const REASON = 'The MCP server db has changed the description of this tool since you accepted it.';

/** Has a tool of a server ask, and gives its prompt. */
async function ask(page: Page, preview: Extract<ViewPreview, { kind: 'input' }>): Promise<Locator> {
  await page.evaluate(
    ({ shown, reason }) => {
      const call = {
        id: 'asked',
        name: 'mcp__db__query',
        subject: '{"sql":"…"}',
        status: 'awaiting_approval' as const,
        output: '',
        approval: { reasons: shown.changed === undefined ? [] : [reason] },
        preview: shown,
      };
      const answer = { kind: 'answer' as const, id: 'a', blocks: [{ type: 'tool' as const, call }], status: 'streaming' as const, time: '', summary: '' };
      return globalThis.panelHost.show({ title: 'A chat', activity: 'waiting', model: 'm', mode: 'default', usage: '', items: [answer] });
    },
    { shown: preview, reason: REASON },
  );
  return page.getByRole('group', { name: 'Permission required', exact: true });
}

const diff = (lines: number): string =>
  `--- query\n+++ query\n@@ -1,2 +1,${lines + 1} @@\n Description:\n-Reads a table.\n${Array.from({ length: lines }, (_, index) => `+Line ${index} \\u{202e}`).join('\n')}\n`;

describe('a prompt for a tool of a server', () => {
  test('shows all arguments and what the tool calls itself, as text', async () => {
    const page = await rig.open();
    const prompt = await ask(page, { kind: 'input', input: '{\n  "sql": "select 1"\n}', title: '<b>Query</b>' });
    await prompt.getByRole('group', { name: 'Input' }).getByText('"sql": "select 1"').waitFor();
    await prompt.getByText('The tool calls itself “<b>Query</b>”.').waitFor();
    await prompt.getByText('Use query (db)?').waitFor();
    expect(await prompt.getByRole('group', { name: 'Changes' }).count()).toBe(0);
  });

  test('M-32: shows how the tool describes itself now and did before, above the arguments', async () => {
    const page = await rig.open();
    const prompt = await ask(page, { kind: 'input', input: '{}', changed: diff(2) });
    await prompt.getByText(REASON).waitFor();
    const changes = prompt.getByRole('group', { name: 'Changes' });
    await changes.getByText('Line 1 \\u{202e}').waitFor();
    await changes.getByText('Reads a table.').waitFor();
    await prompt.getByText('The arguments of this call:').waitFor();
    await prompt.getByRole('button', { name: 'Allow', exact: true }).click({ trial: true });
    expect(await sticksOutAt(page, [300, 600])).toEqual([]);
    expect(await violations(page)).toEqual([]);
  });

  test('M-32: cannot be allowed before the end of a long change was on screen', async () => {
    const page = await rig.open({ width: 400, height: 700 });
    const prompt = await ask(page, { kind: 'input', input: '{}', changed: diff(200) });
    const allow = prompt.getByRole('button', { name: 'Allow', exact: true });
    await prompt.getByText('Review the rest to allow.').waitFor();
    expect(await allow.isDisabled()).toBe(true);
    await prompt.getByRole('button', { name: 'Scroll to End' }).click();
    await allow.click({ trial: true });
  });
});
