import { readFile } from 'node:fs/promises';
import type { Frame, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../vscode/wait.mjs';
import { App } from './app.js';
import { readManifest } from './manifest.js';
import { says } from '../support/wording.js';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly category: string; readonly title: string }[];
    readonly walkthroughs: readonly { readonly title: string; readonly steps: readonly { readonly title: string }[] }[];
  };
}

const SLOW = { timeout: 60_000 };

/** The text of a frame; none while it is being replaced. */
function textOf(frame: Frame): Promise<string> {
  return frame.evaluate(() => document.body.innerText).catch(() => '');
}

describe('in German', () => {
  let app: App;
  let manifest: Manifest;
  let texts: Readonly<Record<string, string>>;

  beforeAll(async () => {
    [manifest, texts] = await Promise.all([
      readManifest<Manifest>('de'),
      readFile('l10n/bundle.l10n.de.json', 'utf8').then((text) => JSON.parse(text) as Record<string, string>),
    ]);
    app = await App.start({ language: 'de' });
  });
  afterAll(() => app.stop());

  function quickInput(): Locator {
    return app.page.locator('.quick-input-widget');
  }

  async function run(title: string): Promise<void> {
    await app.workbench.runCommand(`Gnomon: ${title}`);
  }

  /** Closes the quick input; a list that comes again after what was asked in it is closed, too. */
  async function close(): Promise<void> {
    await waitFor(
      async () => {
        await app.page.keyboard.press('Escape');
        return quickInput()
          .waitFor({ state: 'hidden', timeout: 1_000 })
          .then(
            () => true,
            () => false,
          );
      },
      { what: 'the quick input to close', timeoutMs: 20_000 },
    );
  }

  it('the palette, the status bar, notifications and selectors speak German', async () => {
    const titles = manifest.contributes.commands.map(({ category, title }) => `${category}: ${title}`);
    // What comes late at the start can take the focus from the palette.
    await app.page.getByRole('button', { name: 'Gnomon ist bereit. Chat öffnen.' }).waitFor(SLOW);
    await app.page.keyboard.press('F1');
    const input = quickInput().getByRole('textbox').or(quickInput().getByRole('combobox')).first();
    // Below a title in another language stands the English one.
    const rows = quickInput().locator('.monaco-list-row').filter({ hasText: 'Gnomon: ' });
    await input.fill('>Gnomon: Neuer Chat');
    await rows.filter({ hasText: 'Gnomon: Neuer Chat' }).first().waitFor();
    await input.fill('>Gnomon: ');
    await rows.nth(4).waitFor();
    const offered = await rows.evaluateAll((all) => all.map((row) => row.querySelector('.label-name')?.textContent ?? ''));
    const own = offered.filter((title) => !title.startsWith('Gnomon: Focus on '));
    expect(own.length).toBeGreaterThan(3);
    expect(own.filter((title) => !titles.includes(title))).toEqual([]);
    await close();
    await run('Zur nächsten Berechtigungsanfrage wechseln');
    await app.workbench.notification('Es gibt keine ausstehenden Berechtigungsanfragen.');
    await run('Berechtigungen verwalten');
    await quickInput().getByText('Regel hinzufügen…').click();
    await quickInput().getByText('Regel hinzufügen (1/3)').waitFor();
    await quickInput().getByText('Fragt in jedem Modus nach').waitFor();
    await close();
  });

  it('the chat gets the German texts and shows what the host says in German', async () => {
    await app.workbench.openView('Gnomon');
    const { frame } = app.chat;
    const start = says('emptyChat');
    await frame.getByRole('heading', { name: texts[start] ?? start }).waitFor(SLOW);
    expect(await frame.locator('html').getAttribute('lang')).toBe('de');
    expect(JSON.parse((await frame.locator('#app').getAttribute('data-texts')) ?? '')).toEqual(texts);
    await frame
      .getByTitle(/Vor Änderungen nachfragen/)
      .first()
      .waitFor();
  });

  it('the walkthrough is in German, its pages too', async () => {
    const [walkthrough] = manifest.contributes.walkthroughs;
    await app.workbench.runCommand('Welcome: Open Walkthrough...');
    await quickInput()
      .getByText(walkthrough?.title ?? '')
      .click();
    const page = app.page.locator('.gettingStartedContainer');
    for (const { title } of walkthrough?.steps ?? []) await page.locator('.getting-started-step').filter({ hasText: title }).waitFor();
    expect(walkthrough?.steps).not.toHaveLength(0);
    await waitFor(async () => (await Promise.all(app.page.frames().map(textOf))).some((text) => text.includes('Demomodell')), {
      what: 'the German page',
      timeoutMs: 60_000,
    });
  });
});
