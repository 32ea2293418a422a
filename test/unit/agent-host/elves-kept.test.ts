import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { followElves } from '../../../src/chat/conversation/follow-elves.js';
import { Signal } from '../../../src/concurrency/signal.js';
import { NO_LOG } from '../../support/entries/no-log.js';
import { elfViews } from '../../../src/chat/projection/elf-view.js';
import { ElfOrders, withOrders } from '../../../src/agent-host/elf-orders.js';
import { Orders } from '../../../src/elf/orders.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { Conversation, OpenQuestions } from '../../../src/chat/conversation/conversation.js';
import { ToolInputError } from '../../../src/domain/errors.js';
import { contentOf } from '../../../src/elf/elf-types.js';
import { eventually } from '../../support/eventually.js';
import { givesAway, part, partOf, results, says, type Script, scripts } from '../../support/gives-away.js';
import { gate, httpError, reply } from '../../support/model-server/index.js';
import { runs } from '../../support/runs.js';
import { type NodeChat, nodeChat } from './node-chat.js';

const inBackground = (name: string): object => ({ ...part(name), background: true });
const ONE_AT_A_TIME = { 'gnomon.agents.maxAtOnce': 1 };

const states = async ({ host, conversation }: NodeChat): Promise<readonly string[]> => {
  const household = await host.host.elves.of(conversation.session);
  return elfViews(household, (key) => ({ model: key, provider: '' })).map(({ id, state, runs }) => `${id} ${state} ${runs}`);
};
const become = (chat: NodeChat, ...wanted: readonly string[]): Promise<void> =>
  eventually(async () => {
    expect(await states(chat)).toEqual(wanted);
  });
const goOn = ({ host, conversation }: NodeChat, name: string): Promise<void> => host.host.elves.goOn(conversation.session, name);

/** The agents of a chat whose orders are on the disk. */
function ordersOf({ host, conversation }: NodeChat): readonly string[] {
  const folder = join(host.storage, 'elves', conversation.id, 'orders');
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}

/** Starts agents in the background, and says a word. */
const startsInBackground =
  (...names: readonly string[]): Script =>
  (request) =>
    results(request).length === 0 ? givesAway(...names.map(inBackground))(request) : reply().text('Meanwhile.');

/** As after a reload of the window. */
async function reload(chat: NodeChat): Promise<void> {
  const { id } = chat.conversation.session;
  await chat.conversation.session.close();
  chat.conversation = new Conversation(await chat.host.reopen(id), {}, { questions: new OpenQuestions() });
}

/** The first message of each request of an agent, behind a request. */
const told = ({ server }: NodeChat, from = 0): readonly string[] =>
  server.requests.slice(from).flatMap((request) => (partOf(request) === '' ? [] : [partOf(request)]));

it('has the display names of models as soon as they are known, also after a reload', async () => {
  const chat = await nodeChat();
  chat.server.setScript(scripts(givesAway(part('a')), says('Found.')));
  await chat.say('Go');
  await reload(chat);
  const changed = new Signal();
  let model = 'raw-key';
  const models = { labelsOf: () => ({ model, provider: 'Provider' }), onDidChange: changed.subscribe };
  const stop = followElves(chat.conversation, { elves: chat.host.host.elves, models, onReviewed: () => () => undefined, log: NO_LOG });
  await eventually(() => expect(chat.shown.elves.map((elf) => elf.model)).toEqual(['raw-key']));
  model = 'Claude Haiku 4.5';
  changed.emit();
  await eventually(() => expect(chat.shown.elves.map((elf) => elf.model)).toEqual(['Claude Haiku 4.5']));
  stop();
});

it('E-34: the requests of an agent that was interrupted are counted with its tokens, also once it has gone on', async () => {
  const chat = await nodeChat({ inFolder: { 'a.txt': 'one\n' } });
  const held = gate();
  let isLater = false;
  chat.server.setScript(
    scripts(startsInBackground('a'), async (request) => {
      if (results(request).length === 0 && !isLater) return reply().toolCall('read', { file_path: 'a.txt' });
      if (!isLater) await held.pass();
      return reply().text('Read.');
    }),
  );
  const rounds = async (): Promise<readonly number[]> =>
    (await chat.host.host.elves.of(chat.conversation.session)).facts.flatMap((elf) => elf.runs.map((run) => run.rounds));
  await chat.say('Go');
  await held.reached;
  await reload(chat);
  await become(chat, 'agent-1 interrupted 1');
  // The second was not answered.
  expect(await rounds()).toEqual([2]);
  isLater = true;
  // Asked for twice, it goes on once.
  await Promise.all([goOn(chat, 'agent-1'), goOn(chat, 'agent-1')]);
  await become(chat, 'agent-1 completed 2');
  expect(await rounds()).toEqual([2, 1]);
});

describe('E-34: agents that wait for a place', () => {
  it('are stored before it is said that they were started, and do their work after a reload', async () => {
    const chat = await nodeChat({ settings: ONE_AT_A_TIME });
    const held = gate();
    let stored: readonly string[] = [];
    chat.server.setScript(
      scripts(
        (request) => {
          if (results(request).length > 0) stored = ordersOf(chat);
          return startsInBackground('a', 'b', 'c')(request);
        },
        async (request) => {
          await held.pass();
          return reply().text(`Found ${partOf(request)}.`);
        },
      ),
    );
    await chat.say('Go');
    expect(stored).toEqual(expect.arrayContaining(['agent-2.json', 'agent-3.json']));
    await become(chat, 'agent-1 working 1', 'agent-2 queued 1', 'agent-3 queued 1');
    await reload(chat);
    held.open();
    await become(chat, 'agent-1 interrupted 1', 'agent-2 interrupted 1', 'agent-3 interrupted 1');
    const before = chat.server.requests.length;
    await goOn(chat, 'agent-2');
    await goOn(chat, 'agent-3');
    await become(chat, 'agent-1 interrupted 1', 'agent-2 completed 2', 'agent-3 completed 2');
    expect(told(chat, before)).toEqual(['PART b', 'PART c']);
    expect(chat.server.requests.slice(before).some(({ raw }) => raw.includes('Go on where you were interrupted'))).toBe(false);
    await eventually(() => expect(ordersOf(chat)).toEqual([]));
    await reload(chat);
    expect(await states(chat)).toEqual(['agent-1 interrupted 1', 'agent-2 completed 2', 'agent-3 completed 2']);
  });

  it('are there after a reload when they were stopped before, and do their work when the user wants it', async () => {
    const chat = await nodeChat({ settings: ONE_AT_A_TIME });
    const held = gate();
    chat.server.setScript(
      scripts(startsInBackground('a', 'b'), async () => {
        await held.pass();
        return reply().text('Found.');
      }),
    );
    await chat.say('Go');
    await become(chat, 'agent-1 working 1', 'agent-2 queued 1');
    await chat.host.host.elves.stop(chat.conversation.session);
    held.open();
    await become(chat, 'agent-1 cancelled 1', 'agent-2 cancelled 1');
    await reload(chat);
    expect(await states(chat)).toEqual(['agent-1 cancelled 1', 'agent-2 cancelled 1']);
    const before = chat.server.requests.length;
    await goOn(chat, 'agent-2');
    await become(chat, 'agent-1 cancelled 1', 'agent-2 completed 2');
    expect(told(chat, before)).toEqual(['PART b']);
  });

  it('have the model that they were started with, and know what they were to do when a model tells them to go on', async () => {
    const chat = await nodeChat({ settings: ONE_AT_A_TIME });
    const held = gate();
    chat.server.setScript(
      scripts(
        (request) =>
          results(request).length === 0
            ? givesAway(inBackground('a'), { ...inBackground('b'), model: 'anthropic/claude-haiku-4-5', effort: 'high' })(request)
            : reply().text('Meanwhile.'),
        async () => {
          await held.pass();
          return reply().text('Found.');
        },
      ),
    );
    await chat.say('Go');
    await become(chat, 'agent-1 working 1', 'agent-2 queued 1');
    await reload(chat);
    held.open();
    const before = chat.server.requests.length;
    chat.server.setScript(
      scripts(
        (request) =>
          results(request).length === 0 ? reply().toolCall('agent', { description: 'More', prompt: 'Now.', agent_id: 'agent-2' }) : says('Well.')(request),
        says('Found b.'),
      ),
    );
    await chat.say('Have it go on');
    await become(chat, 'agent-1 interrupted 1', 'agent-2 completed 2');
    const [asked] = chat.server.requests.slice(before).filter((request) => partOf(request) !== '');
    expect([asked?.body.model, asked === undefined ? '' : partOf(asked)]).toEqual(['claude-haiku-4-5', 'PART b']);
    expect(asked?.raw).toContain('Now.');
  });

  it('that could not begin do what they were to do once they can', async () => {
    const agent = '---\nname: checker\ndescription: Checks.\n---\nCheck.\n';
    const chat = await nodeChat({ settings: ONE_AT_A_TIME, inFolder: { '.claude/agents/checker.md': agent } });
    const held = gate();
    chat.server.setScript(
      scripts(
        (request) =>
          results(request).length === 0 ? givesAway(inBackground('a'), { ...part('b', 'checker'), background: true })(request) : reply().text('Meanwhile.'),
        async () => {
          await held.pass();
          return reply().text('Found.');
        },
      ),
    );
    await chat.say('Go');
    await become(chat, 'agent-1 working 1', 'agent-2 queued 1');
    const { agents } = chat.host.host;
    rmSync(chat.at('.claude/agents/checker.md'));
    await eventually(async () => {
      await agents.ready();
      expect(agents.find('checker')).toBeUndefined();
    });
    held.open();
    await become(chat, 'agent-1 completed 1', 'agent-2 failed 1');
    writeFileSync(chat.at('.claude/agents/checker.md'), agent);
    await eventually(async () => {
      await agents.ready();
      expect(agents.find('checker')).toBeDefined();
    });
    const before = chat.server.requests.length;
    await goOn(chat, 'agent-2');
    await become(chat, 'agent-1 completed 1', 'agent-2 completed 2');
    expect(told(chat, before)).toEqual(['PART b']);
  });
});

describe('the tab of an agent that waits for a place', () => {
  it('takes what the user writes: that is done first, and what it waits for is done in its place, as two runs', async () => {
    const chat = await nodeChat({ settings: ONE_AT_A_TIME });
    chat.server.setScript(scripts(startsInBackground('a'), says('Found.')));
    await chat.say('Go');
    await become(chat, 'agent-1 completed 1');
    const [busy, written] = [gate(), gate()];
    let atOnce = 0;
    let most = 0;
    chat.server.setScript(
      scripts(
        (request) =>
          results(request).length === 0
            ? givesAway(inBackground('b'), { description: 'More', prompt: 'FROM THE MODEL', agent_id: 'agent-1', background: true })(request)
            : reply().text('Meanwhile.'),
        async (request) => {
          if (partOf(request) === 'PART b') {
            await busy.pass();
            return reply().text('Found b.');
          }
          atOnce += 1;
          most = Math.max(most, atOnce);
          if (!request.raw.includes('FROM THE MODEL')) await written.pass();
          atOnce -= 1;
          return reply().text('Done.');
        },
      ),
    );
    await chat.say('And more');
    await become(chat, 'agent-1 queued 2', 'agent-2 working 1');
    const { session, release } = await chat.host.host.elves.hold(chat.conversation.session, 'agent-1');
    const tab = new Conversation(session, {}, { questions: new OpenQuestions(), of: { chat: chat.conversation, release } });
    const { turn } = tab.send([{ type: 'text', text: 'FROM THE USER' }]);
    await become(chat, 'agent-1 working 3', 'agent-2 working 1');
    // Its place comes while it is at work for the user.
    busy.open();
    await become(chat, 'agent-1 working 3', 'agent-2 completed 1');
    written.open();
    expect((await turn).end).toBe('end_turn');
    await become(chat, 'agent-1 completed 3', 'agent-2 completed 1');
    const said = session.messages.filter(({ role }) => role === 'user').map((message) => JSON.stringify(message.content));
    expect(said.filter((words) => words.includes('FROM THE USER'))).toHaveLength(1);
    expect(said.filter((words) => words.includes('FROM THE MODEL'))).toHaveLength(1);
    expect(said.findIndex((words) => words.includes('FROM THE USER'))).toBeLessThan(said.findIndex((words) => words.includes('FROM THE MODEL')));
    expect(most).toBe(1);
    await tab.close('other');
    await reload(chat);
    expect(await states(chat)).toEqual(['agent-1 completed 3', 'agent-2 completed 1']);
  });

  it('has another try of the user count as a run of its own', async () => {
    const chat = await nodeChat({ settings: { 'gnomon.maxRetries': 0 } });
    chat.server.setScript(scripts(startsInBackground('a'), () => httpError(429, 'rate_limit_error', 'Too many.')));
    await chat.say('Go');
    await become(chat, 'agent-1 failed 1');
    const { session, release } = await chat.host.host.elves.hold(chat.conversation.session, 'agent-1');
    chat.server.setScript(says('Found.'));
    await session.retry().turn;
    await become(chat, 'agent-1 completed 2');
    await release();
  });
});

/** When an agent is told something: so many turns of the event loop after one of its requests was answered, or after it was started. */
interface Moment {
  readonly request: number;
  readonly ticks: number;
}

/** What happens to an agent that is told this and that. */
interface Talk {
  readonly moments: readonly Moment[];
  /** Its request that fails, and the moment at which it is stopped; absent: none, and never. */
  readonly failing: number | undefined;
  readonly stop: Moment | undefined;
  /** Whether the window is closed when everything was said. */
  readonly reloaded: boolean;
}

const moment = fc.record({ request: fc.nat(3), ticks: fc.nat(60) });
/** Something in every fourth case. */
const seldom = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, value);
const talks: fc.Arbitrary<Talk> = fc.record({
  moments: fc.array(moment, { minLength: 1, maxLength: 5 }),
  failing: seldom(fc.nat(3)),
  stop: seldom(moment),
  reloaded: fc.nat(3).map((number) => number === 0),
});

/** Talks of which all are tried. */
const TALKS = 100;

describe('a message to an agent', () => {
  it('is heard out when its last answer is on its way: another request has it', async () => {
    const chat = await nodeChat();
    const held = gate();
    const tells: Script = (request) => {
      switch (request.body.messages.filter(({ role }) => role === 'assistant').length) {
        case 0:
          return reply().toolCall('agent', inBackground('a'));
        case 1:
          return reply().toolCall('agent', { description: 'More', prompt: 'AND THIS', agent_id: 'agent-1' });
        default:
          held.open();
          return reply().text(results(request).join(' '));
      }
    };
    chat.server.setScript(
      scripts(
        async (request) => {
          if (results(request).length > 0) await held.reached;
          return tells(request);
        },
        async (request) => {
          if (!request.raw.includes('AND THIS')) await held.pass();
          return reply().text('Found.');
        },
      ),
    );
    expect(JSON.stringify((await chat.say('Go')).messages.at(-1))).toContain('agent-1 was told');
    await become(chat, 'agent-1 completed 1');
    const asked = chat.server.requests.filter((request) => partOf(request) !== '').map(({ raw }) => raw.includes('AND THIS'));
    expect(asked).toEqual([false, true]);
  });

  it('is seen by its model exactly once, or refused, whenever it comes', { timeout: 300_000 }, async () => {
    const chat = await nodeChat({ settings: { 'gnomon.agents.maxTotal': 100_000, 'gnomon.maxRetries': 0 } });
    let number = 0;
    const tried = async (talk: Talk): Promise<void> => {
      number += 1;
      await talkedTo(chat, `agent-${number}`, talk);
    };
    await fc.assert(fc.asyncProperty(talks, tried), { numRuns: runs(TALKS), endOnFailure: true });
  });
});

async function talkedTo(chat: NodeChat, name: string, { moments, failing, stop, reloaded }: Talk): Promise<void> {
  const answered: (() => void)[] = [];
  const after = Array.from({ length: 4 }, (_, index) => new Promise<void>((resolve) => (answered[index] = resolve)));
  let requests = 0;
  chat.server.setScript(
    scripts(startsInBackground(name), () => {
      const request = requests;
      requests += 1;
      answered[request]?.();
      return request === failing ? httpError(429, 'rate_limit_error', 'Too many.') : reply().text('Done.');
    }),
  );
  await chat.say('Go');
  const at = async ({ request, ticks }: Moment): Promise<void> => {
    // Without another request, the last one counts.
    await Promise.race([after[request], atRest(chat, name)]);
    for (let tick = 0; tick < ticks; tick += 1) await nextTick();
  };
  const work = { session: chat.conversation.id, background: true, signal: new AbortController().signal, tell: () => undefined };
  const { elves } = chat.host.host;
  const content = contentOf(await elves.typeOf(await elves.find(chat.conversation.id, name)));
  const accepted = await Promise.all([
    ...moments.map(async (when, index) => {
      await at(when);
      const words = `MESSAGE ${name}/${index};`;
      try {
        await elves.tell(name, { ...work, callId: `call-${name}-${index}`, prompt: words, content });
        return words;
      } catch (error) {
        if (!(error instanceof ToolInputError)) throw error;
        return '';
      }
    }),
    ...(stop === undefined
      ? []
      : [
          at(stop)
            .then(() => elves.stop(chat.conversation.session, name))
            .then(() => ''),
        ]),
  ]);
  const seen = (): readonly number[] => {
    const last = chat.server.requests.findLast((request) => partOf(request) === `PART ${name}`)?.raw ?? '';
    return [`PART ${name}`, ...accepted.filter((words) => words !== '')].map((words) => last.split(words).length - 1);
  };
  const once = seen().map(() => 1);
  if (reloaded) await reload(chat);
  await atRest(chat, name);
  // What was stopped or has failed knows the rest when it goes on.
  if (!reloaded && failing === undefined && stop === undefined) expect(seen()).toEqual(once);
  chat.server.setScript(says('Done at last.'));
  await goOn(chat, name);
  await atRest(chat, name);
  expect(seen()).toEqual(once);
}

/** Resolves when an agent does nothing. */
async function atRest({ host, conversation }: NodeChat, name: string): Promise<void> {
  const household = await host.host.elves.of(conversation.session);
  await household.until(() => household.find(name)?.isWorking === false, new AbortController().signal);
}

describe('E-02: a run that was stopped before it began', () => {
  it('is still there when the next one has not begun either before the window closes', async () => {
    const files = new ElfOrders(temporaryFolder(), { info: fail, warn: fail, error: fail });
    const elf = { name: 'agent-1', callId: 'call', type: 'general', task: 'Look', background: true };
    const orders = new Orders((order) => files.keep(elf, order));
    const [first, second] = [1, 2].map((second) => ({ state: 'pending', since: `2026-01-01T00:00:0${second}Z`, rounds: 0 }) as const);
    if (first === undefined || second === undefined) throw new Error('There are two.');
    orders.add({ prompt: 'one' }, first);
    orders.end({ state: 'cancelled', durationMs: 0 });
    orders.add({ prompt: 'two' }, second);
    await orders.settled();
    const [stored] = withOrders([], await files.all());
    expect(stored?.stored).toMatchObject({ runs: [{ ...first, state: 'cancelled' }], order: { prompts: ['one', 'two'], run: second } });
    const later = new Orders((order) => files.keep(elf, order), stored?.stored?.order);
    later.end({ state: 'cancelled', durationMs: 0 });
    await later.settled();
    expect((await files.all())[0]?.order.before).toEqual([{ ...first, state: 'cancelled', durationMs: 0 }]);
    later.words();
    later.begun();
    await later.settled();
    expect(await files.all()).toEqual([]);
  });
});

function fail(...words: readonly unknown[]): void {
  expect.unreachable(words.join(' '));
}
