import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate } from '../support/model-server/index.js';
import { type ChatRequest, type OpenAiServer, type Reply, chunk, DONE, FakeOllama, json, sse, startOpenAiServer } from '../support/openai-server/index.js';
import { bodyForClaude, PromptCache } from '../support/prompt-cache/index.js';
import { type ResponsesServer, called, reasoning, said, startResponsesServer } from '../support/responses-server/index.js';
import { App } from './app.js';
import type { Chat } from './chat.js';

const SLOW = { timeout: 60_000 };
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

describe('servers with rules of their own', () => {
  const openRouter = new OpenRouter();
  const ollama = new FakeOllama(4_096, () => [chunk({ role: 'assistant', content: 'I have read that.' })]);
  let openai: ResponsesServer;
  let cutting: OpenAiServer;
  let caching: OpenAiServer;
  let app: App;
  let chat: Chat;

  beforeAll(async () => {
    openai = await startResponsesServer();
    cutting = await startOpenAiServer(behindGateway(ollama));
    caching = await startOpenAiServer(openRouter.script);
    const providers = {
      openai: { baseUrl: `${openai.url}/v1`, keyRequired: false, api: 'responses' },
      ollama: { baseUrl: `${cutting.url}/v1` },
      openrouter: { baseUrl: `${caching.url}/v1`, keyRequired: false },
    };
    app = await App.start({ settings: { 'gnomon.providers': providers, 'gnomon.model': 'openai/gpt-5.6-terra' } });
    chat = await app.openChat();
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all([openai.close(), cutting.close(), caching.close()]);
  });

  it('OpenAI’s Responses: reasons and reads side by side, changes a file by a patch, and hears what the user says meanwhile', async () => {
    const hold = gate();
    const patch = '*** Begin Patch\n*** Update File: greeting.txt\n@@\n-Hello\n+Good morning\n*** End Patch';
    await writeFile(join(app.workspace, 'greeting.txt'), 'Hello\nWorld\n');
    openai.play(
      [reasoning('I look at two files.'), called('a', 'read', '{"file_path":"package.json"}'), called('b', 'read', '{"file_path":"greeting.txt"}')],
      [reasoning('Now I change it.'), called('c', 'apply_patch', JSON.stringify({ patch }))],
      [said('Nearly ', hold, 'done.'), called('d', 'read', '{"file_path":"greeting.txt"}')],
      [said('Thank you, I stop here.')],
    );
    await chat.send('Change the greeting');
    expect(await chat.waitForPrompt()).toContain('Good morning');
    await chat.answer('Allow');
    await hold.reached;
    await chat.message.fill('Do no more than that');
    await chat.message.press('Alt+Enter');
    await chat.frame
      .getByRole('region', { name: 'Queue' })
      .getByRole('button', { name: /^1 next Do no more/ })
      .waitFor(SLOW);
    hold.open();
    await chat.waitForText('Thank you, I stop here.');
    await chat.waitForIdle();

    expect(await app.read('greeting.txt')).toBe('Good morning\nWorld\n');
    expect(openai.problems).toEqual([]);
    expect(await chat.mine.allInnerTexts()).toEqual([expect.stringContaining('Change the greeting'), expect.stringContaining('Do no more than that')]);
    expect(await chat.frame.getByRole('region', { name: 'Queue' }).count()).toBe(0);
    await chat.thinking.first().waitFor(SLOW);
    const asked = openai.requests.filter(({ path }) => path === '/v1/responses').map(({ body }) => body);
    const last = (asked.at(-1)?.['input'] ?? []) as readonly Readonly<Record<string, unknown>>[];
    expect(last.slice(-3).map(({ type, role }) => type ?? role)).toEqual(['function_call', 'function_call_output', 'message']);
    expect(JSON.stringify(last.at(-1))).toContain('Do no more than that');
    const names = ((asked[0]?.['tools'] ?? []) as readonly { readonly name: string }[]).map(({ name }) => name);
    expect([names.includes('apply_patch'), names.includes('edit')]).toEqual([true, false]);
    expect(new Set(asked.map((body) => body['prompt_cache_key'])).size).toBe(1);
  });

  it('an Ollama that cuts: the chat says how much of it was read and what to do, once, and keeps within that', async () => {
    await chat.newSession();
    await chat.select('Model', 'qwen3:8b');
    await chat.send(`Remember these: ${Array.from({ length: 9_000 }, (_, n) => `word${n}`).join(' ')}`);
    const notice = chat.log.getByText(/longer than the server reads: .* got only about 4,096 tokens/);
    await notice.waitFor(SLOW);
    await chat.log
      .getByText(/OLLAMA_CONTEXT_LENGTH/)
      .first()
      .waitFor(SLOW);
    await chat.waitForIdle();
    await chat.send('And now?');
    await chat.waitForIdle();
    expect(await notice.count()).toBe(1);
  });

  it('Claude over OpenRouter: each request reads from the cache what the one before it wrote', async () => {
    await chat.newSession();
    await chat.select('Model', 'Sonnet by OpenRouter');
    await chat.send('Read it three times');
    await chat.waitForText('All is read.');
    await chat.waitForIdle();
    expect(openRouter.shares).toHaveLength(4);
    expect(openRouter.shares[0]).toBe(0);
    expect(Math.min(...openRouter.shares.slice(1))).toBeGreaterThan(0.8);
  });
});
