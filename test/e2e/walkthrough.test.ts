import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { App } from './app.js';
import { readManifest } from './manifest.js';

interface Manifest {
  readonly contributes: { readonly walkthroughs: readonly { readonly title: string; readonly steps: readonly { readonly title: string }[] }[] };
}

describe('the walkthrough', () => {
  let app: App;
  beforeAll(async () => {
    app = await App.start({ own: { env: {} } });
  });
  afterAll(() => app.stop());

  it('shows every step, and its first button opens the chat', async () => {
    const { contributes } = await readManifest<Manifest>();
    const [walkthrough] = contributes.walkthroughs;
    await app.workbench.runCommand('Welcome: Open Walkthrough...');
    await app.page.locator('.quick-input-widget').getByText(walkthrough?.title ?? '').click();
    const page = app.page.locator('.gettingStartedContainer');
    for (const { title } of walkthrough?.steps ?? []) await page.locator('.getting-started-step').filter({ hasText: title }).waitFor();
    expect(walkthrough?.steps).not.toHaveLength(0);
    await page.getByRole('button', { name: 'Open the chat', exact: true }).click();
    await app.chat.message.waitFor({ timeout: 60_000 });
  });
});
