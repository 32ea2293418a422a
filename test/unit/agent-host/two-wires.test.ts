import { expect, it, onTestFinished } from 'vitest';
import { results } from '../../support/gives-away.js';
import { type RecordedRequest, reply } from '../../support/model-server/index.js';
import { type ChatRequest, chatProblem, chunk, DONE, json, type Reply, sse, startOpenAiServer } from '../../support/openai-server/index.js';
import { type NodeChat, nodeChat } from './node-chat.js';

const OTHER = 'openrouter/maker/model';
const SIGNATURES = { messages: 'SIGNATURE-OF-MESSAGES', chat: 'SIGNATURE-OF-CHAT' } as const;
const IDS = { messages: 'toolu_of_messages', chat: 'call_of_chat' } as const;

interface TwoWires {
  readonly chat: NodeChat;
  /** What the servers of each wire were sent, with what was wrong with that. */
  readonly sent: () => { readonly messages: string; readonly chat: string; readonly problems: readonly string[] };
}

/** A chat with models on two wires: what they say has signatures and ids of calls that only their own server takes. */
async function twoWires(model: string, call: (wire: 'messages' | 'chat', isPart: boolean) => readonly [tool: string, args: object]): Promise<TwoWires> {
  const requests: ChatRequest[] = [];
  const server = await startOpenAiServer((request): Reply => {
    if (!request.path.endsWith('/chat/completions')) return json({ data: [] });
    requests.push(request);
    return answerOfChat(request.raw, call);
  });
  onTestFinished(() => server.close());
  const settings = {
    'gnomon.model': model,
    'gnomon.providers': { openrouter: { baseUrl: `${server.url}/v1`, keyRequired: false } },
    'gnomon.models': [{ provider: 'openrouter', id: 'maker/model', price: { input: 1, output: 1 }, contextWindow: 200_000, maxOutputTokens: 2_000 }],
  };
  const chat = await nodeChat({ settings, inFolder: { 'a.txt': 'words\n' } });
  chat.server.setScript((request) => answerOfMessages(request, call));
  const sent: TwoWires['sent'] = () => ({
    messages: chat.server.requests.map(({ raw }) => raw).join('\n'),
    chat: requests.map(({ raw }) => raw).join('\n'),
    problems: [...chat.server.requests.flatMap(({ problem }) => problem ?? []), ...requests.flatMap(({ body }) => chatProblem(body) ?? [])],
  });
  return { chat, sent };
}

type CallOf = Parameters<typeof twoWires>[1];
const isPart = (raw: string): boolean => raw.includes('PART');

function answerOfMessages(request: RecordedRequest, call: CallOf): ReturnType<typeof reply> {
  const begun = reply().thinking('I think.', SIGNATURES.messages);
  if (results(request).length > 0) return begun.text(`It says: ${results(request).join(' ')}`);
  return begun.toolCall(...call('messages', isPart(JSON.stringify(request.body.messages[0]))), { id: `${IDS.messages}_${request.body.messages.length}` });
}

function answerOfChat(raw: string, call: CallOf): Reply {
  const thinks = chunk({ reasoning_details: [{ type: 'reasoning.text', text: 'I think.', signature: SIGNATURES.chat, index: 0 }] });
  const { messages } = JSON.parse(raw) as { readonly messages: readonly { readonly role: string; readonly content: unknown }[] };
  const last = messages.at(-1);
  if (last?.role === 'tool') return sse(thinks, chunk({ content: `It says: ${JSON.stringify(last.content)}` }), chunk({}, 'stop'), DONE);
  const [name, args] = call(
    'chat',
    messages.some(({ role, content }) => role === 'user' && isPart(JSON.stringify(content))),
  );
  const made = { index: 0, id: `${IDS.chat}_${messages.length}`, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  return sse(thinks, chunk({ tool_calls: [made] }), chunk({}, 'tool_calls'), DONE);
}

it.each([
  ['anthropic/claude-sonnet-5-5', OTHER],
  [OTHER, 'anthropic/claude-sonnet-5-5'],
])('E-07: a chat with %s has an agent of %s, and nothing of one wire reaches the other', async (own, other) => {
  const part = { description: 'Read it', prompt: 'PART a', model: other };
  const again = { description: 'Read it again', prompt: 'PART more', agent_id: 'agent-1' };
  let made = 0;
  const { chat, sent } = await twoWires(own, (_wire, ofAgent) => {
    if (ofAgent) return ['read', { file_path: 'a.txt' }];
    made += 1;
    return ['agent', made === 1 ? part : again];
  });
  chat.send('Go');
  // Somebody else gets to see what the agent reads.
  expect(JSON.stringify(await chat.prompt())).toContain('Read it');
  await chat.allow();
  await chat.ended();
  // What was allowed was one call.
  chat.send('And again');
  await chat.prompt();
  await chat.allow();
  await chat.ended();
  const { messages, chat: ofChat, problems } = sent();
  expect(problems).toEqual([]);
  expect([messages.includes(SIGNATURES.chat), messages.includes(IDS.chat), ofChat.includes(SIGNATURES.messages), ofChat.includes(IDS.messages)]).toEqual([
    ...[false, false, false, false],
  ]);
  // Each has its own back.
  expect([messages.includes(SIGNATURES.messages), ofChat.includes(SIGNATURES.chat)]).toEqual([true, true]);
  expect(made).toBe(2);
  expect(JSON.stringify(chat.conversation.session.messages)).toMatch(/It says: .*words.*It says: .*words/);
});
