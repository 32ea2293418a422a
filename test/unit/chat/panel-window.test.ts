import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HostMessage, PanelMessage } from '../../../src/protocol/messages.js';
import type { ViewEvent } from '../../../src/protocol/view-event.js';
import { type ViewItem, emptyViewState } from '../../../src/protocol/view-state.js';
import { Panel } from '../../../src/chat/pane/panel.js';
import { ViewLog } from '../../../src/chat/projection/view-log.js';
import { Connection } from '../../../webview/state/connection/connection.js';
import { type HeldStore, HeldItems } from '../../../webview/state/window/held-items.js';
import { mergeDeltas } from '../../../webview/state/transcript/merge-deltas.js';
import { runs } from '../../support/runs.js';

const time = '2026-01-01T00:00:00Z';
const user = (id: string, text = id): ViewItem => ({ kind: 'user', id, text, images: [], time });
const answer = (id: string): ViewItem => ({ kind: 'answer', id, blocks: [{ type: 'text', text: '' }], status: 'streaming', time, summary: '' });
const summary = (id: string, status: 'active' | 'covered'): ViewItem => ({
  kind: 'compaction',
  id,
  trigger: 'auto',
  summary: 's',
  tokensBefore: 2,
  tokensAfter: 1,
  status,
});
const log = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };

/** What a page holds: its items by index. */
interface Copy {
  readonly total: number;
  readonly items: ReadonlyMap<number, ViewItem>;
}

/** A host with a page on a channel that delivers when the test says so, and remembers every state it was in. */
class Rig {
  readonly view: ViewLog;
  held = new HeldItems(newStore());
  shown = false;
  private connection: Connection;
  private readonly panel: Panel;
  private toPage: HostMessage[] = [];
  private toHost: PanelMessage[] = [];
  private seq = 0;
  /** Whether the page waits for a snapshot; until then it stays as it is. */
  private resyncing = false;
  /** The transcript by the number of the last event. */
  private readonly history = new Map<number, readonly ViewItem[]>();
  private count = 0;

  constructor(items: ViewItem[]) {
    this.view = new ViewLog({ ...emptyViewState('m', 'default'), items }, 'e');
    this.history.set(0, structuredClone(items));
    this.view.onFlush(() => this.history.set(this.view.seq, structuredClone(this.view.state.items)));
    const webview = { postMessage: (message: HostMessage) => Promise.resolve(this.toPage.push(structuredClone(message)) > 0) };
    this.panel = new Panel(webview, log);
    this.connection = this.newPage();
    this.panel.show({ id: 's', view: this.view });
    this.connection.start();
  }

  /** Throws the page away and makes another one; what was on its way to the old one is lost. */
  reload(): void {
    this.toPage = [];
    this.toHost = [];
    this.shown = false;
    this.connection = this.newPage();
    this.connection.start();
  }

  catchUp(): void {
    this.connection.catchUp();
  }

  request(message: PanelMessage): void {
    this.toHost.push(message);
  }

  push(event: ViewEvent): void {
    this.view.push(event);
  }

  /** The host takes some of what the page said. */
  hostTakes(count: number): void {
    for (const raw of this.toHost.splice(0, count)) {
      const message = this.panel.receive(structuredClone(raw));
      if (message?.type === 'ready') this.panel.attach(message.attached);
      else if (message?.type === 'load_items') this.panel.sendItems(message.start, message.count);
      else if (message?.type === 'find_item') this.panel.sendItem(message.item);
    }
  }

  /** The page takes some of what the host said; `drops` loses a message that it did not ask for, as no real channel does. */
  pageTakes(count: number, drops = false): void {
    if (drops && this.toPage[0]?.type !== 'snapshot') this.toPage.shift();
    for (const message of this.toPage.splice(0, count)) {
      this.connection.receive(message);
      // What the next message brings is compared with the state that it leads to.
      this.connection.drain();
      this.check();
    }
  }

  /** Until nobody has anything to say. */
  settle(): void {
    this.view.flush();
    this.catchUp();
    for (let round = 0; round < 50 && this.toPage.length + this.toHost.length > 0; round += 1) {
      this.hostTakes(1_000);
      this.pageTakes(1_000);
    }
    expect(this.toPage.length + this.toHost.length).toBe(0);
  }

  copy(): Copy {
    const { held } = this;
    const items = new Map<number, ViewItem>();
    for (let index = 0; index < held.total; index += 1) {
      const item = held.at(index);
      if (item !== undefined && !isStale(held, index)) items.set(index, item);
    }
    return { total: held.total, items };
  }

  /** All that the page holds is what the host had after the event that the page acknowledged. */
  check(): void {
    if (!this.shown || this.resyncing) return;
    const then = this.history.get(this.seq);
    if (then === undefined) throw new Error(`The host never was at ${this.seq}.`);
    const { total, items } = this.copy();
    expect(total).toBe(then.length);
    for (const [index, item] of items) if (!isDeepStrictEqual(item, then[index])) expect(item, `item ${index} at event ${this.seq}`).toEqual(then[index]);
  }

  next(): string {
    this.count += 1;
    return `x${this.count}`;
  }

  private newPage(): Connection {
    const held = new HeldItems(newStore());
    this.held = held;
    return new Connection({
      post: (message) => {
        if (message.type === 'ack') this.seq = message.seq;
        if (message.type === 'ready' && message.attached === undefined) this.resyncing = true;
        this.toHost.push(message);
      },
      show: (state, _, start) => {
        held.show(state, start, this.shown);
        this.shown = true;
        this.resyncing = false;
      },
      apply: (events) => {
        for (const event of mergeDeltas(events)) held.apply(event);
      },
      items: ({ start, items }) => {
        held.add(start, items);
        held.shorten({ from: start - 10, to: start + 30 }, []);
        held.forget({ from: start - 10, to: start + 30 }, []);
      },
      side: () => undefined,
      schedule: () => undefined,
    });
  }
}

function newStore(): HeldStore {
  return { view: emptyViewState('', ''), start: 0, early: new Map(), reactive: (item) => item };
}

/** Whether an item is shown only until it was loaded anew. */
function isStale(held: HeldItems, index: number): boolean {
  return held.missing({ from: index, to: index + 1 }) !== undefined;
}

const START = 130;
const firstItems = (): ViewItem[] => [
  ...Array.from({ length: START - 1 }, (_, index) => (index === 20 ? summary('c', 'active') : user(`u${index}`))),
  answer('a'),
];

const place = fc.nat(START + 20);
const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('delta' as const), text: fc.string({ minLength: 1, maxLength: 5 }) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('added' as const), kind: fc.constantFrom('user' as const, 'answer' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('many' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('restated' as const), status: fc.constantFrom('active' as const, 'covered' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('old' as const), index: place, text: fc.string({ minLength: 1, maxLength: 3 }) }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('flush' as const) }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('load' as const), start: place, count: fc.integer({ min: 0, max: 40 }) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('find' as const), index: place }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('host' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('page' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('lost' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('catch up' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reload' as const) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

function run(rig: Rig, each: Operation): void {
  const { items } = rig.view.state;
  switch (each.type) {
    case 'delta': {
      const last = items.findLast((item) => item.kind === 'answer');
      if (last !== undefined) rig.push({ type: 'delta', item: last.id, block: 0, delta: each.text });
      return;
    }
    case 'old': {
      const answers = items.filter((item) => item.kind === 'answer');
      const old = answers[each.index % Math.max(1, answers.length)];
      if (old !== undefined) rig.push({ type: 'delta', item: old.id, block: 0, delta: each.text });
      return;
    }
    case 'added':
      return rig.push({ type: 'item_added', item: each.kind === 'user' ? user(rig.next()) : answer(rig.next()) });
    case 'many':
      for (let count = 0; count < 125; count += 1) rig.push({ type: 'item_added', item: user(rig.next()) });
      return rig.view.flush();
    case 'restated':
      return rig.push({ type: 'compaction', item: summary('c', each.status) as Extract<ViewItem, { kind: 'compaction' }> });
    case 'flush':
      return rig.view.flush();
    case 'load':
      return rig.request({ type: 'load_items', start: each.start, count: each.count });
    case 'find':
      return rig.request({ type: 'find_item', item: items[each.index]?.id ?? 'nobody' });
    case 'host':
      return rig.hostTakes(each.count);
    case 'page':
      return rig.pageTakes(each.count);
    case 'lost':
      return rig.pageTakes(1, true);
    case 'catch up':
      return rig.catchUp();
    case 'reload':
      return rig.reload();
  }
}

describe('view-14 view-15 a page that holds a part of the transcript', () => {
  test('whatever happens in whatever order, what it holds is what the host has', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 80, size: 'max' }), (operations) => {
        const rig = new Rig(firstItems());
        for (const each of operations) run(rig, each);
        rig.settle();
        const { total, items } = rig.copy();
        expect(total).toBe(rig.view.state.items.length);
        for (const [index, item] of items) expect(item).toEqual(rig.view.state.items[index]);
        const last = rig.view.state.items.length - 1;
        if (last >= 0) expect(items.get(last)).toEqual(rig.view.state.items[last]);
      }),
      { numRuns: runs(50) },
    );
  });

  test('pages make it whole, without any of it twice', () => {
    const rig = new Rig(firstItems());
    rig.settle();
    expect(rig.held.total).toBe(START);
    expect(rig.held.at(START - 41)).toBeUndefined();
    for (let request = rig.held.missing({ from: 0, to: START }); request !== undefined; request = rig.held.missing({ from: 0, to: START })) {
      rig.push({ type: 'delta', item: 'a', block: 0, delta: `${request.start} ` });
      rig.request({ type: 'load_items', ...request });
      rig.settle();
    }
    expect([...rig.copy().items.values()]).toEqual(rig.view.state.items);
    expect(rig.copy().items.size).toBe(START);
  });

  test('an item that is sought comes with those after it, and one that is not there with nothing', () => {
    const rig = new Rig(firstItems());
    rig.settle();
    rig.request({ type: 'find_item', item: 'u7' });
    rig.request({ type: 'find_item', item: 'nobody' });
    rig.settle();
    expect(rig.held.indexOf('u7')).toBe(7);
    expect(rig.held.at(26)).toMatchObject({ id: 'u26' });
    expect(rig.held.at(27)).toBeUndefined();
  });

  test('what lies far from the view is let go of, a long live end too, and the rows in use stay', () => {
    const items = Array.from({ length: 2_000 }, (_, index) => user(`u${index}`));
    const rig = new Rig(items);
    rig.settle();
    for (let start = 0; start < 1_000; start += 20) {
      rig.request({ type: 'load_items', start, count: 20 });
      rig.settle();
    }
    expect(rig.copy().items.size).toBeLessThanOrEqual(40 + 240);
    for (let count = 0; count < 500; count += 1) rig.push({ type: 'item_added', item: user(rig.next()) });
    rig.settle();
    rig.held.shorten({ from: 990, to: 1_010 }, [3, 995]);
    expect(rig.copy().items.size).toBeLessThanOrEqual(40 + 240);
    expect(rig.held.at(995)).toMatchObject({ id: 'u995' });
    expect(rig.held.at(2_499)).toMatchObject({ id: 'x500' });
  });
});
