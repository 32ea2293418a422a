import type { ChatRequest } from './server.js';
import { type Reply, type Step, chunk, DONE, json, sse } from './reply.js';

/** An Ollama that gives its one model a window, and reads of each request no more than fits. */
export class FakeOllama {
  readonly model = 'qwen3:8b';
  /** What each request for an answer was really read as: its last words. */
  readonly read: string[] = [];
  /** Whether the model is loaded. The first answer does that. */
  loaded = false;

  /** @param answers the chunks of an answer, without its end and usage */
  constructor(
    /** Tokens of the window; a change is like another start of the server. */
    public window: number,
    private readonly answers: (request: ChatRequest) => readonly Step[],
  ) {}

  /** Answers a request as Ollama does; it counts each word as a token. */
  readonly script = (request: ChatRequest): Reply | undefined => {
    switch (request.path) {
      case '/v1/models':
        return json({ object: 'list', data: [{ id: this.model, object: 'model' }] });
      case '/api/show':
        return json({ capabilities: ['completion', 'tools'], model_info: { 'qwen3.context_length': 262_144 }, parameters: 'temperature 0.6' });
      case '/api/ps':
        return json({ models: this.loaded ? [{ name: this.model, model: this.model, context_length: this.window }] : [] });
      case '/v1/chat/completions':
        return this.answer(request);
      default:
        return undefined;
    }
  };

  private answer(request: ChatRequest): Reply {
    this.loaded = true;
    const words = JSON.stringify(request.body.messages).split(/\W+/).slice(-this.window);
    this.read.push(words.join(' '));
    const steps = this.answers(request);
    const calls = steps.some((step) => JSON.stringify(step).includes('tool_calls":['));
    const usage = { prompt_tokens: words.length, completion_tokens: 10, total_tokens: words.length + 10 };
    return sse(...steps, chunk({}, calls ? 'tool_calls' : 'stop'), { data: { choices: [], usage } }, DONE);
  }
}
