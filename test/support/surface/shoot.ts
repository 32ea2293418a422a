import type { Page } from 'playwright-core';
import type { HostMessage } from '../../../src/protocol/messages.js';
import { anthropicModels } from '../../../src/provider/anthropic/models.js';
import { demoModel } from '../../../src/provider/demo/provider.js';
import type { CatalogEntry } from '../../../src/models/catalog.js';
import { automaticChoices, effortChoices, modeChoices, modelChoices } from '../../../src/chat/pane/choices.js';
import { type PanelRig, afterGuard, delivered, settled } from '../panel-host/rig.js';
import { type Look, type ThemeName, wear } from './look.js';
import type { Scene } from './scene.js';
import { type Stage, SESSION } from './stage.js';

/** Widths of a side bar, and of an editor tab. */
export const WIDTHS = [260, 300, 480, 1_100] as const;
/** The least width of a tab. */
const TAB_WIDTH = 1_000;
export const HEIGHT = 900;

/** Takes the screenshots of a scene: at each width, in each look. */
export async function shoot(
  rig: PanelRig,
  scene: Scene,
  { looks, widths, folder }: { readonly looks: ReadonlyMap<ThemeName, Look>; readonly widths: readonly number[]; readonly folder: string },
): Promise<void> {
  const stage = await scene.set();
  for (const width of widths) {
    const page = await openAt(rig, width, looks.values().next().value);
    await showStage(page, stage);
    await scene.does?.(page, stage);
    await settled(page);
    await afterGuard(page);
    for (const [theme, look] of looks) {
      await wear(page, look);
      await page.screenshot({ path: `${folder}/${theme}-${width}-${scene.name}.png`, animations: 'disabled' });
    }
    await rig.closePages();
  }
  await stage.close();
}

/** Opens a panel of a width: from some width on in an editor tab. */
export async function openAt(rig: PanelRig, width: number, look?: Look): Promise<Page> {
  const page = await rig.open({ width, height: HEIGHT, ...(width < TAB_WIDTH ? {} : { before: inTab }) });
  if (look !== undefined) await wear(page, look);
  return page;
}

/** Runs in the page, which then is what the host makes of one in an editor tab. */
function inTab(): void {
  const observer = new MutationObserver(() => {
    const { body } = document as { readonly body: HTMLElement | null };
    if (body === null) return;
    body.dataset['tab'] = 'tab-1';
    observer.disconnect();
  });
  observer.observe(document, { subtree: true, childList: true });
}

/** Shows a conversation with what the host tells beside it: the choices there are, the images in it. */
export async function showStage(page: Page, { view, images }: Stage): Promise<void> {
  const entry = (id: string, label: string, models: CatalogEntry['models']): CatalogEntry => ({ source: { id, label } as CatalogEntry['source'], models });
  const model = [...anthropicModels, demoModel].find(({ provider, id }) => `${provider}/${id}` === view.model) ?? demoModel;
  const known =
    model === demoModel ? [entry('demo', 'Demo', [demoModel])] : [entry('demo', 'Demo', [demoModel]), entry('anthropic', 'Anthropic', anthropicModels)];
  const choices: HostMessage = {
    type: 'choices',
    models: [...modelChoices(known, model)],
    automatic: automaticChoices(),
    modes: [...modeChoices()],
    agents: [],
    efforts: [...effortChoices(model)],
  };
  await page.evaluate(
    async ({ session, state, message, bytes }) => {
      await globalThis.panelHost.show(state, session);
      globalThis.panelHost.post(message);
      const asked = (): readonly object[] => globalThis.panelHost.posts.filter(({ type }) => type === 'load_image');
      while (asked().length < bytes.length) await new Promise(requestAnimationFrame);
      for (const [index, which] of asked().entries()) {
        globalThis.panelHost.post({ ...which, type: 'image', session, image: { mimeType: 'image/png', data: new Uint8Array(bytes[index] ?? []) } });
      }
    },
    // Lists of numbers cross to the page, bytes do not.
    { session: SESSION, state: view, message: choices, bytes: images.map((image) => [...image]) },
  );
  await delivered(page);
}
