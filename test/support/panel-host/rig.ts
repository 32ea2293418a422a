import { type Browser, type BrowserContext, type BrowserContextOptions, type Locator, type Page, type Request, chromium } from 'playwright-core';
import type { PanelMessage } from '../../../src/protocol/messages.js';
import type { ViewToolCall } from '../../../src/protocol/view-state.js';
import { GUARD_MS } from '../../../webview/state/approval/key-guard.js';
import { WITHOUT_OPTIMIZERS } from '../../vscode/browser.mjs';
import { ensureChromium } from '../../vscode/chromium.mjs';
import { followPage, isCoverageMeasured, savePage } from '../coverage/page.js';
import { ALL_RUNS } from '../runs.js';
import type { PanelHost } from './page.js';
import { type PanelHostServer, startPanelHost } from './server.mjs';

declare global {
  /** Made by `page.ts` in the page. */
  var panelHost: PanelHost;
}

/** Options of {@link PanelRig.open}. */
export interface OpenOptions {
  readonly theme?: 'dark' | 'light' | 'high-contrast' | 'high-contrast-light';
  readonly width?: number;
  readonly height?: number;
  /** Device pixels to a pixel of the page; in VS Code, what a zoomed window has. */
  readonly zoom?: number;
  readonly scene?: string;
  /** Language of the page, with the translations that the host puts into it, as JSON or what should be. English unless given. */
  readonly language?: string;
  readonly texts?: string;
  /** Runs in the page before anything else. */
  readonly before?: () => void;
  /** What the system asks of pages. */
  readonly media?: Pick<BrowserContextOptions, 'forcedColors' | 'reducedMotion'>;
  /** Whether nothing else has used the page and nothing will: for its clock, routes, listeners, changes of media, what is measured, and what the panel remembers without showing it. */
  readonly own?: boolean;
}

/** What takes long to start, and holds nothing of a test. */
interface Machinery {
  readonly browser: Browser;
  readonly server: PanelHostServer;
  /** Whether what can move does. What moves without an end is drawn sixty times a second while a test looks for something else. */
  readonly moves: boolean;
  /** Pages that no test uses now. One that was used before loads the panel in a third of the processor time that a new one takes. */
  free: readonly FreePage[];
}

/** What stays with a page for as long as it is there. */
type Traits = Pick<BrowserContextOptions, 'deviceScaleFactor' | 'forcedColors' | 'reducedMotion'>;

/** A page that no test uses now. */
interface FreePage {
  readonly page: Page;
  readonly traits: Traits;
  /** The address that it is as new at; absent where it must be loaded. */
  readonly address?: string;
}

/** The one of this process, which runs one test file after the other. It ends with the process: Playwright sees to the browser. */
let machinery: Promise<Machinery> | undefined;

async function startMachinery(isTimed: boolean, moves: boolean): Promise<Machinery> {
  const dist = process.env['GNOMON_PANEL_DIST'];
  const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', ...(isTimed ? [] : [WITHOUT_OPTIMIZERS])];
  const [server, browser] = await Promise.all([
    startPanelHost({ kept: true, ...(dist === undefined ? {} : { dist }) }),
    ensureChromium().then((executablePath) => chromium.launch({ executablePath, args })),
  ]);
  return { browser, server, moves, free: [] };
}

/** A browser with the stand-in host. */
export class PanelRig {
  private readonly contexts = new Set<BrowserContext>();
  /** Pages that go back to the free ones, with what they have that stays. */
  private readonly borrowed = new Map<Page, Omit<Required<FreePage>, 'page'>>();
  /** Every address that a page asked for, beside those of the stand-in host. */
  readonly strangeRequests: string[] = [];

  private constructor(private readonly machinery: Machinery) {}

  /**
   * Starts. `GNOMON_PANEL_DIST` may name another folder with the bundle than `dist/webview`.
   * @param how `isTimed` where what is measured must be what users have, `moves` where users see it, as they do in all tests of `npm run test:soak`; the
   *   first one of a process decides.
   */
  static async start({ isTimed = false, moves = isTimed || ALL_RUNS }: { readonly isTimed?: boolean; readonly moves?: boolean } = {}): Promise<PanelRig> {
    const started = await (machinery ??= startMachinery(isTimed, moves));
    // What happens in a test file depends on no other one: it begins with pages that are loaded.
    started.free = started.free.map(({ page, traits }) => ({ page, traits }));
    return new PanelRig(started);
  }

  /** Opens a page as new and waits until the whole panel is loaded. */
  async open({
    theme = 'dark',
    width = 360,
    height = 760,
    zoom = 1,
    scene,
    before,
    language = 'en',
    texts,
    media,
    own = false,
  }: OpenOptions = {}): Promise<Page> {
    const address = this.machinery.server.url({ theme, language, ...(texts === undefined ? {} : { texts }) });
    const traits: Traits = { deviceScaleFactor: zoom, reducedMotion: this.machinery.moves ? 'no-preference' : 'reduce', ...media };
    const isAlone = own || before !== undefined || isCoverageMeasured();
    const { page, isNew } = isAlone ? { page: await this.newPage(traits), isNew: false } : await this.borrow(traits, address);
    page.on('request', this.look);
    await sizeTo(page, width, height);
    if (before !== undefined) await page.addInitScript(before);
    // What follows the size by script has followed then.
    if (isNew) await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    else await load(page, address);
    if (scene !== undefined) await page.evaluate((name) => globalThis.panelHost.scene(name), scene);
    return page;
  }

  /** Closes the pages that were opened since the last time. */
  async closePages(): Promise<void> {
    for (const page of [...this.contexts].flatMap((context) => context.pages())) await savePage(page);
    await Promise.all([...this.contexts].map((context) => context.close()));
    this.contexts.clear();
    const borrowed = [...this.borrowed];
    this.borrowed.clear();
    for (const [page, { traits, address }] of borrowed) {
      page.off('request', this.look);
      if (!page.isClosed()) this.machinery.free = [{ page, traits, ...((await this.renew(page)) ? { address } : {}) }, ...this.machinery.free];
    }
  }

  private async newPage(traits: Traits): Promise<Page> {
    const context = await this.machinery.browser.newContext({ ...traits, permissions: ['clipboard-read', 'clipboard-write'] });
    this.contexts.add(context);
    const page = await context.newPage();
    await followPage(page);
    return page;
  }

  /** Takes a free page: one that is as new, or one to be loaded. */
  private async borrow(traits: Traits, address: string): Promise<{ readonly page: Page; readonly isNew: boolean }> {
    const fitting = this.machinery.free.filter((each) => JSON.stringify(each.traits) === JSON.stringify(traits));
    const found = fitting.find((each) => each.address === address) ?? fitting.find((each) => each.address === undefined) ?? fitting[0];
    this.machinery.free = this.machinery.free.filter((each) => each !== found);
    const page = found?.page ?? (await this.newPage(traits));
    this.contexts.delete(page.context());
    this.borrowed.set(page, { traits, address });
    return { page, isNew: found?.address === address };
  }

  /** Leaves a page without anything of the test. Gives whether it is as new: otherwise, nothing is in it. */
  private async renew(page: Page): Promise<boolean> {
    await page.mouse.move(-1, -1);
    if (await page.evaluate(() => 'panelHost' in globalThis && globalThis.panelHost.renew())) return true;
    await page.goto(this.machinery.server.emptyUrl);
    await page.evaluate(() => sessionStorage.clear());
    return false;
  }

  private readonly look = (request: Request): void => {
    if (!request.url().startsWith(new URL('/', this.machinery.server.emptyUrl).href) && !request.url().startsWith('data:,'))
      this.strangeRequests.push(request.url());
  };

  /** Ends the browser and the server of this process, for who does not end with it: tests share them, and leave them. */
  async stop(): Promise<void> {
    machinery = undefined;
    await this.machinery.browser.close();
    await this.machinery.server.close();
  }
}

/** Gives a page a size, which takes time also where it has that already. */
async function sizeTo(page: Page, width: number, height: number): Promise<void> {
  const size = page.viewportSize();
  if (size?.width !== width || size.height !== height) await page.setViewportSize({ width, height });
}

async function load(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await loaded(page);
  await page.evaluate(() => globalThis.panelHost.begin());
}

/** What the panel posted, but for what it always posts. */
export async function postsOf(page: Page): Promise<readonly PanelMessage[]> {
  const posts = await page.evaluate(() => globalThis.panelHost.posts);
  return posts.filter(({ type }) => type !== 'ready' && type !== 'ack' && type !== 'find_files' && type !== 'focused');
}

/** Waits until all parts of the panel are loaded: the toolkit, and those that are loaded beside it. */
export async function loaded(page: Page): Promise<void> {
  await page.evaluate(async (name) => {
    const until = (isSo: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const observer = new MutationObserver(() => look());
        const look = (): void => {
          if (!isSo()) return;
          observer.disconnect();
          resolve();
        };
        observer.observe(document, { subtree: true, childList: true, characterData: true });
        look();
      });
    const chip = (): boolean => document.querySelector('.composer')?.textContent.includes(name) ?? false;
    await customElements.whenDefined('vscode-divider');
    globalThis.panelHost.post({ type: 'selection', name, on: true });
    await until(chip);
    globalThis.panelHost.post({ type: 'selection', name: '', on: true });
    await until(() => !chip());
  }, 'what shows that it is loaded');
}

/** Shows the list of conversations, as the command of VS Code's title bar does. */
export async function showHistory(page: Page): Promise<void> {
  await page.evaluate(() => globalThis.panelHost.post({ type: 'show_history' }));
  await page.getByRole('searchbox').waitFor();
}

/** Shows the MCP servers, as the command does. */
export async function showServers(page: Page, name = 'MCP Servers'): Promise<void> {
  await page.evaluate(() => globalThis.panelHost.post({ type: 'show_servers' }));
  await page.getByRole('region', { name }).waitFor();
}

/** Shows what is configured, as the command does. @param target a section or row to be led to */
export async function showConfiguration(page: Page, target?: string): Promise<void> {
  await page.evaluate((to) => globalThis.panelHost.post({ type: 'show_configuration', ...(to === undefined ? {} : { target: to }) }), target);
  await page.getByRole('region', { name: 'Configuration', exact: true }).waitFor();
}

/** Waits until what the host has posted so far has come. */
export function delivered(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        window.addEventListener('message', ({ data }) => data === 'the last' && resolve());
        globalThis.panelHost.post('the last');
      }),
  );
}

/** Shows a complete answer with a text. */
export async function showAnswer(page: Page, text: string): Promise<void> {
  await page.evaluate((value) => {
    const item = { kind: 'answer' as const, id: 'a', blocks: [{ type: 'text' as const, text: value }], status: 'complete' as const, time: '', summary: '' };
    return globalThis.panelHost.show({ title: 'T', activity: 'idle', model: 'm', mode: 'default', usage: '', items: [item] });
  }, text);
  await page.getByRole('article', { name: 'Gnomon' }).locator('.blocks > *').first().waitFor();
}

/** The roles of the panel's colors, see `tokens.css`. */
const COLOR_ROLES = ['fg', 'fg-quiet', 'warn', 'danger', 'added', 'removed'] as const;

/** Has a call of the last answer be another one in some respects, as the host does. Without `approval` it asks nothing. */
export async function changeCall(page: Page, id: string, over: Partial<ViewToolCall>): Promise<void> {
  const change = { id, over };
  await page.evaluate(({ id: callId, over: changed }) => {
    const item = globalThis.panelHost.state.items.findLast(({ kind }) => kind === 'answer');
    const blocks = item?.kind === 'answer' ? item.blocks : [];
    const block = blocks.findIndex((each) => each.type === 'tool' && each.call.id === callId);
    const shown = blocks[block];
    if (item === undefined || shown?.type !== 'tool') throw new Error('There is no such call.');
    const call = { ...shown.call, ...changed };
    if (changed.approval === undefined) delete call.approval;
    globalThis.panelHost.events({ type: 'call', item: item.id, block, call });
  }, change);
}

/** Which of the panel's colors something has. */
export function colorOf(element: Locator): Promise<string> {
  return element.evaluate((node, roles) => {
    const probe = document.body.appendChild(document.createElement('i'));
    const found = roles.filter((role) => {
      probe.style.color = `var(--${role})`;
      return getComputedStyle(node).color === getComputedStyle(probe).color;
    });
    probe.remove();
    return found.join();
  }, COLOR_ROLES);
}

/** How a message stands out: what it is filled with, whether it has a border, and which of the panel's colors its icon has. */
export async function lookOf(message: Locator): Promise<{ readonly fill: string; readonly border: boolean; readonly icon: string }> {
  const [box, icon] = await Promise.all([
    message.evaluate((element) => {
      const { backgroundColor, borderTopColor, borderTopWidth } = getComputedStyle(element);
      const isClear = (color: string): boolean => /, 0\)$|\/ 0\)$/.test(color);
      return { fill: isClear(backgroundColor) ? 'none' : backgroundColor, border: borderTopWidth !== '0px' && !isClear(borderTopColor) };
    }),
    colorOf(message.locator('svg').first()),
  ]);
  return { ...box, icon };
}

/** Waits until neither what is in the page nor the place of the view has changed for some frames. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const log = document.querySelector('[role=log]');
    const look = (): string => [log?.scrollTop, log?.scrollHeight, log?.querySelectorAll('*').length, log?.querySelectorAll('.hold').length].join();
    let same = 0;
    for (let before = look(); same < 12;) {
      await new Promise(requestAnimationFrame);
      const now = look();
      same = now === before ? same + 1 : 0;
      before = now;
    }
  });
}

/** Waits until a prompt that is there takes keys. */
export async function afterGuard(page: Page): Promise<void> {
  await page.evaluate((time) => new Promise((resolve) => setTimeout(resolve, time)), GUARD_MS + 20);
}

/** What sticks out of the window at each of some widths, see {@link sticksOut}. */
export async function sticksOutAt(page: Page, widths: readonly number[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await sizeTo(page, width, page.viewportSize()?.height ?? 760);
    // Two frames: what follows the size by script has followed then.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    found.push(...(await sticksOut(page)).map((markup) => `at ${width} px: ${markup}`));
  }
  return found;
}

/** What sticks out of the window to the right, as its markup; what scrolls by itself may. */
export function sticksOut(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element): boolean => element.closest('pre, .table-frame, .diagram, .fades > *, .mono, .screen-reader-only, .current') !== null;
    // The place first: it is at hand, what is around is looked for.
    const outside = [...document.querySelectorAll('main *')].filter(
      (element) => element.getBoundingClientRect().right > window.innerWidth + 0.5 && !scrolls(element),
    );
    return outside.map((element) => element.outerHTML.slice(0, 100));
  });
}
