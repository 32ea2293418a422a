import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { gate } from '../../support/model-server/index.js';
import { type ChatRequest, chunk, DONE, FakeOllama, json, type Reply, sse, startOpenAiServer } from '../../support/openai-server/index.js';
import { bodyForClaude, PromptCache } from '../../support/prompt-cache/index.js';
import { called, reasoning, said, startResponsesServer } from '../../support/responses-server/index.js';
import { type NodeChat, nodeChat, wordsOf } from './node-chat.js';

const CLAUDE = 'anthropic/claude-sonnet-4.5';

/** An Ollama behind a gateway that keeps the window to itself: what it cuts shows only in what it says it has read. */
function behindGateway(ollama: FakeOllama): (request: ChatRequest) => Reply | undefined {
  return (request) => (request.path === '/api/ps' ? undefined : ollama.script(request));
}

/** An OpenRouter with one model of Claude, which bills what its cache is asked to keep and no more. */
class OpenRouter {
  /** Share of the input that was read from the cache, by request. */
  readonly shares: number[] = [];
  private readonly cache = new PromptCache({ minimumTokens: 1_024 });

  readonly script = ({ path, body }: ChatRequest): Reply | undefined => {
    if (path.endsWith('/models')) {
      const pricing = { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003', input_cache_write: '0.00000375' };
      return json({
        data: [
          {
            id: CLAUDE,
            name: 'Sonnet by OpenRouter',
            context_length: 200_000,
            pricing,
            supported_parameters: ['tools', 'reasoning'],
            architecture: { input_modalities: ['text'] },
            top_provider: { max_completion_tokens: 64_000 },
          },
        ],
      });
    }
    if (!path.endsWith('/chat/completions')) return undefined;
    const { read, written, uncached } = this.cache.take(bodyForClaude(body));
    this.shares.push(read / (read + written + uncached));
    const usage = {
      prompt_tokens: read + written + uncached,
      completion_tokens: 10,
      total_tokens: read + written + uncached + 10,
      prompt_tokens_details: { cached_tokens: read, cache_write_tokens: written },
    };
    const round = this.shares.length;
    const call = { index: 0, id: `c${round}`, type: 'function', function: { name: 'read', arguments: '{"file_path":"package.json"}' } };
    const steps =
      round < 4
        ? [chunk({ content: `Round ${round}.` }), chunk({ tool_calls: [call] }), chunk({}, 'tool_calls')]
        : [chunk({ content: 'All is read.' }), chunk({}, 'stop')];
    return sse(...steps, { data: { choices: [], usage } }, DONE);
  };
}

/** A chat with a model of a server. @param models `provider/model` */
async function chatWith(provider: string, { url }: { readonly url: string }, model: string, more: object = {}): Promise<NodeChat> {
  const chat = await nodeChat({
    inFolder: { 'greeting.txt': 'Hello\nWorld\n', 'package.json': '{ "name": "sample" }\n' },
    settings: { 'gnomon.providers': { [provider]: { baseUrl: `${url}/v1`, keyRequired: false, ...more } } },
  });
  await chat.host.host.models.refresh();
  await chat.select(`${provider}/${model}`);
  return chat;
}

it('OpenAI’s Responses: reasons and reads side by side, changes a file by a patch, and hears what the user says meanwhile', async () => {
  const openai = await startResponsesServer();
  onTestFinished(() => openai.close());
  const chat = await chatWith('openai', openai, 'gpt-5.6-terra', { api: 'responses' });
  const hold = gate();
  const patch = '*** Begin Patch\n*** Update File: greeting.txt\n@@\n-Hello\n+Good morning\n*** End Patch';
  openai.play(
    [reasoning('I look at two files.'), called('a', 'read', '{"file_path":"package.json"}'), called('b', 'read', '{"file_path":"greeting.txt"}')],
    [reasoning('Now I change it.'), called('c', 'apply_patch', JSON.stringify({ patch }))],
    [said('Nearly ', hold, 'done.'), called('d', 'read', '{"file_path":"greeting.txt"}')],
    [said('Thank you, I stop here.')],
  );
  chat.send('Change the greeting');
  expect(wordsOf(await chat.prompt())).toContain('Good morning');
  await chat.allow();
  await hold.reached;
  expect(chat.conversation.session.steer('m1', [{ type: 'text', text: 'Do no more than that' }])).toBe(true);
  hold.open();
  await chat.ended();

  expect(wordsOf(chat.shown.items)).toContain('Thank you, I stop here.');
  expect(readFileSync(chat.at('greeting.txt'), 'utf8')).toBe('Good morning\nWorld\n');
  expect(openai.problems).toEqual([]);
  const mine = chat.shown.items.filter(({ kind }) => kind === 'user').map(wordsOf);
  expect(mine).toEqual([expect.stringContaining('Change the greeting'), expect.stringContaining('Do no more than that')]);
  expect(chat.shown.items.flatMap((item) => (item.kind === 'answer' ? item.blocks : [])).some(({ type }) => type === 'thinking')).toBe(true);
  const asked = openai.requests.filter(({ path }) => path === '/v1/responses').map(({ body }) => body);
  const last = (asked.at(-1)?.['input'] ?? []) as readonly Readonly<Record<string, unknown>>[];
  expect(last.slice(-3).map(({ type, role }) => type ?? role)).toEqual(['function_call', 'function_call_output', 'message']);
  expect(JSON.stringify(last.at(-1))).toContain('Do no more than that');
  const names = ((asked[0]?.['tools'] ?? []) as readonly { readonly name: string }[]).map(({ name }) => name);
  expect([names.includes('apply_patch'), names.includes('edit')]).toEqual([true, false]);
  expect(new Set(asked.map((body) => body['prompt_cache_key'])).size).toBe(1);
});

it('an Ollama that cuts: the chat says how much of it was read and what to do, once, and keeps within that', async () => {
  const cutting = await startOpenAiServer(behindGateway(new FakeOllama(4_096, () => [chunk({ role: 'assistant', content: 'I have read that.' })])));
  onTestFinished(() => cutting.close());
  const chat = await chatWith('ollama', cutting, 'qwen3:8b');
  await chat.say(`Remember these: ${Array.from({ length: 9_000 }, (_, n) => `word${n}`).join(' ')}`);
  const told = (): readonly string[] => chat.notices.filter((text) => /longer than the server reads: .* got only about 4,096 tokens/.test(text));
  expect(told()).toEqual([expect.stringContaining('OLLAMA_CONTEXT_LENGTH')]);
  await chat.say('And now?');
  expect(told()).toHaveLength(1);
});

it('Claude over OpenRouter: each request reads from the cache what the one before it wrote', async () => {
  const openRouter = new OpenRouter();
  const caching = await startOpenAiServer(openRouter.script);
  onTestFinished(() => caching.close());
  const chat = await chatWith('openrouter', caching, CLAUDE);
  await chat.say('Read it three times');
  expect(wordsOf(chat.shown.items)).toContain('All is read.');
  expect(openRouter.shares).toHaveLength(4);
  expect(openRouter.shares[0]).toBe(0);
  expect(Math.min(...openRouter.shares.slice(1))).toBeGreaterThan(0.8);
});
