/**
 * The other side of the panel in a tab of its own: stands in for VS Code and the extension host.
 *
 * `window.panelHost` (see {@link PanelHost}) feeds the panel and records what it posts. The address chooses the theme:
 * `?theme=dark|light|high-contrast|high-contrast-light`. `ready` is answered with a snapshot of the end of what was fed so
 * far, `load_items` and `find_item` with items of it, `send` with `accepted`, as the real host does (see `refuses`, `cools`, and `proposes`); everything else is only recorded.
 */
import { endOf, pageOf } from '../../../src/chat/projection/items.js';
import type { ModelProposal } from '../../../src/protocol/host/composer-messages.js';
import type { HostMessage, PanelMessage } from '../../../src/protocol/messages.js';
import { type ViewEvent, applyViewEvent } from '../../../src/protocol/view-event.js';
import { type ViewState, emptyViewState } from '../../../src/protocol/view-state.js';
import { type Newness, followTimers, isAsNew, newness } from './as-new.js';
import { configurationAnswer } from './configuration-scenes.js';
import { type Giant, giantItems } from './giant-items.js';
import { longItems } from './long-items.js';
import { proposalFor, routingAnswer } from './routing-scenes.js';
import { scenarios } from './scenarios.js';
import { serverAnswer } from './servers-scenes.js';
import { type Shape, textOf } from './texts.js';
import { THEMES } from './themes.js';

declare global {
  /** Set by a test that is the host itself: gets everything that the panel posts. */
  var outerHost: ((message: PanelMessage) => void) | undefined;
}

/** What {@link PanelHost.scrollThrough} showed. */
export interface ScrollFigures {
  /** The longest task of 50 ms or more that the browser reported meanwhile; 0 without one. */
  readonly longestTaskMs: number;
  readonly longestGapMs: number;
  readonly frames: number;
  /** Frames in which no message was in view. */
  readonly blank: number;
  /** The most elements that the page had. */
  readonly elements: number;
}

/** What was felt while something was watched, see {@link PanelHost.watch}. Times in milliseconds. */
export interface WatchFigures {
  /** The longest time from a key to the frame that shows what it did. */
  readonly longestKeyMs: number;
  /** Frames in which nothing of any message was in view. */
  readonly blank: number;
  /** The most elements that the page had. */
  readonly elements: number;
}

/** What a run of {@link PanelHost.stream} showed. Times in milliseconds. */
export interface StreamFigures {
  /** From the first delta posted to a frame with the last one in the page. */
  readonly visibleMs: number;
  /** The longest task of 50 ms or more that the browser reported meanwhile; 0 without one. */
  readonly longestTaskMs: number;
  /** The longest time that the page answered no message meanwhile. */
  readonly longestGapMs: number;
  /** The number of acknowledgements. */
  readonly acks: number;
}

/** How {@link PanelHost.stream} streams. */
export interface StreamOptions {
  readonly shape?: Shape;
  /** Number of deltas; 20,000 unless given. */
  readonly deltas?: number;
  /** Characters of each; 12 unless given. */
  readonly size?: number;
  /** Deltas in each message; 10 unless given. The real host merges more than that into one event. */
  readonly perMessage?: number;
}

/** What tests and benchmarks call in the page. */
export interface PanelHost {
  /** Everything that the panel posted, oldest first. */
  readonly posts: PanelMessage[];
  /** The conversation as a real host would hold it. */
  readonly state: ViewState;
  /** Why every `send` is refused from now on; empty when it is taken. */
  refuses: string;
  /** What every `send` would cost from now on, for the user to decide; empty when it is taken at once. */
  cools: string;
  /** The models that are proposed for every `send` from now on, one after the other; empty when it is taken at once. */
  proposes: readonly ModelProposal[];
  /** Posts a message as it is, well-formed or not. */
  post(message: unknown): void;
  /** Posts a snapshot of another conversation; what is not given is empty. Resolves when the panel shows it. */
  show(state: Partial<ViewState>, session?: string): Promise<void>;
  /** Posts numbered events. */
  events(...events: ViewEvent[]): void;
  /** Shows a scene by name, see `scenarios.ts`. Resolves when the panel shows it. */
  scene(name: string): Promise<void>;
  /** Changes the theme, as VS Code does when the person chooses another one. */
  theme(name: string): void;
  /** Shows a conversation of so many messages. Resolves when the panel shows its end. */
  long(count: number): Promise<void>;
  /** Shows a conversation with a giant answer: its last message when it `ends` with it. Resolves when the panel shows something of it. */
  giant(name: Giant, ends: boolean): Promise<void>;
  /** Watches frames and keys until what it returns is called. */
  watch(): () => WatchFigures;
  /** Remembers how the page is, which was just loaded. */
  begin(): void;
  /** Leaves the page with nothing of a test, by what a host can say, and tells whether it is as it was when it began. */
  renew(): Promise<boolean>;
  /** Keeps the conversation for after a reload of the page, as a host does. */
  keep(): void;
  /** Scrolls from the end of the conversation to its start, so many pixels in each frame, and measures. */
  scrollThrough(pixels: number): Promise<ScrollFigures>;
  /** Streams a long answer at full speed and measures. */
  stream(options?: StreamOptions): Promise<StreamFigures>;
}

const epoch = 'epoch-1';
let session = 'session-1';
let seq = 0;
let state = emptyViewState('demo/scripted', 'default');
const posts: PanelMessage[] = [];
let stored: unknown;

function post(message: unknown): void {
  window.postMessage(message, window.origin);
}

function send(message: HostMessage): void {
  post(message);
}

function snapshot(): void {
  send({ type: 'snapshot', session, epoch, seq, ...endOf(state) });
}

function sendItems(start: number, count: number, sought?: string): void {
  const items = pageOf(state.items, start, count);
  send({ type: 'items', session, epoch, seq, start, items, ...(sought === undefined ? {} : { sought }) });
}

function sendItem(id: string): void {
  const index = state.items.findIndex((item) => item.id === id);
  if (index >= 0) sendItems(index, 20, id);
  else send({ type: 'items', session, epoch, seq, start: 0, items: [], sought: id });
}

function answer(message: PanelMessage): void {
  posts.push(message);
  // A host outside of the page answers in place of this one.
  if (globalThis.outerHost !== undefined) return globalThis.outerHost(message);
  if (message.type === 'send') {
    const { sendId } = message;
    const { refuses: reason, cools, proposes } = panelHost;
    const proposal = proposalFor(message, proposes);
    if (proposal !== undefined) send({ type: 'model_proposed', sendId, proposal });
    else if (cools !== '' && message.anyway !== true) send({ type: 'cooled', sendId, text: cools });
    else send(reason === '' ? { type: 'accepted', sendId } : { type: 'rejected', sendId, reason });
  }
  if (message.type === 'list_history') send({ type: 'history', sessions: scenarios.history, trash: scenarios.trash });
  const beside = serverAnswer(message) ?? configurationAnswer(message) ?? routingAnswer(message);
  if (beside !== undefined) send(beside);
  if (message.type === 'load_items') sendItems(message.start, message.count);
  if (message.type === 'find_item') sendItem(message.item);
  if (message.type === 'find_mentions')
    send({ type: 'mentions', request: message.request, offers: scenarios.mentions.filter(({ insert }) => insert.includes(message.query)) });
  if (message.type !== 'ready') return;
  snapshot();
  sendChoices();
}

function sendChoices(): void {
  send({ type: 'commands', commands: scenarios.commands });
  const { models, automatic, modes, agents, efforts } = scenarios;
  send({ type: 'choices', models, automatic, modes, agents, efforts });
}

function events(...list: ViewEvent[]): void {
  const first = seq + 1;
  seq += list.length;
  for (const event of list) applyViewEvent(state, structuredClone(event));
  send({ type: 'events', session, epoch, first, events: list });
}

async function show(next: Partial<ViewState>, name = `session-${Math.random()}`): Promise<void> {
  // A number of its own, so that no acknowledgement of what came before is taken for the one of this snapshot.
  [state, session, seq] = [{ ...emptyViewState('demo/scripted', 'default'), ...next }, name, seq + 1];
  const shown = seq;
  const before = posts.length;
  snapshot();
  while (!posts.slice(before).some((message) => message.type === 'ack' && message.seq === shown)) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Makes promises for the next turn of the event loop, so that the page can work between two messages. */
function turns(): () => Promise<void> {
  const channel = new MessageChannel();
  let resume: () => void = () => undefined;
  channel.port1.onmessage = () => resume();
  return () =>
    new Promise((resolve) => {
      resume = resolve;
      channel.port2.postMessage(undefined);
    });
}

function nextFrame(): Promise<number> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Resolves behind a frame, when the page is laid out and looking at it costs nothing. */
async function drawn(): Promise<void> {
  await nextFrame();
  await new Promise((resolve) => setTimeout(resolve));
}

/** Watches for long tasks and for gaps in the event loop. */
function watch(): () => { longestTaskMs: number; longestGapMs: number } {
  let longestTaskMs = 0;
  let longestGapMs = 0;
  const take = (entries: PerformanceEntryList): void => {
    for (const entry of entries) longestTaskMs = Math.max(longestTaskMs, entry.duration);
  };
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({ type: 'longtask' });
  let running = true;
  const turn = turns();
  void (async () => {
    for (let before = performance.now(); running;) {
      await turn();
      const now = performance.now();
      longestGapMs = Math.max(longestGapMs, now - before);
      before = now;
    }
  })();
  return () => {
    running = false;
    take(observer.takeRecords());
    observer.disconnect();
    return { longestTaskMs, longestGapMs };
  };
}

/** Whether there are letters or rows at three heights of the view. */
function isBlank(log: Element): boolean {
  const { left, top, width, height } = log.getBoundingClientRect();
  const shows = (part: number): boolean => {
    const element = document.elementFromPoint(left + width / 2, top + height * part);
    return element !== null && element !== log && element.closest('.row, .content > *') !== null && element.closest('.gap') === null;
  };
  return ![0.2, 0.5, 0.8].some(shows);
}

function watchTyping(): () => WatchFigures {
  let [longestKeyMs, blank, elements, running] = [0, 0, 0, true];
  const typed = (event: KeyboardEvent): void => {
    requestAnimationFrame(() => setTimeout(() => (longestKeyMs = Math.max(longestKeyMs, performance.now() - event.timeStamp))));
  };
  document.addEventListener('keydown', typed, true);
  void (async () => {
    for (let frames = 0; running; frames += 1) {
      await drawn();
      const log = document.querySelector('[role=log]');
      if (log !== null && isBlank(log)) blank += 1;
      if (frames % 20 === 0) elements = Math.max(elements, document.querySelectorAll('*').length);
    }
  })();
  return () => {
    running = false;
    document.removeEventListener('keydown', typed, true);
    return { longestKeyMs, blank, elements: Math.max(elements, document.querySelectorAll('*').length) };
  };
}

function openAnswer(): string {
  const id = `a-${seq}`;
  const time = '2026-01-01T00:00:00Z';
  events(
    { type: 'item_added', item: { kind: 'user', id: `u-${seq}`, text: 'Go on.', images: [], time } },
    { type: 'item_added', item: { kind: 'answer', id, blocks: [], status: 'streaming', time, summary: '' } },
    { type: 'meta', patch: { activity: 'running' } },
    { type: 'block_added', item: id, block: { type: 'text', text: '' } },
  );
  return id;
}

async function visible(marker: string): Promise<void> {
  const isThere = (): boolean => {
    const last = [...document.querySelectorAll('article')].at(-1);
    return last?.textContent.slice(-200).includes(marker) ?? false;
  };
  const isAcknowledged = (): boolean => posts.slice(-10).some((message) => message.type === 'ack' && message.seq === seq);
  do await nextFrame();
  while (!isAcknowledged() || !isThere());
}

async function stream(options: StreamOptions = {}): Promise<StreamFigures> {
  const { shape = 'paragraphs', deltas = 20_000, size = 12, perMessage = 10 } = options;
  const marker = ` end${Math.random().toString(36).slice(2)}`;
  const text = textOf(shape, deltas * size, marker);
  const item = openAnswer();
  await nextFrame();
  await nextFrame();
  const acksBefore = posts.filter(({ type }) => type === 'ack').length;
  const turn = turns();
  const stop = watch();
  const start = performance.now();
  for (let at = 0; at < text.length;) {
    const list: ViewEvent[] = [];
    for (; list.length < perMessage && at < text.length; at += size) {
      list.push({ type: 'delta', item, block: 0, delta: text.slice(at, at + size) });
    }
    // The state is brought up to date at once below, so that the stand-in takes little of the time that is measured.
    post({ type: 'events', session, epoch, first: seq + 1, events: list });
    seq += list.length;
    await turn();
  }
  applyViewEvent(state, { type: 'delta', item, block: 0, delta: text });
  await visible(marker.trim());
  const visibleMs = performance.now() - start;
  const acks = posts.filter(({ type }) => type === 'ack').length - acksBefore;
  events({ type: 'answer_status', item, status: 'complete', summary: '' }, { type: 'meta', patch: { activity: 'idle' } });
  await visible(marker.trim());
  await nextFrame();
  await nextFrame();
  return { visibleMs, ...stop(), acks };
}

async function scrollThrough(pixels: number): Promise<ScrollFigures> {
  const log = document.querySelector('[role=log]');
  if (log === null) throw new Error('There is no conversation.');
  const { top, bottom } = log.getBoundingClientRect();
  let [frames, blank, elements] = [0, 0, 0];
  log.scrollTop = log.scrollHeight;
  const stop = watch();
  for (; log.scrollTop > 0; frames += 1) {
    log.scrollTop -= pixels;
    await nextFrame();
    const boxes = [...log.querySelectorAll('article')].map((article) => article.getBoundingClientRect());
    if (!boxes.some((box) => box.bottom > top && box.top < bottom)) blank += 1;
    elements = Math.max(elements, document.querySelectorAll('*').length);
  }
  return { ...stop(), frames, blank, elements };
}

async function scene(name: string): Promise<void> {
  const found = scenarios.scenes[name];
  if (found === undefined) throw new Error(`There is no scene ${name}.`);
  await show(structuredClone(found));
}

/** Gives the page a theme as VS Code does, also to one that is shown already: nothing of the last one stays. */
function applyTheme(wanted: string): void {
  const theme = THEMES[wanted] ?? THEMES['dark'];
  if (theme === undefined) return;
  const { style } = document.documentElement;
  for (const name of [...style]) if (name.startsWith('--vscode-')) style.removeProperty(name);
  for (const [name, value] of Object.entries(theme.variables)) style.setProperty(`--vscode-${name}`, value);
  document.body.className = theme.kind;
  document.body.dataset['vscodeThemeKind'] = theme.kind;
}

let asLoaded: Newness | undefined;
/** Frames in which a page shows an empty conversation, unless it is a busy one that had better be loaded again. */
const MAX_FRAMES = 30;

async function renew(): Promise<boolean> {
  if (asLoaded === undefined || globalThis.outerHost !== undefined) return false;
  Object.assign(panelHost, { refuses: '', cools: '', proposes: [] });
  applyTheme(themeOfAddress());
  send({ type: 'focus_composer' });
  send({ type: 'attachments', attachments: [] });
  send({ type: 'elicitations', elicitations: [] });
  sendChoices();
  const empty = { isShown: false };
  void show({}).then(() => (empty.isShown = true));
  for (let frames = 0; !empty.isShown && frames < MAX_FRAMES; frames += 1) await drawn();
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  getSelection()?.removeAllRanges();
  await drawn();
  posts.length = 0;
  stored = undefined;
  sessionStorage.clear();
  return empty.isShown && isAsNew(asLoaded);
}

function themeOfAddress(): string {
  return new URLSearchParams(location.search).get('theme') ?? 'dark';
}

/** Where {@link PanelHost.keep} puts the conversation. */
const KEPT = 'conversation';

function restore(): void {
  const conversation = sessionStorage.getItem(KEPT);
  if (conversation !== null) ({ session, seq, state } = JSON.parse(conversation) as { session: string; seq: number; state: ViewState });
}

const panelHost: PanelHost = {
  posts,
  refuses: '',
  cools: '',
  proposes: [],
  get state() {
    return state;
  },
  post,
  show,
  events,
  scene,
  theme: applyTheme,
  stream,
  scrollThrough,
  long: (count) => show({ title: `${count} messages`, items: longItems(count) }, `long-${count}`),
  giant: (name, ends) => show({ title: name, items: giantItems(name, ends) }, `giant-${name}`),
  watch: watchTyping,
  begin: () => {
    asLoaded = newness();
  },
  renew,
  keep: () => sessionStorage.setItem(KEPT, JSON.stringify({ session, seq, state })),
};

followTimers();
applyTheme(themeOfAddress());
restore();
Object.assign(window, {
  panelHost,
  acquireVsCodeApi: () => ({
    postMessage: (message: PanelMessage) => queueMicrotask(() => answer(structuredClone(message))),
    getState: () => stored,
    setState: (value: unknown) => {
      stored = structuredClone(value);
      sessionStorage.setItem('state', JSON.stringify(stored));
    },
  }),
});
const kept = sessionStorage.getItem('state');
stored = kept === null ? undefined : JSON.parse(kept);
