import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { givesAway, part, results, says, scripts } from '../../support/gives-away.js';
import { reply } from '../../support/model-server/index.js';
import { type NodeChat, nodeChat } from './node-chat.js';

const file = (fields: string): string => `---\ndescription: Works.\n${fields}\n---\n\nWork.\n`;
const AGENTS = {
  '.github/agents/lead.agent.md': file('agents: [Hidden, plain]'),
  '.github/agents/alone.agent.md': file('agents: []'),
  '.github/agents/Hidden.agent.md': file('disable-model-invocation: true'),
  '.github/agents/plain.agent.md': file('infer: true'),
  '.claude/agents/slow.md': file('name: slow\nbackground: true'),
};

/** What a chat can start, of what its model was last told. */
function started({ server }: NodeChat): readonly string[] {
  const tool = server.requests.at(-1)?.body.tools?.find(({ name }) => name === 'agent');
  return [...JSON.stringify(tool ?? '').matchAll(/\\n- ([\w:]+): /g)].map(([, name = '']) => name);
}

async function chatOf(agent?: string): Promise<NodeChat> {
  const chat = await nodeChat({ inFolder: AGENTS, settings: { 'gnomon.agents.maxDepth': 2 } });
  const { agents } = chat.host.host;
  await agents.ready();
  if (agent !== undefined) chat.conversation.setAgent(agents.find(agent));
  return chat;
}

it.each([
  [undefined, ['alone', 'explore', 'general', 'lead', 'plain', 'slow']],
  ['lead', ['Hidden', 'plain']],
  ['alone', []],
])('as the agent %s, a model can start those that the files say: %j', async (agent, names) => {
  const chat = await chatOf(agent);
  chat.server.setScript(says('Done.'));
  await chat.say('Go');
  expect([...started(chat)].sort()).toEqual([...names].sort());
});

it('refuses one that no model can start, and those that an agent may not start, at each depth', async () => {
  const chat = await chatOf();
  chat.server.setScript(scripts(givesAway(part('a', 'Hidden')), says('found')));
  await chat.say('Go');
  expect(chat.results.join()).toContain('There is no agent “Hidden”.');
  // It is started by the agent that names it, and can start no more than this one.
  chat.conversation.setAgent(chat.host.host.agents.find('lead'));
  chat.server.setScript(scripts(givesAway(part('a', 'Hidden')), givesAway(part('b', 'general'))));
  await chat.say('Go on');
  expect(chat.results.join()).toContain('There is no agent “general”. There are: Hidden, plain.');
});

it('does not wait for one whose file says that it works in the background', async () => {
  const chat = await chatOf();
  chat.server.setScript(
    scripts((request) => (results(request).length === 0 ? givesAway(part('a', 'slow'))(request) : reply().text('Meanwhile.')), says('found')),
  );
  await chat.say('Go');
  expect(JSON.stringify(chat.conversation.session.messages)).toContain('agent-1 works in the background.');
  await eventually(() => expect(chat.conversation.busy).toBe(false));
});
