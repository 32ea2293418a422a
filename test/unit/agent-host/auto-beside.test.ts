import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRouting } from '../../../src/routing/read-decision.js';
import { MessageOptionsResolver } from '../../../src/slash/message-options.js';
import { givesAway, partOf, says, type Script, scripts } from '../../support/gives-away.js';
import { httpError, type RecordedRequest, reply } from '../../support/model-server/index.js';
import { type NodeChat, nodeChat } from './node-chat.js';
import { LARGE, SMALL, twoModels } from './two-models.js';

/** The small one is believed to be good enough to explain and summarize things, and for what a template could generate. */
const SETTINGS = twoModels({ explain: 0.5, boilerplate: 0.5 });
const DEBUG = 'Fix the crash: TypeError: cannot read properties of undefined';
const TO_EXPLAIN = { description: 'Explain it', prompt: 'PART a: What does this function do, and why is it there?' };
const TO_DEBUG = { description: 'Fix it', prompt: 'PART a: Fix the crash: TypeError: cannot read properties of undefined' };

async function chatWith(model: string, inFolder: Readonly<Record<string, string>> = {}, settings: object = {}): Promise<NodeChat> {
  return nodeChat({ settings: { ...SETTINGS, 'gnomon.model': model, ...settings }, inFolder });
}

/** Has a chat give work to an agent. Returns the models of the chat and of the agent that were asked, and what the call said when the agent began. */
async function gives(
  chat: NodeChat,
  args: object,
  words = DEBUG,
): Promise<{ readonly chat: readonly string[]; readonly agent: readonly string[]; readonly told: string }> {
  let told = '';
  const agent: Script = () => {
    told = chat.calls[0]?.output ?? '';
    return reply().text('Found.');
  };
  chat.server.setScript(scripts(givesAway(args), agent));
  await chat.say(words);
  const of = (isAgent: boolean): readonly string[] => [
    ...new Set(chat.server.requests.filter((request) => (partOf(request) !== '') === isAgent).map(({ body }) => body.model)),
  ];
  expect(chat.calls.map(({ status }) => status)).toEqual(['done']);
  return { chat: of(false), agent: of(true), told };
}

/** What is stored of the session of the only agent. */
function storedAgent(chat: NodeChat): { readonly model?: string; readonly modelChoice?: string; readonly routings?: Readonly<Record<string, unknown>> } {
  const files = readdirSync(chat.host.storage, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('elves') && name.endsWith('.meta.json'));
  expect(files.length).toBe(1);
  return JSON.parse(readFileSync(join(chat.host.storage, files[0] ?? ''), 'utf8')) as object;
}

describe('R-12: the model of an agent', () => {
  it('is chosen for its task in a chat with Auto, without a question, and its session says how', async () => {
    const chat = await chatWith('auto');
    const { told, ...asked } = await gives(chat, TO_EXPLAIN);
    expect(asked).toEqual({ chat: ['large'], agent: ['small'] });
    expect(told).toContain('Small (cheaper');
    const { model, modelChoice, routings } = storedAgent(chat);
    expect([model, modelChoice, readRouting(routings?.[0])]).toMatchObject([SMALL, 'auto', { type: 'chosen', kind: 'explain', key: SMALL }]);
  });

  it('is that of the chat where it is the one that is good enough, which its session says, too', async () => {
    const chat = await chatWith('auto');
    expect(await gives(chat, TO_DEBUG)).toMatchObject({ chat: ['large'], agent: ['large'] });
    expect(readRouting(storedAgent(chat).routings?.[0])).toMatchObject({ type: 'chosen', kind: 'debug', key: LARGE });
  });

  it('is a stronger one than that of the chat where its task needs that', async () => {
    const chat = await chatWith('auto');
    expect(await gives(chat, TO_DEBUG, 'What does this function do, and why is it there?')).toMatchObject({ chat: ['small'], agent: ['large'] });
  });

  it('is that of the chat where none is good enough: nobody is asked, and the call says so', async () => {
    const chat = await chatWith('auto');
    chat.server.setScript(({ body }) => (body.model === 'large' ? httpError(529, 'overloaded_error', 'Overloaded') : reply().text('Done.')));
    // The large one does not answer, so that the chat goes on with the one that explains.
    await chat.say(DEBUG);
    await chat.begin();
    const requests = chat.server.requests.length;
    const { agent, told } = await gives(chat, TO_DEBUG, 'What does this function do, and why is it there?');
    expect(agent).toEqual(['small']);
    expect(told).toContain('Auto found no model that is good enough for this agent, so it has that of who started it.');
    expect(chat.server.requests.slice(requests).map(({ body }) => body.model)).toEqual(['small', 'small', 'small']);
  });

  it.each(['auto', 'Auto'])('is chosen in a chat with a pinned model where the file of the agent says “%s”', async (written) => {
    const chat = await chatWith(LARGE, { '.gnomon/agents/helper.md': `---\nname: helper\ndescription: Helps\nmodel: ${written}\n---\nHelp.\n` });
    expect(await gives(chat, { ...TO_EXPLAIN, agent_type: 'helper' })).toMatchObject({ chat: ['large'], agent: ['small'] });
  });

  it('is asked about where it costs more and the user has chosen the model of the chat, as a repository could have that file', async () => {
    const chat = await chatWith(SMALL, { '.gnomon/agents/helper.md': '---\nname: helper\ndescription: Helps\nmodel: auto\n---\nHelp.\n' });
    chat.server.setScript(scripts(givesAway({ ...TO_DEBUG, agent_type: 'helper' }), says('Found.')));
    chat.send(DEBUG);
    expect((await chat.prompt()).approval.binds).toBe('Always use Large for helper in this project, until its file changes');
    await chat.deny();
    await chat.ended();
    expect(new Set(chat.server.requests.map(({ body }) => body.model))).toEqual(new Set(['small']));
  });

  it('R-03: is the one that its file names, also in a chat with Auto', async () => {
    const chat = await chatWith('auto', { '.gnomon/agents/helper.md': `---\nname: helper\ndescription: Helps\nmodel: ${SMALL}\n---\nHelp.\n` });
    expect((await gives(chat, { ...TO_DEBUG, agent_type: 'helper' })).agent).toEqual(['small']);
    expect(storedAgent(chat)).toMatchObject({ model: SMALL, modelChoice: SMALL });
  });
});

describe('the model of a turn', () => {
  it('is said to be chosen where the form of a command is shown', async () => {
    const { host, conversation } = await chatWith(LARGE);
    const { permissions, models, agents, hooks } = host.host;
    const resolver = new MessageOptionsResolver({ grants: permissions.grants, models, agents, hooks: hooks.registered, trusted: () => true });
    expect((await resolver.shown({ model: 'auto' }, conversation.session, '/command.md')).notes).toEqual(['Auto chooses the model of this turn.']);
    expect((await resolver.optionsFor({ model: 'auto' }, conversation.session)).options).toEqual({ agent: undefined, effort: undefined, choosesModel: true });
  });

  it('is chosen for the message of a command that says so; then the chat has its own again', async () => {
    const chat = await chatWith(LARGE);
    chat.server.setScript(says('Done.'));
    const words = 'What does this function do, and why is it there?';
    const turn = chat.conversation.session.send([{ type: 'text', text: words }], { choosesModel: true }).turn;
    await turn;
    await chat.say(words);
    expect(chat.server.requests.map(({ body }) => body.model)).toEqual(['small', 'large']);
    expect(chat.shown).toMatchObject({ modelChoice: 'default', model: LARGE });
    const [first, second] = chat.shown.items.filter((item) => item.kind === 'answer');
    expect(readRouting(chat.conversation.routingOf(first?.id ?? ''))).toMatchObject({ kind: 'explain', key: SMALL });
    expect(chat.conversation.routingOf(second?.id ?? '')).toBeUndefined();
  });
});

const isSummary = ({ body }: RecordedRequest): boolean => JSON.stringify(body.system ?? '').includes('You summarize the working transcript');

describe('the model of a summary', () => {
  async function summarized(script: Script, model = 'auto'): Promise<NodeChat> {
    const chat = await chatWith(model);
    const file = chat.at('lines.txt');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'line\n'.repeat(2_000));
    chat.server.setScript((request) => (isSummary(request) ? script(request) : reply().text('Done. '.repeat(2_000))));
    for (let turn = 0; turn < 3; turn += 1) await chat.say(DEBUG);
    await chat.conversation.session.compact();
    return chat;
  }

  const asked = ({ server }: NodeChat): readonly string[] => server.requests.filter(isSummary).map(({ body }) => body.model);
  const reasons = ({ host }: NodeChat): readonly (string | undefined)[] => host.host.requests.requests().map(({ sender }) => sender.reason);

  it('is one that is good enough for it, and the request says why', async () => {
    const chat = await summarized(says('They fixed it.'));
    expect(asked(chat)).toEqual(['small']);
    expect(reasons(chat)[0]).toBe('Auto chose this model for a summary.');
    expect(chat.conversation.session.byModel).toMatchObject({ [SMALL]: expect.anything() as unknown, [LARGE]: expect.anything() as unknown });
    // What was chosen for the messages stays.
    expect(chat.shown).toMatchObject({ model: LARGE, modelChoice: 'auto' });
  });

  it('is that of the session where the chosen one fails', async () => {
    const chat = await summarized(({ body }) => (body.model === 'small' ? httpError(529, 'overloaded_error', 'Overloaded') : reply().text('They fixed it.')));
    expect(asked(chat)).toEqual(['small', 'large']);
    expect(chat.shown.items.some((item) => item.kind === 'compaction')).toBe(true);
  });

  it('is that of a session that has a pinned one', async () => {
    expect(asked(await summarized(says('They fixed it.'), LARGE))).toEqual(['large']);
  });
});
