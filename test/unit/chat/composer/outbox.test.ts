import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { attachedBlock } from '../../../../src/domain/session/attached.js';
import type { UserContent } from '../../../../src/domain/model/content.js';
import type { ProposedModel } from '../../../../src/domain/model/router.js';
import { textContent } from '../../../../src/domain/model/message.js';
import type { TurnOptions } from '../../../../src/engine/turn/turn-scope.js';
import type { StartedTurn } from '../../../../src/engine/events.js';
import { type OutboxDeps, type TurnEnding, MessageQueue, Outbox } from '../../../../src/chat/composer/outbox.js';
import { says } from '../../../support/wording.js';
import { runs } from '../../../support/runs.js';

type ConversationOfOutbox = OutboxDeps['conversation'];

const message = (id: string) => ({ id, text: `say ${id}`, attached: [] });

/** A conversation by hand: looking up what a message mentions takes as long as the test wants, and a turn runs until the test ends it. */
class Talk implements ConversationOfOutbox {
  readonly said: string[] = [];
  running = false;
  refuses = '';
  changes = 0;
  private gate: (() => void) | undefined;
  slow = false;
  more = false;
  /** What goes with the next round, by id. */
  private readonly steered = new Map<string, string>();
  readonly session = {
    steer: (id: string, content: readonly UserContent[]): boolean => {
      if (this.running && !this.summarizes) this.steered.set(id, textContent({ content }).slice(4));
      return this.running && !this.summarizes;
    },
    unsteer: (id: string): boolean => this.steered.delete(id),
    coldCache: { reason: 'expired' as const, tokens: 84_000 },
    auto: { isOn: () => false, waits: false, propose: () => Promise.reject(new Error('It is off.')), holds: () => false },
  };
  /** Whether what runs is a summary. */
  summarizes = false;
  readonly outbox = new Outbox({ conversation: this, resolve: () => this.resolve(), changed: () => (this.changes += 1) });

  send(content: readonly UserContent[]): StartedTurn {
    if (this.running) throw new Error('two turns at once');
    this.said.push(textContent({ content }).slice(4));
    this.running = true;
    return { recorded: Promise.resolve(undefined), turn: new Promise(() => undefined) };
  }

  expectMore(follows: boolean): void {
    this.more = follows;
  }

  /** The turn that runs comes to its next round. */
  round(): void {
    for (const [id, words] of this.steered) {
      this.said.push(words);
      this.outbox.recorded(id);
    }
    this.steered.clear();
  }

  end(how: TurnEnding): void {
    this.running = false;
    this.summarizes = false;
    this.steered.clear();
    this.outbox.ended(how);
  }

  private async resolve(): Promise<readonly []> {
    if (this.slow) await new Promise<void>((resolve) => (this.gate = resolve));
    if (this.refuses !== '') throw new Error(this.refuses);
    return [];
  }

  /** Lets what is on its way arrive. */
  arrive(): void {
    this.gate?.();
    this.gate = undefined;
  }

  get waiting(): readonly string[] {
    return this.outbox.messages.map(({ id }) => id);
  }
}

test('while a model is chosen, that is said, and a message that is stopped is neither sent nor in the way of the next', async () => {
  const talk = new Talk();
  const auto = { isOn: () => true, waits: true, holds: () => true, propose: (_: unknown, __: unknown, signal: AbortSignal) => stopped(signal) };
  Object.assign(talk.session, { auto });
  const stop = new AbortController();
  const said: string[] = [];
  const sent = talk.outbox.submit(message('a'), false, { signal: stop.signal, progress: (text) => void said.push(text) });
  await vi.waitFor(() => expect(said).toEqual(['Choosing a model…']));
  stop.abort();
  await expect(sent).rejects.toThrow();
  expect([talk.said, talk.waiting, talk.more]).toEqual([[], [], false]);
  Object.assign(auto, { isOn: () => false });
  await talk.outbox.submit(message('b'));
  expect(talk.said).toEqual(['b']);
});

/** What is proposed when choosing was stopped. */
async function stopped(signal: AbortSignal): Promise<ProposedModel> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  return { routing: undefined, problem: new Error('It was stopped.') };
}

test('what a message costs in a chat that has cooled down is known only of one that goes out at once', async () => {
  const talk = new Talk();
  talk.slow = true;
  expect(talk.outbox.coldCache).toEqual({ reason: 'expired', tokens: 84_000 });
  const sent = talk.outbox.submit(message('a'));
  expect(talk.outbox.coldCache).toBeUndefined();
  talk.arrive();
  await sent;
  expect(talk.outbox.coldCache).toBeUndefined();
  talk.end('well');
  expect(talk.outbox.coldCache).toEqual({ reason: 'expired', tokens: 84_000 });
});

test('a message that is sent at once can be canceled while what it mentions is looked up; it was never sent then', async () => {
  const talk = new Talk();
  const options = { signal: AbortSignal.abort(), progress: () => undefined };
  const given: unknown[] = [];
  const outbox = new Outbox({
    conversation: talk,
    resolve: (_text, how) => Promise.reject((given.push(how), new Error('canceled'))),
    changed: () => undefined,
  });
  await expect(outbox.submit(message('a'), false, options)).rejects.toThrow('canceled');
  expect([given, talk.said, outbox.messages]).toEqual([[options], [], []]);
});

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the queue of a conversation', () => {
  test('what is said while a turn runs goes out one by one as turns end well', async () => {
    const talk = new Talk();
    for (const id of ['a', 'b', 'c']) await talk.outbox.submit(message(id));
    expect([talk.said, talk.waiting, talk.more]).toEqual([['a'], ['b', 'c'], true]);
    talk.end('well');
    await settle();
    expect([talk.said, talk.waiting]).toEqual([['a', 'b'], ['c']]);
    talk.end('well');
    await settle();
    talk.end('well');
    await settle();
    expect([talk.said, talk.waiting, talk.more]).toEqual([['a', 'b', 'c'], [], false]);
  });

  test.each<TurnEnding>(['stopped', 'badly'])('after a turn that ended %s they wait, say so, and go out when they are told to', async (how) => {
    const talk = new Talk();
    for (const id of ['a', 'b', 'c']) await talk.outbox.submit(message(id));
    talk.end(how);
    await settle();
    expect([talk.said, talk.waiting, talk.more]).toEqual([['a'], ['b', 'c'], false]);
    expect(talk.outbox.view().held).toMatch(/^Paused because/);
    talk.outbox.sendNow('b');
    await settle();
    expect([talk.said, talk.outbox.view().held]).toEqual([['a', 'b'], '']);
    talk.end('well');
    await settle();
    expect(talk.said).toEqual(['a', 'b', 'c']);
  });

  test('“Send now” lets a message go with the next round of the turn, in front of the others', async () => {
    const talk = new Talk();
    for (const id of ['a', 'b', 'c', 'd']) await talk.outbox.submit(message(id));
    talk.outbox.sendNow('c');
    talk.outbox.sendNow('d');
    await settle();
    expect(talk.outbox.view().messages.map(({ id, now }) => [id, now])).toEqual([
      ['c', true],
      ['d', true],
      ['b', false],
    ]);
    expect(talk.said).toEqual(['a']);
    talk.outbox.move('b', 'up');
    talk.outbox.move('d', 'up');
    expect(talk.waiting).toEqual(['c', 'd', 'b']);
    talk.round();
    expect([talk.said, talk.waiting]).toEqual([['a', 'c', 'd'], ['b']]);
    talk.end('well');
    await settle();
    expect(talk.said).toEqual(['a', 'c', 'd', 'b']);
  });

  test('what is written while a turn runs can go with it at once', async () => {
    const talk = new Talk();
    await talk.outbox.submit(message('a'), true);
    await talk.outbox.submit(message('b'));
    await talk.outbox.submit(message('c'), true);
    await settle();
    expect([talk.said, talk.waiting]).toEqual([['a'], ['c', 'b']]);
    talk.round();
    expect([talk.said, talk.waiting]).toEqual([['a', 'c'], ['b']]);
  });

  test('without another round, a message that was to go with the turn begins the next one', async () => {
    const talk = new Talk();
    for (const id of ['a', 'b', 'c']) await talk.outbox.submit(message(id));
    talk.outbox.sendNow('c');
    await settle();
    talk.end('well');
    await settle();
    expect([talk.said, talk.waiting]).toEqual([['a', 'c'], ['b']]);
  });

  test('a turn that is stopped keeps it, also when what it mentions was still looked up', async () => {
    const talk = new Talk();
    for (const id of ['a', 'b']) await talk.outbox.submit(message(id));
    talk.slow = true;
    talk.outbox.sendNow('b');
    talk.end('stopped');
    talk.arrive();
    await settle();
    expect([talk.said, talk.waiting]).toEqual([['a'], ['b']]);
    expect(talk.outbox.view().held).toMatch(/^Paused because/);
    talk.slow = false;
    talk.outbox.sendNow('b');
    await settle();
    expect([talk.said, talk.waiting]).toEqual([['a', 'b'], []]);
  });

  test('it can be taken out until the turn has it, and not after', async () => {
    const talk = new Talk();
    for (const id of ['a', 'b', 'c']) await talk.outbox.submit(message(id));
    talk.outbox.sendNow('b');
    await settle();
    expect(talk.outbox.take('b')).toMatchObject({ id: 'b' });
    talk.round();
    expect([talk.said, talk.waiting]).toEqual([['a'], ['c']]);
    talk.outbox.sendNow('c');
    await settle();
    talk.session.unsteer('c');
    expect(talk.outbox.take('c')).toBeUndefined();
    talk.outbox.recorded('c');
    expect(talk.waiting).toEqual([]);
  });

  test('while the conversation is summarized it goes to the front, and out behind that', async () => {
    const talk = new Talk();
    [talk.running, talk.summarizes] = [true, true];
    for (const id of ['a', 'b']) await talk.outbox.submit(message(id));
    talk.outbox.sendNow('b');
    await settle();
    expect(talk.outbox.view().messages.map(({ id, now }) => [id, now])).toEqual([
      ['b', false],
      ['a', false],
    ]);
    talk.end('well');
    await settle();
    expect([talk.said, talk.waiting]).toEqual([['b'], ['a']]);
  });

  test('one whose mentions cannot be looked up stays, with the reason', async () => {
    const talk = new Talk();
    for (const id of ['a', 'b']) await talk.outbox.submit(message(id));
    talk.refuses = 'The file is gone.';
    talk.outbox.sendNow('b');
    await settle();
    expect([talk.said, talk.waiting]).toEqual([['a'], ['b']]);
    expect(talk.outbox.view()).toMatchObject({ held: expect.stringContaining('The file is gone.') as string, messages: [{ now: false }] });
  });

  test('“Send now” while another message is on its way waits for it and goes with its turn', async () => {
    const talk = new Talk();
    talk.slow = true;
    const first = talk.outbox.submit(message('a'));
    await talk.outbox.submit(message('b'));
    await talk.outbox.submit(message('c'));
    talk.outbox.sendNow('c');
    talk.arrive();
    await first;
    await settle();
    talk.arrive();
    await settle();
    talk.round();
    expect(talk.said).toEqual(['a', 'c']);
    expect(talk.waiting).toEqual(['b']);
  });

  test('a message that is refused stays, in its place, with the reason', async () => {
    const talk = new Talk();
    for (const id of ['a', 'b', 'c']) await talk.outbox.submit(message(id));
    talk.refuses = 'There is no key.';
    talk.end('well');
    await settle();
    expect([talk.said, talk.waiting]).toEqual([['a'], ['b', 'c']]);
    expect(talk.outbox.view().held).toContain('There is no key.');
    expect(talk.more).toBe(false);
    talk.refuses = '';
    talk.outbox.sendNow('b');
    await settle();
    expect(talk.said).toEqual(['a', 'b']);
  });

  test('a message that is refused on its way has nothing behind it marked as going with a turn', async () => {
    const talk = new Talk();
    for (const id of ['a', 'b']) await talk.outbox.submit(message(id));
    [talk.slow, talk.refuses] = [true, 'no'];
    talk.end('well');
    await settle();
    await talk.outbox.submit(message('c'), true);
    talk.slow = false;
    talk.arrive();
    await settle();
    expect(talk.outbox.view().messages.map(({ id, now }) => [id, now])).toEqual([
      ['b', false],
      ['c', false],
    ]);
    expect(talk.outbox.view().held).toContain('no');
  });

  test('one that is refused at once is told to who sends it, and does not wait', async () => {
    const talk = new Talk();
    talk.refuses = 'No.';
    await expect(talk.outbox.submit(message('a'))).rejects.toThrow('No.');
    expect(talk.waiting).toEqual([]);
  });

  test('a message that is on its way can be neither taken out nor sent twice', async () => {
    const talk = new Talk();
    await talk.outbox.submit(message('a'));
    await talk.outbox.submit(message('b'));
    talk.slow = true;
    talk.end('well');
    await settle();
    expect(talk.outbox.take('b')).toBeUndefined();
    talk.outbox.sendNow('b');
    talk.arrive();
    await settle();
    expect([talk.said, talk.waiting]).toEqual([['a', 'b'], []]);
  });

  test('what waited before a restart waits still, and goes out only when the person says so', async () => {
    const talk = new Talk();
    talk.outbox.restore([message('a'), message('b')]);
    expect(talk.outbox.view()).toMatchObject({ held: says('queueFromLastTime'), messages: [{ id: 'a' }, { id: 'b' }] });
    expect([talk.said, talk.more]).toEqual([[], false]);
    talk.outbox.sendNow('a');
    await settle();
    expect(talk.said).toEqual(['a']);
  });

  test('pages see the beginning of long messages, and what is attached', async () => {
    const talk = new Talk();
    talk.running = true;
    await talk.outbox.submit({ id: 'a', text: 'x'.repeat(10_000), attached: [attachedBlock({ name: 'a.ts:1-2', text: 'y' })] });
    expect(talk.outbox.view().messages).toEqual([{ id: 'a', text: 'x'.repeat(2_000), attached: ['a.ts:1-2'], now: false }]);
  });

  test('whatever happens, every message is said once, waits, or was taken out; the order is kept', async () => {
    const act = fc.oneof(
      { weight: 4, arbitrary: fc.constant('submit' as const) },
      fc.constantFrom('well' as const, 'stopped' as const, 'badly' as const),
      fc.constantFrom('round' as const, 'submit now' as const, 'send last' as const),
      fc.constantFrom('arrive' as const, 'slow' as const, 'fast' as const, 'refuse' as const, 'allow' as const, 'send first' as const, 'take last' as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 40 }), async (acts) => {
        const talk = new Talk();
        const hurried = new Set<string>();
        const [given, refused, taken]: [string[], string[], string[]] = [[], [], []];
        const sending: Promise<void>[] = [];
        for (const each of acts) {
          if (each === 'submit' || each === 'submit now') {
            const id = String(given.length);
            given.push(id);
            if (each === 'submit now') hurried.add(id);
            sending.push(talk.outbox.submit(message(id), each === 'submit now').catch(() => void refused.push(id)));
          } else if (each === 'arrive') talk.arrive();
          else if (each === 'slow' || each === 'fast') talk.slow = each === 'slow';
          else if (each === 'refuse' || each === 'allow') talk.refuses = each === 'refuse' ? 'no' : '';
          else if (each === 'send first') talk.outbox.sendNow(talk.waiting[0] ?? '');
          else if (each === 'send last') {
            hurried.add(talk.waiting.at(-1) ?? '');
            talk.outbox.sendNow(talk.waiting.at(-1) ?? '');
          } else if (each === 'round') talk.round();
          else if (each === 'take last') {
            const one = talk.outbox.take(talk.waiting.at(-1) ?? '');
            if (one !== undefined) taken.push(one.id);
          } else if (talk.running) talk.end(each);
          await settle();
        }
        talk.slow = false;
        talk.arrive();
        await Promise.all(sending);
        await settle();
        expect([...talk.said, ...talk.waiting, ...refused, ...taken].sort()).toEqual([...given].sort());
        expect(new Set(talk.said).size).toBe(talk.said.length);
        const patient = talk.waiting.filter((id) => !hurried.has(id));
        expect(patient).toEqual([...patient].sort((a, b) => Number(a) - Number(b)));
        const urgent = new Set(
          talk.outbox
            .view()
            .messages.filter(({ now }) => now)
            .map(({ id }) => id),
        );
        expect(talk.waiting.slice(0, urgent.size).every((id) => urgent.has(id))).toBe(true);
        expect(talk.outbox.view().held === '' && talk.waiting.length > 0 && !talk.running).toBe(false);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('the order of the queue', () => {
  test('moving and hurrying only change the order', () => {
    const step = fc.record({ what: fc.constantFrom('up' as const, 'down' as const, 'hurry' as const), id: fc.constantFrom('a', 'b', 'c', 'd', 'x') });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const queue = new MessageQueue();
        queue.add(...['a', 'b', 'c', 'd'].map(message));
        for (const { what, id } of steps) {
          if (what === 'hurry') expect(queue.hurry(id)).toBe(id !== 'x');
          else queue.move(id, what);
          if (what === 'hurry' && id !== 'x') expect(queue.first?.id).toBe(id);
        }
        expect(queue.messages.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c', 'd']);
      }),
    );
  });

  test('a message changes places with its neighbor', () => {
    const queue = new MessageQueue();
    queue.add(...['a', 'b', 'c'].map(message));
    queue.move('c', 'up');
    queue.move('a', 'up');
    expect(queue.messages.map(({ id }) => id)).toEqual(['a', 'c', 'b']);
    queue.move('a', 'down');
    expect(queue.messages.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  });
});

describe('a command of a file', () => {
  const command = (id: string) => ({
    id,
    text: `/look ${id}`,
    attached: [],
    expanded: { script: [{ type: 'command' as const, command: `log ${id}` }], blocks: [attachedBlock({ name: `/look ${id}`, text: 'x' })] },
  });

  class Scripted extends Talk {
    readonly scripts: unknown[] = [];
    readonly options: unknown[] = [];
    override send(content: readonly UserContent[], options?: TurnOptions): StartedTurn {
      if (options?.script !== undefined) this.scripts.push([content, options.script]);
      this.options.push(options);
      return super.send(content);
    }
  }

  test('S-44: is sent as it was shown: nothing in it is looked up', async () => {
    const talk = new Scripted();
    const message = command('a');
    await talk.outbox.submit(message);
    expect(talk.scripts).toEqual([[message.expanded.blocks, message.expanded.script]]);
  });

  test('S-41: does not run while the model works, not even when it is to be sent now', async () => {
    const talk = new Scripted();
    await talk.outbox.submit(message('1'));
    await talk.outbox.submit(message('2'));
    await talk.outbox.submit(command('a'), true);
    talk.round();
    expect(talk.scripts).toEqual([]);
    expect(talk.outbox.view().messages.map(({ text, now }) => [text, now])).toEqual([
      ['/look a', false],
      ['say 2', false],
    ]);
    talk.end('well');
    await vi.waitFor(() => expect(talk.scripts).toHaveLength(1));
  });

  test('S-40: what it wants for its turn is looked up when it goes out, and waits for a turn of its own', async () => {
    const talk = new Scripted();
    const wishes: unknown[] = [];
    const outbox = new Outbox({
      conversation: talk,
      resolve: () => Promise.resolve([]),
      changed: () => undefined,
      optionsFor: (wish) => Promise.resolve((wishes.push(wish), { effort: 'high' })),
    });
    await outbox.submit(message('1'));
    await outbox.submit({ ...message('notes'), turn: { model: 'opus' } }, true);
    talk.round();
    expect([wishes, talk.said]).toEqual([[], ['1']]);
    talk.running = false;
    outbox.ended('well');
    await vi.waitFor(() => expect(talk.options).toEqual([{}, { effort: 'high' }]));
    expect(wishes).toEqual([{ model: 'opus' }]);
  });
});
