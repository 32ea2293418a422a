import { mkdir } from 'node:fs/promises';
import { reply } from '../support/model-server/index.js';
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

/** Takes pictures of an edit in place and of a suggestion, in each theme. The dark ones are those of the documentation. */
export async function main(): Promise<number> {
  await Promise.all([mkdir(README, { recursive: true }), mkdir(STATES, { recursive: true })]);
  for (const [name, theme] of Object.entries(THEMES)) {
    const rig = await InlineRig.start({ 'workbench.colorTheme': theme, 'gnomon.completions.enabled': true, 'gnomon.completions.model': 'anthropic/claude-haiku-5-5' });
    try {
      await shootEdit(rig, name);
      await shootSuggestion(rig, name);
    } finally {
      await rig.all.stop();
    }
  }
  console.log(`The pictures are in ${README} and ${STATES}.`);
  return 0;
}

async function shootEdit(rig: InlineRig, theme: string): Promise<void> {
  await rig.open('prices.js', BEFORE);
  await rig.select(1, 11);
  rig.answer(AFTER);
  await rig.ask('Write this as one would today, and mind empty lists');
  await rig.says(/change/);
  await rig.lens('Keep').first().waitFor();
  await save(rig, theme, 'edit');
}

async function shootSuggestion(rig: InlineRig, theme: string): Promise<void> {
  rig.all.server.setScript(() => reply().text(' prices.filter((price) => price > limit);\n}'));
  await rig.open('limit.js', '/** The prices above a limit. */\nexport function above(prices, limit) {\n');
  await rig.goTo(3);
  await rig.page.keyboard.type('  return', { delay: 40 });
  await rig.page.locator('.ghost-text-decoration, .ghost-text').first().waitFor({ timeout: 30_000 });
  await save(rig, theme, 'suggestion');
  await rig.all.app.workbench.runCommand('File: Revert File');
}

/** A picture of the editor alone. */
async function save({ page }: InlineRig, theme: string, name: string): Promise<void> {
  const editor = page.locator('.editor-group-container.active');
  await editor.screenshot({ path: `${STATES}/${theme}-${name}.png` });
  if (theme === 'dark') await editor.screenshot({ path: `${README}/${name}.png` });
}
