import { mkdir } from 'node:fs/promises';
import { copySampleWorkspace } from '../vscode/sample-workspace.mjs';
import { gitIn } from '../unit/worktree/rig.js';
import { App } from './app.js';

const README = 'media/readme';
const STATES = 'test-results/screenshots';
const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern' } as const;

/** Plays the job of the demo with agents in each theme, and takes a screenshot of each state. The dark ones of the prompts are those of the documentation. */
export async function main(): Promise<number> {
  await Promise.all([mkdir(README, { recursive: true }), mkdir(STATES, { recursive: true })]);
  for (const [name, theme] of Object.entries(THEMES)) {
    await shootLimit(name, theme);
    const { folder, remove } = await copySampleWorkspace();
    gitIn(folder, 'init', '-q');
    gitIn(folder, 'add', '.');
    gitIn(folder, 'commit', '-qm', 'Sample workspace');
    const app = await App.start({ workspace: folder, settings: { 'workbench.colorTheme': theme }, own: { env: {} } });
    try {
      await shoot(app, name);
    } finally {
      await app.stop();
      await remove();
    }
  }
  console.log(`The screenshots are in ${README} and ${STATES}.`);
  return 0;
}

/** Starts more agents than there may be. */
async function shootLimit(name: string, theme: string): Promise<void> {
  const { folder, remove } = await copySampleWorkspace();
  const app = await App.start({ workspace: folder, settings: { 'workbench.colorTheme': theme, 'gnomon.agents.maxTotal': 2 }, own: { env: {} } });
  try {
    const chat = await app.openChat();
    await app.page.mouse.move(800, 400);
    await chat.send('Have agents look at this project');
    await chat.frame.getByRole('group', { name: 'This chat reached its limit of agents' }).getByRole('button', { name: /Raise/ }).waitFor();
    await app.page.screenshot({ path: `${STATES}/${name}-agents-limit.png` });
    if (name === 'dark') await app.page.screenshot({ path: `${README}/agents-limit.png` });
  } finally {
    await app.stop();
    await remove();
  }
}

async function shoot(app: App, theme: string): Promise<void> {
  const chat = await app.openChat();
  const shot = async (name: string, doc: boolean): Promise<void> => {
    await app.page.screenshot({ path: `${STATES}/${theme}-${name}.png` });
    if (doc && theme === 'dark') await app.page.screenshot({ path: `${README}/${name}.png` });
  };
  await app.page.mouse.move(800, 400);
  await chat.send('Have agents look at this project');
  await chat.waitForPrompt();
  await chat.frame.getByRole('region', { name: 'Agents' }).getByRole('button').first().click();
  await chat.frame.getByRole('treeitem', { name: /Have touching slots/ }).click();
  await chat.frame.getByRole('treeitem', { name: /Find out when slots overlap.*Done/ }).waitFor();
  await shot('agents', true);
  await chat.answer('Allow');
  await chat.frame.getByText('Change 1 file?').waitFor();
  await shot('agents-apply', true);
  await chat.answer('Allow');
  await chat.waitForIdle();
  await app.workbench.openFile('src/slot.js');
  await app.page.locator('.codelens-decoration').first().waitFor();
  await shot('agents-review', false);
  await app.workbench.runCommand('Gnomon: New Chat in a Worktree…');
  await app.page.locator('.quick-input-widget').getByText('main').first().waitFor();
  await shot('worktree-dialog', true);
  await app.page.keyboard.press('Escape');
}
