import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { elfViews, wholeActivity } from '../../../src/chat/projection/elf-view.js';
import { Conversation, OpenQuestions } from '../../../src/chat/conversation/conversation.js';
import type { Household } from '../../../src/elf/household.js';
import type { ViewElf } from '../../../src/protocol/view-state.js';
import { eventually } from '../../support/eventually.js';
import { calls, givesAway, part, partOf, results, says, type Script, scripts } from '../../support/gives-away.js';
import { gate, httpError, reply } from '../../support/model-server/index.js';
import { type NodeChat, nodeChat } from './node-chat.js';

const inBackground = (name: string): object => ({ ...part(name), background: true });
const household = ({ host, conversation }: NodeChat): Promise<Household> => host.host.elves.of(conversation.session);
const views = async (chat: NodeChat): Promise<readonly ViewElf[]> => elfViews(await household(chat), (key) => ({ model: key, provider: '' }));
const states = async (chat: NodeChat): Promise<readonly string[]> => (await views(chat)).map(({ id, state }) => `${id} ${state}`);
const becomes = (chat: NodeChat, ...wanted: readonly string[]): Promise<void> =>
  eventually(async () => {
    expect(await states(chat)).toEqual(wanted);
  });

/** Starts agents in the background, says a word, and leaves them at work. */
async function leftAtWork(chat: NodeChat, agent: Script, ...names: readonly string[]): Promise<void> {
  chat.server.setScript(
    scripts((request) => (results(request).length === 0 ? givesAway(...names.map(inBackground))(request) : reply().text('Meanwhile.')), agent),
  );
  await chat.say('Go');
}

describe('the agents of a chat', () => {
  it('E-10: wait in the order in which they were started, with their places in the queue', async () => {
    const chat = await nodeChat({ settings: { 'gnomon.agents.maxAtOnce': 1 } });
    const held = gate();
    await leftAtWork(
      chat,
      async (request) => {
        await held.pass();
        return reply().text(partOf(request));
      },
      'a',
      'b',
      'c',
    );
    await becomes(chat, 'agent-1 working', 'agent-2 queued', 'agent-3 queued');
    expect((await views(chat)).map(({ position }) => position)).toEqual([undefined, 1, 2]);
    held.open();
    await becomes(chat, 'agent-1 completed', 'agent-2 completed', 'agent-3 completed');
  });

  it('E-65, E-69: are at work while the chat is idle, and wait for the user there', async () => {
    const chat = await nodeChat();
    await leftAtWork(chat, calls('bash', { command: 'touch made.txt' }), 'a');
    const { id } = await chat.prompt();
    await becomes(chat, 'agent-1 waiting');
    // A message can be sent meanwhile.
    expect([chat.conversation.session.state, chat.conversation.busy, chat.shown.activity]).toEqual(['idle', true, 'idle']);
    expect(wholeActivity({ activity: 'idle', elves: await views(chat) })).toBe('waiting');
    expect(id).toContain('/');
    await chat.deny();
    await becomes(chat, 'agent-1 completed');
    await eventually(() => expect([chat.conversation.busy, chat.shown.activity]).toEqual([false, 'idle']));
  });

  it('E-66: ask nothing any more once they are stopped', async () => {
    const chat = await nodeChat();
    await leftAtWork(chat, calls('bash', { command: 'touch made.txt' }), 'a');
    const { id } = await chat.prompt();
    await chat.host.host.elves.stop(chat.conversation.session, 'agent-1');
    await becomes(chat, 'agent-1 cancelled');
    expect([chat.prompts, chat.shown.activity]).toEqual([[], 'idle']);
    expect(chat.conversation.answer(id, { type: 'allow' })).toBe(false);
    expect(chat.isThere('made.txt')).toBe(false);
  });

  it('E-06: are spared in the background when the turn that has started them is stopped; the others end with it', async () => {
    const chat = await nodeChat();
    const held = gate();
    chat.server.setScript(
      scripts(givesAway(inBackground('a'), part('b')), async () => {
        await held.pass();
        return reply().text('Found.');
      }),
    );
    chat.send('Go');
    await becomes(chat, 'agent-1 working', 'agent-2 working');
    chat.conversation.session.cancel();
    await chat.ended();
    expect(await states(chat)).toEqual(['agent-1 working', 'agent-2 cancelled']);
    expect(chat.notices).toContain('Agents in the background go on. You can stop them above the message box.');
    held.open();
    await becomes(chat, 'agent-1 completed', 'agent-2 cancelled');
  });

  it('E-70: are named to the model of the chat with its next message, as long as it does not know how they have ended', async () => {
    const chat = await nodeChat();
    await leftAtWork(chat, says('Found.'), 'a');
    await becomes(chat, 'agent-1 completed');
    chat.server.setScript(says('I see.'));
    await chat.say('And?');
    expect(chat.sent).toContain('agent-1 (general: Look at a): completed');
  });
});

describe('E-12: what agents may use together', () => {
  it.each([
    ['money', { 'gnomon.agents.maxCostUsd': 0.000001 }],
    ['tokens', { 'gnomon.agents.maxTokens': 1 }],
  ])('is a limit of %s beside that of the chat, which goes on; with a higher one they do, too', async (_what, settings: Record<string, number>) => {
    const chat = await nodeChat({ settings });
    // The first request is sent, as something is left; those after it are not.
    chat.server.setScript(scripts(givesAway(part('a'), part('b'), part('c')), calls('read', { file_path: 'a.txt' })));
    const turn = await chat.say('Go');
    expect(turn.end).toBe('end_turn');
    expect(chat.server.requests.filter((request) => partOf(request) !== '')).toHaveLength(1);
    expect((await views(chat)).map(({ state, left }) => [state, left?.replace(/^0 tokens$/, '$0.00')])).toEqual(
      Array.from({ length: 3 }, () => ['failed', '$0.00']),
    );
    expect((await views(chat))[0]?.problem).toMatch(/limit/);
  });
});

describe('E-33, E-77: two that change one file', () => {
  it('the second is refused, and told who has changed it and how', async () => {
    const chat = await nodeChat({ inFolder: { 'both.txt': 'one\ntwo\nthree\n' } });
    await chat.begin('acceptEdits');
    const read = gate();
    const written = gate();
    const edit = (line: string): object => ({ file_path: 'both.txt', edits: [{ old_string: line, new_string: line.toUpperCase() }] });
    chat.server.setScript(
      scripts(givesAway(part('a'), part('b')), async (request) => {
        const done = request.body.messages.filter(({ role }) => role === 'assistant').length;
        if (partOf(request) === 'PART a') {
          if (done === 0) {
            await read.pass();
            return reply().toolCall('edit', edit('one'));
          }
          written.open();
          return reply().text('A is done.');
        }
        if (done === 0) return reply().toolCall('read', { file_path: 'both.txt' });
        if (done === 1) {
          read.open();
          await written.pass();
          return reply().toolCall('edit', edit('three'));
        }
        return reply().text(results(request).join(' '));
      }),
    );
    await chat.say('Go');
    expect(chat.sent).toContain('both.txt has changed since it was read. Read it again, then change it. Changed by the agent general (Look at a):');
    expect(chat.sent).toContain('-one\\n+ONE');
    expect(chat.sent).not.toContain('THREE');
  });
});

describe('E-71: an agent whose provider refuses its third request', () => {
  it.each([
    ['a rate limit', 429, 'rate_limit_error', 'Too many.'],
    ['an exceeded quota', 400, 'invalid_request_error', 'Your credit balance is too low to access the API.'],
  ])('has failed by %s, and goes on without another run of what was done', async (_why, status, type, words) => {
    const chat = await nodeChat({ settings: { 'gnomon.maxRetries': 0 } });
    const commands = ['echo once >> done.txt', 'echo twice >> done.txt'];
    chat.conversation.setMode('bypassPermissions');
    await leftAtWork(
      chat,
      (request) => {
        const command = commands[request.body.messages.filter(({ role }) => role === 'assistant').length];
        return command === undefined ? httpError(status, type, words) : reply().toolCall('bash', { command });
      },
      'a',
    );
    await becomes(chat, 'agent-1 failed');
    const before = chat.server.requests.length;
    chat.server.setScript(says('Found.'));
    await chat.host.host.elves.goOn(chat.conversation.session, 'agent-1');
    await becomes(chat, 'agent-1 completed');
    const again = chat.server.requests.slice(before);
    expect(again.map(({ raw }) => raw.split('"tool_use"').length - 1)).toEqual([2]);
    expect(readFileSync(chat.at('done.txt'), 'utf8')).toBe('once\ntwice\n');
  });
});

describe('depth', () => {
  const deeper: Script = (request) => {
    const [result] = results(request);
    if (result !== undefined) return reply().text(`${partOf(request)} < ${result}`);
    const depth = Number(partOf(request).slice(5));
    const offered = request.body.tools?.some(({ name }) => name === 'agent') === true;
    return offered ? reply().toolCall('agent', part(`${depth + 1}`)) : reply().text(`the deepest is ${depth}`);
  };

  it.each([
    [1, 'the deepest is 0'],
    [2, 'PART 0 < the deepest is 1'],
    [3, 'PART 0 < PART 1 < the deepest is 2'],
    [9, 'PART 0 < PART 1 < the deepest is 2'],
  ])('E-10, E-51: of %i has agents start others so far and no further, also where only one can work at a time', async (depth, words) => {
    const chat = await nodeChat({ settings: { 'gnomon.agents.maxDepth': depth, 'gnomon.agents.maxAtOnce': 1 } });
    chat.server.setScript(scripts(givesAway(part('0')), deeper));
    const turn = await chat.say('Go');
    expect(JSON.stringify(turn.messages.at(-1))).toContain(words);
    expect((await views(chat)).map(({ parent = '', id }) => `${parent}>${id}`)).toEqual(
      ['>agent-1', 'agent-1>agent-2', 'agent-2>agent-3'].slice(0, Math.min(depth, 3)),
    );
  });

  it('E-10: an agent whose own agent is stopped waits for a place again before it goes on', async () => {
    const chat = await nodeChat({ settings: { 'gnomon.agents.maxDepth': 2, 'gnomon.agents.maxAtOnce': 1 } });
    const held = gate();
    const log: string[] = [];
    const agent: Script = async (request) => {
      if (partOf(request) === 'PART c') {
        await held.pass();
        log.push('c has ended');
        return reply().text('Found c.');
      }
      if (results(request).length === 0) return reply().toolCall('agent', part('b'));
      log.push('a goes on');
      return reply().text('Found a.');
    };
    await leftAtWork(chat, agent, 'a', 'c');
    await becomes(chat, 'agent-1 working', 'agent-2 working', 'agent-3 queued');
    await chat.host.host.elves.stop(chat.conversation.session, 'agent-3');
    await becomes(chat, 'agent-1 working', 'agent-2 working', 'agent-3 cancelled');
    // As much time as a request takes.
    chat.server.setScript(scripts(says('Well.'), agent));
    await chat.say('And?');
    held.open();
    await becomes(chat, 'agent-1 completed', 'agent-2 completed', 'agent-3 cancelled');
    expect(log).toEqual(['c has ended', 'a goes on']);
  });

  it('counts to the token at every level', async () => {
    const chat = await nodeChat({ settings: { 'gnomon.agents.maxDepth': 3 } });
    const counted = { input_tokens: 100, output_tokens: 10 };
    chat.server.setScript((request) => {
      const made = scripts(givesAway(part('0'), part('5')), deeper)(request);
      return 'usage' in made ? made.usage(counted, counted) : made;
    });
    await chat.say('Go');
    const { usage } = chat.conversation.session;
    expect([usage.inputTokens, usage.outputTokens]).toEqual([chat.server.requests.length * 100, chat.server.requests.length * 10]);
  });
});

describe('E-34: a window that is closed while agents work', () => {
  it('leaves them interrupted, what they did is there, and they go on when the user wants it', async () => {
    const chat = await nodeChat();
    const held = gate();
    await leftAtWork(
      chat,
      async (request) => {
        if (partOf(request) === 'PART a') return reply().text('Found a.');
        if (results(request).length === 0) return reply().toolCall('bash', { command: 'true' });
        await held.pass();
        return reply().text('Found b.');
      },
      'a',
      'b',
    );
    await becomes(chat, 'agent-1 completed', 'agent-2 working');
    await eventually(() => expect(chat.server.requests.filter((request) => partOf(request) === 'PART b')).toHaveLength(2));
    const { id } = chat.conversation.session;
    await chat.conversation.session.close();
    held.open();
    const questions = new OpenQuestions();
    chat.conversation = new Conversation(await chat.host.reopen(id), {}, { questions });
    expect(await states(chat)).toEqual(['agent-1 completed', 'agent-2 interrupted']);
    const before = chat.server.requests.length;
    chat.server.setScript(says('Found b at last.'));
    await chat.host.host.elves.goOn(chat.conversation.session, 'agent-2');
    await becomes(chat, 'agent-1 completed', 'agent-2 completed');
    const again = chat.server.requests.slice(before);
    // What it did is known to it, and is not done again.
    expect(again).toHaveLength(1);
    expect(again[0]?.raw).toContain('Go on where you were interrupted.');
    expect(again[0]?.raw).toContain('PART b');
    expect((await views(chat)).map(({ runs }) => runs)).toEqual([1, 2]);
  });
});

describe('E-34: an agent that has ended before its chat was opened again', () => {
  it('is named to the model of the chat, which gets what it said, until it knows that', async () => {
    const chat = await nodeChat();
    chat.server.setScript(scripts(givesAway(inBackground('a')), says('Found a.')));
    await chat.say('Go');
    await becomes(chat, 'agent-1 completed');
    const { id } = chat.conversation.session;
    const again = async (): Promise<string> => {
      await chat.conversation.session.close();
      chat.conversation = new Conversation(await chat.host.reopen(id), {}, { questions: new OpenQuestions() });
      await states(chat);
      const before = chat.server.requests.length;
      chat.server.setScript(calls('agents', { action: 'result', id: 'agent-1' }));
      await chat.say('What came of it?');
      return JSON.stringify(chat.server.requests[before]?.body.messages.at(-1));
    };
    expect(await again()).toContain('agent-1 (general: Look at a): completed');
    expect(chat.results).toEqual(['agent-1 (general: Look at a): completed\nFound a.']);
    expect(await again()).not.toContain('agent-1 (general: Look at a)');
  });
});

describe('an agent in the background of one that another agent waits for', () => {
  it('goes on when both have ended, and what it is denied then is listed with the next turn of the chat', async () => {
    const chat = await nodeChat({ settings: { 'gnomon.agents.maxDepth': 3 } });
    await chat.begin('plan');
    const held = gate();
    const STARTS: Readonly<Record<string, object>> = { 'PART a': part('b'), 'PART b': inBackground('c') };
    chat.server.setScript(
      scripts(givesAway(part('a')), async (request) => {
        const starts = STARTS[partOf(request)];
        if (starts !== undefined) return givesAway(starts)(request);
        await held.pass();
        return calls('write', { file_path: 'made.txt', content: 'made' })(request);
      }),
    );
    expect((await chat.say('Go')).denials).toEqual([]);
    await becomes(chat, 'agent-1 completed', 'agent-2 completed', 'agent-3 working');
    held.open();
    await becomes(chat, 'agent-1 completed', 'agent-2 completed', 'agent-3 completed');
    await expect.poll(() => chat.conversation.session.childState).toBe('idle');
    chat.server.setScript(says('I see.'));
    expect((await chat.say('And?')).denials).toMatchObject([{ toolName: 'write', agent: 'general' }]);
    expect((await chat.say('And now?')).denials).toEqual([]);
  });
});

describe('E-34: a chat that is closed while agents of agents work', () => {
  it.each([false, true])('closes, and leaves all of them interrupted (with one that is waited for: %s)', async (waits) => {
    const chat = await nodeChat({ settings: { 'gnomon.agents.maxDepth': 2 } });
    const held = gate();
    await leftAtWork(
      chat,
      async (request) => {
        const isFirst = partOf(request) === 'PART a' && results(request).length === 0;
        if (isFirst) return givesAway(inBackground('b'), ...(waits ? [part('c')] : []))(request);
        await held.pass();
        return reply().text('Found.');
      },
      'a',
    );
    const names = ['agent-1', 'agent-2', ...(waits ? ['agent-3'] : [])];
    await becomes(chat, ...names.map((name) => `${name} working`));
    const { id } = chat.conversation.session;
    await chat.conversation.session.close();
    held.open();
    chat.conversation = new Conversation(await chat.host.reopen(id), {}, { questions: new OpenQuestions() });
    expect(await states(chat)).toEqual(names.map((name) => `${name} interrupted`));
  });
});

describe('an agent that the user looks at', () => {
  it('shows what it does, can be written to, and ends with no more than being left', async () => {
    const chat = await nodeChat();
    await leftAtWork(chat, says('Found.'), 'a');
    await becomes(chat, 'agent-1 completed');
    const { session, release } = await chat.host.host.elves.hold(chat.conversation.session, 'agent-1');
    const shown = new Conversation(session, {}, { questions: new OpenQuestions(), of: { chat: chat.conversation, release } });
    expect(shown.view.state.items.map(({ kind }) => kind)).toEqual(['user', 'answer']);
    const held = gate();
    chat.server.setScript(async () => {
      await held.pass();
      return reply().text('More.');
    });
    const further = shown.send([{ type: 'text', text: 'And then?' }]).turn;
    await becomes(chat, 'agent-1 working');
    // It is at work, and has not been interrupted.
    const other = new Conversation(session, {}, { questions: new OpenQuestions(), of: { chat: chat.conversation, release } });
    expect(other.view.state.items.map(({ kind }) => kind)).toEqual(['user', 'answer', 'user']);
    held.open();
    await further;
    expect((await views(chat)).map(({ runs, state }) => [runs, state])).toEqual([[2, 'completed']]);
    await shown.close('other');
    expect(session.closed).toBe(true);
    expect(await states(chat)).toEqual(['agent-1 completed']);
  });

  it('E-68: never has more than its chat: the mode that is chosen for it is that of the chat', async () => {
    const chat = await nodeChat();
    await leftAtWork(chat, says('Found.'), 'a');
    await becomes(chat, 'agent-1 completed');
    const { session, release } = await chat.host.host.elves.hold(chat.conversation.session, 'agent-1');
    const shown = new Conversation(session, {}, { questions: new OpenQuestions(), of: { chat: chat.conversation, release } });
    shown.setMode('plan');
    expect([chat.conversation.session.mode, session.effectiveMode]).toEqual(['plan', 'plan']);
    await shown.close('other');
  });
});

const READER = '---\nname: reader\ndescription: Reads.\ntools: Read, Agent, agents\n---\nRead.\n';
const writes = calls('write', { file_path: 'made.txt', content: 'x' });
const withReader = (): Promise<NodeChat> => nodeChat({ inFolder: { '.claude/agents/reader.md': READER }, settings: { 'gnomon.agents.maxAtOnce': 1 } });
const sendAs = async (chat: NodeChat, name: string): Promise<void> => {
  await chat.host.host.agents.ready();
  await chat.conversation.send([{ type: 'text', text: 'Go' }], { agent: chat.host.host.agents.find(name) }).turn;
};

describe('a chat that is closed', () => {
  it('ends those that wait for a place or are being opened: nothing is asked of a model, and nothing is written', async () => {
    const chat = await nodeChat({ settings: { 'gnomon.agents.maxAtOnce': 1 } });
    chat.conversation.setMode('acceptEdits');
    const held = gate();
    await leftAtWork(
      chat,
      async (request) => {
        if (partOf(request) === 'PART a') await held.pass();
        return writes(request);
      },
      'a',
      'b',
    );
    await becomes(chat, 'agent-1 working', 'agent-2 queued');
    const list = await household(chat);
    await chat.conversation.session.close();
    held.open();
    expect(list.facts.map(({ interrupted }) => interrupted)).toEqual([true, true]);
    expect(chat.server.requests.filter((request) => partOf(request) === 'PART b')).toEqual([]);
    expect([chat.isThere('made.txt'), chat.conversation.session.childState]).toEqual([false, 'idle']);
  });
});

describe('E-20: an agent of a turn that may do less', () => {
  it('holds for those that it starts in the background, also once its turn is over', async () => {
    const chat = await withReader();
    chat.conversation.setMode('acceptEdits');
    const held = gate();
    chat.server.setScript(
      scripts(
        (request) => (results(request).length === 0 ? givesAway(inBackground('a'), inBackground('b'))(request) : reply().text('Meanwhile.')),
        async (request) => {
          if (results(request).length === 0) await held.pass();
          return writes(request);
        },
      ),
    );
    await sendAs(chat, 'reader');
    held.open();
    await becomes(chat, 'agent-1 completed', 'agent-2 completed');
    expect(chat.isThere('made.txt')).toBe(false);
  });

  it.each([false, true])('holds for those that it has go on (while they are looked at: %s)', async (isOpen) => {
    const chat = await withReader();
    chat.conversation.setMode('acceptEdits');
    await leftAtWork(chat, says('Found.'), 'a');
    await becomes(chat, 'agent-1 completed');
    const held = isOpen ? await chat.host.host.elves.hold(chat.conversation.session, 'agent-1') : undefined;
    chat.server.setScript(scripts(calls('agent', { description: 'More', prompt: 'Write', agent_id: 'agent-1' }), writes));
    await sendAs(chat, 'reader');
    await held?.release();
    expect(chat.isThere('made.txt')).toBe(false);
  });

  it('holds at once where it is chosen for the chat while they work', async () => {
    const chat = await withReader();
    chat.conversation.setMode('acceptEdits');
    const held = gate();
    await leftAtWork(
      chat,
      async (request) => {
        if (results(request).length === 0) await held.pass();
        return writes(request);
      },
      'a',
    );
    await becomes(chat, 'agent-1 working');
    await chat.host.host.agents.ready();
    chat.conversation.setAgent(chat.host.host.agents.find('reader'));
    held.open();
    await becomes(chat, 'agent-1 completed');
    expect(chat.isThere('made.txt')).toBe(false);
  });

  it('holds for a call that the user is asked about when it is chosen, and for those behind it in the same answer', async () => {
    const chat = await withReader();
    const touches = ['one.txt', 'two.txt'].reduce((all, name) => all.toolCall('bash', { command: `touch ${name}` }), reply());
    await leftAtWork(chat, (request) => (results(request).length === 0 ? touches : reply().text('Done.')), 'a');
    await chat.prompt();
    await chat.host.host.agents.ready();
    chat.conversation.setAgent(chat.host.host.agents.find('reader'));
    await chat.allow();
    await becomes(chat, 'agent-1 completed');
    expect([chat.isThere('one.txt'), chat.isThere('two.txt')]).toEqual([false, false]);
  });

  it('cannot be taken off in the tab of an agent', async () => {
    const chat = await withReader();
    await leftAtWork(chat, says('Found.'), 'a');
    await becomes(chat, 'agent-1 completed');
    const { session, release } = await chat.host.host.elves.hold(chat.conversation.session, 'agent-1');
    const shown = new Conversation(session, {}, { questions: new OpenQuestions(), of: { chat: chat.conversation, release } });
    expect(() => shown.setAgent(undefined)).toThrow('This agent works for a chat');
    await shown.close('other');
  });
});

describe('cmd-44: what a chat may not do, its agents may not, whenever that begins', () => {
  /** Ways in which a chat is narrowed. */
  const WAYS: Readonly<Record<string, (chat: NodeChat) => void>> = {
    'the mode Plan': (chat) => chat.conversation.setMode('plan'),
    'an agent that only reads': (chat) => chat.conversation.setAgent(chat.host.host.agents.find('reader')),
    'a rule of the session': ({ host, conversation }) =>
      host.host.permissions.sessionRules.update(conversation.id, { type: 'addRules', effect: 'deny', rules: ['Edit'] }),
  };
  const goesOn = (chat: NodeChat): Promise<void> => chat.host.host.elves.goOn(chat.conversation.session, 'agent-1');
  /** Moments for that, with what the agent does then. */
  const MOMENTS: Readonly<Record<string, (chat: NodeChat, narrow: () => void) => Promise<void>>> = {
    'before it is started': async (chat, narrow) => {
      narrow();
      await leftAtWork(chat, writes, 'a');
    },
    'while it works': async (chat, narrow) => {
      const held = gate();
      await leftAtWork(
        chat,
        async (request) => {
          if (results(request).length === 0) await held.pass();
          return writes(request);
        },
        'a',
      );
      await becomes(chat, 'agent-1 working');
      narrow();
      held.open();
    },
    'before it goes on': async (chat, narrow) => {
      await leftAtWork(chat, says('Found.'), 'a');
      await becomes(chat, 'agent-1 completed');
      narrow();
      chat.server.setScript(writes);
      await goesOn(chat);
    },
    'while it is looked at, before it goes on': async (chat, narrow) => {
      await leftAtWork(chat, says('Found.'), 'a');
      await becomes(chat, 'agent-1 completed');
      const { release } = await chat.host.host.elves.hold(chat.conversation.session, 'agent-1');
      narrow();
      chat.server.setScript(writes);
      await goesOn(chat);
      await becomes(chat, 'agent-1 completed');
      await release();
    },
  };

  it.each(Object.keys(WAYS).flatMap((way) => Object.keys(MOMENTS).map((moment) => [way, moment] as const)))('%s, %s', async (way, moment) => {
    const chat = await withReader();
    await chat.host.host.agents.ready();
    chat.conversation.setMode('acceptEdits');
    await MOMENTS[moment]?.(chat, () => WAYS[way]?.(chat));
    await becomes(chat, 'agent-1 completed');
    expect(chat.server.requests.length).toBeGreaterThan(2);
    expect(chat.isThere('made.txt')).toBe(false);
  });

  it('and what it may do, they do', async () => {
    const chat = await withReader();
    chat.conversation.setMode('acceptEdits');
    await leftAtWork(chat, writes, 'a');
    await becomes(chat, 'agent-1 completed');
    expect(chat.isThere('made.txt')).toBe(true);
  });

  it('also where one that was told by less is told again by more while it works', async () => {
    const chat = await withReader();
    chat.conversation.setMode('acceptEdits');
    const held = gate();
    const agent: Script = async (request) => {
      if (results(request).length === 0) await held.pass();
      return writes(request);
    };
    chat.server.setScript(scripts((request) => (results(request).length === 0 ? givesAway(inBackground('a'))(request) : reply().text('Meanwhile.')), agent));
    await sendAs(chat, 'reader');
    await becomes(chat, 'agent-1 working');
    chat.server.setScript(scripts(calls('agent', { description: 'More', prompt: 'Write now', agent_id: 'agent-1' }), agent));
    await chat.say('Go on');
    held.open();
    await becomes(chat, 'agent-1 completed');
    expect(chat.isThere('made.txt')).toBe(false);
  });
});

describe('what is stored of agents', () => {
  it('E-62: has every token after a reload, those of agents too', async () => {
    const chat = await nodeChat({ settings: { 'gnomon.agents.maxDepth': 2 } });
    chat.server.setScript(
      scripts(givesAway(part('0')), (request) => {
        const [result] = results(request);
        return result === undefined && partOf(request) === 'PART 0' ? reply().toolCall('agent', part('1')) : reply().text('Found.');
      }),
    );
    await chat.say('Go');
    const before = chat.conversation.session.usage;
    const shown = (await views(chat)).map(({ tokens }) => tokens);
    const { id } = chat.conversation.session;
    await chat.conversation.session.close();
    chat.conversation = new Conversation(await chat.host.reopen(id), {}, { questions: new OpenQuestions() });
    expect(chat.conversation.session.usage).toEqual(before);
    expect((await views(chat)).map(({ tokens }) => tokens)).toEqual(shown);
  });

  it('may be nonsense: what belongs to nothing before it is left out', async () => {
    const chat = await nodeChat();
    await leftAtWork(chat, says('Found.'), 'a', 'b', 'c');
    await becomes(chat, 'agent-1 completed', 'agent-2 completed', 'agent-3 completed');
    const { id } = chat.conversation.session;
    await chat.conversation.session.close();
    const folder = join(chat.host.storage, 'elves', id);
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.meta.json'))) {
      const meta = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { readonly elf: { readonly name: string } };
      const other = { 'agent-1': { parent: 'agent-1' }, 'agent-2': { name: 'agent-2\n# SYSTEM' }, 'agent-3': { task: 'One\nline' } }[meta.elf.name];
      writeFileSync(join(folder, file), JSON.stringify({ ...meta, costUsd: -100, elf: { ...meta.elf, ...other } }));
    }
    chat.conversation = new Conversation(await chat.host.reopen(id), {}, { questions: new OpenQuestions() });
    expect((await views(chat)).map(({ id: name, task, cost }) => [name, task, cost])).toEqual([['agent-3', 'One line', 'n/a']]);
  });
});

describe('E-02: an agent that is told to go on twice at once', () => {
  it('goes on once', async () => {
    const chat = await nodeChat();
    const held = gate();
    await leftAtWork(
      chat,
      async () => {
        await held.pass();
        return reply().text('Found.');
      },
      'a',
    );
    await chat.host.host.elves.stop(chat.conversation.session, 'agent-1');
    await becomes(chat, 'agent-1 cancelled');
    held.open();
    const { elves } = chat.host.host;
    await Promise.allSettled([elves.goOn(chat.conversation.session, 'agent-1'), elves.goOn(chat.conversation.session, 'agent-1')]);
    await becomes(chat, 'agent-1 completed');
    expect((await views(chat)).map(({ runs }) => runs)).toEqual([2]);
  });
});
