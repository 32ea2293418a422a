import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answering, reply } from '../support/model-server/index.js';
import { type Look, type ThemeName, THEMES, lookOf } from '../support/surface/look.js';
import { waitFor } from '../vscode/wait.mjs';
import { untilPromptTakesKeys } from './surface-prompt.js';
import { type WithModel, startWithModel } from './with-model.js';

/** What the model makes of the file when it is asked in the chat, and of its selected lines when it is asked in the editor. */
const FILE = 'slots.js';
const BEFORE = `import { lengthOf } from './lengths.js';

/** Whether two slots have a minute in common. */
export function overlaps(a, b) {
  return a.start <= b.end && b.start <= a.end;
}

/** Whether a slot lies wholly within another one. */
export function within(inner, outer) {
  const after = inner.start >= outer.start;
  return after && inner.end <= outer.end;
}

/** The longest of some slots. */
export function longest(slots) {
  return slots.reduce((best, each) => (lengthOf(each) > lengthOf(best) ? each : best));
}
`;
const AFTER = BEFORE.replace(
  '  return a.start <= b.end && b.start <= a.end;',
  '  if (isEmpty(a) || isEmpty(b)) return false;\n  return a.start < b.end && b.start < a.end;',
).replace(
  '  const after = inner.start >= outer.start;\n  return after && inner.end <= outer.end;',
  '  return outer.start <= inner.start && inner.end <= outer.end;',
);
/** The lines that are selected: both functions that change. */
const [FIRST, LAST] = [3, 12] as const;
const ASKED = 'Make slots half-open';
const SLOW_MS = 60_000;

/** Takes screenshots of what shows in the editor, in each theme, and gives the looks that a panel has there. */
export async function shootEditor(folder: string): Promise<Readonly<Record<ThemeName, Look>>> {
  const looks: Partial<Record<ThemeName, Look>> = {};
  for (const [name, theme] of Object.entries(THEMES) as [ThemeName, string][]) {
    console.log(`editor: ${name}`);
    const all = await startWithModel({ 'workbench.colorTheme': theme, 'gnomon.permissionMode': 'acceptEdits', 'editor.quickSuggestions': { other: 'off' } });
    try {
      await shootInline(all, `${folder}/${name}-editor`);
      await shootAgent(all, `${folder}/${name}-editor`);
      looks[name] = await lookOf(all.chat.frame);
    } finally {
      await all.stop();
    }
  }
  return looks as Record<ThemeName, Look>;
}

/** The prompt of an edit in place, and what came of it. */
async function shootInline({ app, server }: WithModel, path: string): Promise<void> {
  const inline = lines(AFTER, FIRST, LAST + AFTER.split('\n').length - BEFORE.split('\n').length);
  server.setScript(answering(reply().toolCall('edit_selection', { new_text: inline })));
  await writeFile(join(app.workspace, FILE), BEFORE);
  await app.workbench.openFile(FILE);
  await app.workbench.editor.select(FIRST, LAST);
  await app.page.keyboard.press('Control+Alt+k');
  await untilPromptTakesKeys(app.page);
  await app.page.keyboard.type(ASKED);
  await app.page.screenshot({ path: `${path}-19a-inline-prompt.png` });
  await app.page.keyboard.press('Enter');
  await untilOffered(app);
  await app.page.screenshot({ path: `${path}-19b-inline-hunks.png` });
  await app.workbench.runCommand('File: Revert File');
  await app.workbench.closeEditors();
}

/** What an agent has changed, in the editor with its chat. */
async function shootAgent({ app, chat, server }: WithModel, path: string): Promise<void> {
  const name = 'src/slots.js';
  await mkdir(join(app.workspace, 'src'), { recursive: true });
  await writeFile(join(app.workspace, name), BEFORE);
  server.setScript(
    answering(
      reply().text('I compare with `<`.').toolCall('read', { file_path: name }).toolCall('write', { file_path: name, content: AFTER }),
      'Slots are half-open now.',
    ),
  );
  await chat.send(ASKED);
  await app.waitForFile(name, AFTER);
  await chat.waitForIdle();
  await app.workbench.openFile(name);
  await untilOffered(app);
  await app.page.screenshot({ path: `${path}-19c-agent-edits.png` });
}

/** Waits until the editor offers to keep what changed, and nothing is drawn any more. */
async function untilOffered({ page }: WithModel['app']): Promise<void> {
  const offers = page
    .locator('.part.editor')
    .getByText(/^\W*Keep\b/)
    .or(page.locator('.part.editor').getByRole('button', { name: /^Keep\b/ }));
  await offers.first().waitFor({ timeout: SLOW_MS });
  let before = '';
  const isStill = async (): Promise<boolean> => {
    const [now, last] = [(await page.screenshot()).toString('base64'), before];
    before = now;
    return now === last;
  };
  await waitFor(isStill, { what: 'the window to be still', timeoutMs: SLOW_MS, intervalMs: 500 });
}

function lines(text: string, first: number, last: number): string {
  return `${text
    .split('\n')
    .slice(first - 1, last)
    .join('\n')}\n`;
}
