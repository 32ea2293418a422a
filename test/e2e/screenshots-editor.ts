import { mkdir } from 'node:fs/promises';
import { gate, lastUserText, reply } from '../support/model-server/index.js';
import { InlineRig } from './inline-rig.js';

const README = 'media/readme';
const STATES = 'test-results/screenshots';
const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern', 'high-contrast': 'Default High Contrast' } as const;

const BEFORE = `export function total(prices) {
  var sum = 0;
  for (var i = 0; i < prices.length; i++) {
    sum = sum + prices[i];
  }
  return sum;
}

export function average(prices) {
  return total(prices) / prices.length;
}
`;
const AFTER = `/** The sum of all prices; 0 of none. */
export function total(prices) {
  return prices.reduce((sum, price) => sum + price, 0);
}

export function average(prices) {
  if (prices.length === 0) return 0;
  return total(prices) / prices.length;
}
`;

/** Takes screenshots of an edit in place and of a suggestion, in each theme. The dark ones are those of the documentation. */
export async function main(): Promise<number> {
  await Promise.all([mkdir(README, { recursive: true }), mkdir(STATES, { recursive: true })]);
  for (const [name, theme] of Object.entries(THEMES)) {
    const rig = await InlineRig.start({
      'workbench.colorTheme': theme,
      'gnomon.completions.enabled': true,
      'gnomon.completions.model': 'anthropic/claude-haiku-5-5',
    });
    try {
      await shootEdit(rig, name);
      await shootSuggestion(rig, name);
      await shootNextEdits(rig, name);
    } finally {
      await rig.all.stop();
    }
  }
  console.log(`The screenshots are in ${README} and ${STATES}.`);
  return 0;
}

async function shootEdit(rig: InlineRig, theme: string): Promise<void> {
  await rig.open('prices.js', BEFORE);
  await rig.editor.select(1, 11);
  const hold = gate();
  const [first = '', rest = ''] = AFTER.split(/(?=^export function average)/m);
  rig.answer(first, hold, rest);
  await rig.openPrompt();
  await rig.prompt.getByText('Claude').waitFor();
  await saveWindow(rig, theme, 'edit-prompt-empty');
  await rig.page.keyboard.type('Write this as one would today, and mind empty lists');
  await saveWindow(rig, theme, 'edit-prompt');
  await rig.page.keyboard.press('Enter');
  await rig.says('so far');
  await saveWindow(rig, theme, 'edit-running');
  hold.open();
  await rig.lens('Keep All').waitFor();
  await rig.lens('Keep').first().waitFor();
  await save(rig, theme, 'edit');
  await rig.lens('Revise…').click();
  await rig.untilFocused();
  await saveWindow(rig, theme, 'edit-revise');
  await rig.page.keyboard.press('Escape');
}

/** A screenshot of the window but for its bottom. */
async function saveWindow({ page }: InlineRig, theme: string, name: string): Promise<void> {
  await page.screenshot({ path: `${STATES}/${theme}-${name}.png` });
}

async function shootSuggestion(rig: InlineRig, theme: string): Promise<void> {
  rig.all.server.setScript(() => reply().text(' prices.filter((price) => price > limit);\n}'));
  await rig.open('limit.js', '/** The prices above a limit. */\nexport function above(prices, limit) {\n');
  await rig.editor.goTo(3);
  await rig.page.keyboard.type('  return', { delay: 40 });
  await rig.page.locator('.ghost-text-decoration, .ghost-text').first().waitFor({ timeout: 30_000 });
  await save(rig, theme, 'suggestion');
  await rig.all.app.workbench.runCommand('File: Revert File');
}

const RENAMED = `const pricesOfDay = read('prices.json');
const limit = 10;

export function cheapest() {
  return Math.min(...prices);
}

export function isCheap(price) {
  return price < limit;
}
`;
/** What the next edit can be, by the name of its screenshot. */
const NEXT_EDITS = {
  'next-edit': 'REPLACE 5-5\n  return Math.min(...pricesOfDay);\n=== END ===',
  'next-edit-lines':
    "REPLACE 4-6\n/** The least price. */\nexport function cheapest(list) {\n  if (list.length === 0) throw new Error('There is no price.');\n  return Math.min(...list);\n}\n=== END ===",
  'next-edit-removed': 'REPLACE 8-10\n=== END ===',
} as const;

async function shootNextEdits(rig: InlineRig, theme: string): Promise<void> {
  await rig.all.app.workbench.runCommand('Gnomon: Toggle Next Edit Predictions');
  for (const [name, answer] of Object.entries(NEXT_EDITS)) {
    rig.all.server.setScript(({ body }) => reply().text(lastUserText(body).includes('What is the next change?') ? answer : ''));
    await rig.open(`${name}.js`, RENAMED.replace('pricesOfDay', 'prices'));
    await rig.editor.goTo(1);
    for (let at = 0; at < 'const prices'.length; at += 1) await rig.page.keyboard.press('ArrowRight');
    await rig.page.keyboard.type('OfDay', { delay: 40 });
    const status = rig.page.locator('.statusbar').getByRole('button', { name: /The next edit is/ });
    await status.waitFor({ timeout: 30_000 });
    await save(rig, theme, `${name}-elsewhere`, false);
    await rig.page.keyboard.press('Tab');
    await rig.lens('Accept Edit').waitFor({ timeout: 30_000 });
    await save(rig, theme, name, name === 'next-edit');
    await rig.page.keyboard.press('Escape');
    await status.waitFor({ state: 'hidden' });
    await rig.all.app.workbench.runCommand('File: Revert File');
  }
  await rig.all.app.workbench.runCommand('Gnomon: Toggle Next Edit Predictions');
}

/** A screenshot of the editor alone. @param documented whether it belongs to the documentation too */
async function save({ page }: InlineRig, theme: string, name: string, documented = true): Promise<void> {
  const editor = page.locator('.editor-group-container.active');
  await editor.screenshot({ path: `${STATES}/${theme}-${name}.png` });
  if (documented && theme === 'dark') await editor.screenshot({ path: `${README}/${name}.png` });
}
