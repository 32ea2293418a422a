import type { Page } from 'playwright-core';
import type { Log } from '../../src/domain/log.js';
import type { Message } from '../../src/domain/model/message.js';
import type { PanelMessage } from '../../src/protocol/messages.js';
import { emptyViewState } from '../../src/protocol/view-state.js';
import { Panel } from '../../src/chat/pane/panel.js';
import { itemsOf } from '../../src/chat/projection/transcript-items.js';
import { ViewLog } from '../../src/chat/projection/view-log.js';
import type { PanelHost } from '../support/panel-host/page.js';

declare const panelHost: PanelHost;

const silent = (): void => undefined;
/** A log that keeps nothing. */
export const NO_LOG = { debug: silent, info: silent, warn: silent, error: silent } as unknown as Log;

/** The extension's own half of a panel, outside of a page with the panel's bundle. */
export class OuterHost {
  private readonly panel: Panel;

  private constructor(page: Page) {
    const webview = { postMessage: (message: unknown) => page.evaluate((value) => panelHost.post(value), message).then(() => true) };
    this.panel = new Panel(webview, NO_LOG);
  }

  /** Opens the page. Resolves when the whole panel is loaded and shows an empty conversation. */
  static async open(page: Page, url: string): Promise<OuterHost> {
    const host = new OuterHost(page);
    await page.exposeFunction('outerHost', (message: PanelMessage) => host.receive(message));
    host.show('empty', []);
    await page.goto(url);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.getByText('What are we building?').waitFor();
    await page.getByRole('button', { name: /^Model:/ }).waitFor();
    return host;
  }

  /** Shows a stored conversation, as the extension does when the person opens one. */
  show(id: string, messages: readonly Message[]): void {
    const view = new ViewLog({ ...emptyViewState('demo/scripted', 'default'), items: itemsOf(messages, {}) }, id);
    this.panel.show({ id, view });
  }

  private receive(raw: PanelMessage): void {
    const message = this.panel.receive(raw);
    if (message?.type === 'ready') this.panel.attach(message.attached);
    if (message?.type === 'load_items') this.panel.sendItems(message.start, message.count);
    if (message?.type === 'find_item') this.panel.sendItem(message.item);
    if (message?.type === 'ready')
      this.panel.post({
        type: 'choices',
        models: [{ id: 'demo/scripted', label: 'Demo' }],
        automatic: [],
        modes: [{ id: 'default', label: 'Ask' }],
        agents: [],
        efforts: [],
      });
  }
}
