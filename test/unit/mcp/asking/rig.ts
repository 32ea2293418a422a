import { AbortError } from '../../../../src/domain/errors.js';
import type { McpElicitation, McpElicitationAnswer, McpField, McpSample, McpSampleAnswer } from '../../../../src/domain/mcp/request.js';
import type { Request } from '../../../../src/domain/model/provider.js';
import { NO_USAGE } from '../../../../src/domain/model/usage.js';
import { McpAsking } from '../../../../src/mcp/asking/asking.js';
import type { McpQuestion } from '../../../../src/mcp/asking/question-queue.js';
import { RunningCalls } from '../../../../src/mcp/asking/running-calls.js';
import type { SampleCompletion } from '../../../../src/mcp/asking/sampling.js';
import { isAnswer } from '../../../../src/protocol/form-check.js';

/** A form with one required text. */
export const FORM: McpElicitation = { mode: 'form', message: 'Who are you?', fields: [text('name')] };

/** A blank for text. */
export function text(name: string, more: Partial<McpField> = {}): McpField {
  return { type: 'text', name, required: true, ...more } as McpField;
}

/** A page that is to be opened. */
export function page(url: string, id = 'e1'): McpElicitation {
  return { mode: 'url', message: 'Sign in', url, id };
}

/** What a server wants a model to answer. */
export function sampleOf(words: string, more: Partial<McpSample> = {}): McpSample {
  return { messages: [{ role: 'user', content: [{ type: 'text', text: words }] }], maxTokens: 100, hints: [], ...more };
}

/** What servers ask, in a window whose user, time and model a test decides. */
export class Rig {
  now = 0;
  shown = 'chat';
  sampling: 'ask' | 'off' = 'ask';
  host: string | undefined;
  /** Whether the browser opens addresses. */
  opens = true;
  /** Whether the request to the model is stopped. */
  stops = false;
  completion: SampleCompletion = { text: 'Four.', cutOff: false, usage: { ...NO_USAGE, inputTokens: 10, outputTokens: 5 } };
  readonly opened: string[] = [];
  readonly told: { readonly session: string; readonly text: string }[] = [];
  readonly requests: { readonly request: Request; readonly signal: AbortSignal }[] = [];
  readonly calls = new RunningCalls();
  /** Whether the server is still among those of the window. */
  known = true;
  modelId = 'small';
  readonly asking = new McpAsking({
    clock: { timestamp: () => '2026-11-26T00:00:00Z', monotonic: () => this.now },
    calls: this.calls,
    serverOf: (id) => (this.known ? { name: `The ${id}`, ...(this.host === undefined ? {} : { host: this.host }) } : undefined),
    shownSession: () => this.shown,
    isAnswer,
    openExternal: (url) => {
      this.opened.push(url);
      return Promise.resolve(this.opens);
    },
    roots: () => [{ uri: 'file:///w', name: 'w' }],
    sampling: () => this.sampling,
    modelOf: (session) =>
      Promise.resolve(
        session === 'closed'
          ? undefined
          : {
              info: {
                provider: 'p',
                id: this.modelId,
                label: 'Small Model',
                contextWindow: 100_000,
                maxOutputTokens: 8_000,
                efforts: [],
                supportsImages: false,
                supportsTools: true,
                pricing: { input: 1_000_000, output: 2_000_000, cacheRead: 0, cacheWrite: 0 },
              },
              complete: (request, signal) => {
                this.requests.push({ request, signal });
                return this.stops ? Promise.reject(new AbortError()) : Promise.resolve(this.completion);
              },
            },
      ),
    tell: (session, line) => this.told.push({ session, text: line }),
  });

  /** What a server asks; `ended` is how it ended, as far as it has. */
  elicit(
    asked: McpElicitation,
    { server = 'srv', signal = new AbortController().signal }: { readonly server?: string; readonly signal?: AbortSignal } = {},
  ): Promise<McpElicitationAnswer> {
    return handled(this.asking.questions(server).elicit?.(asked, signal));
  }

  sample(
    asked: McpSample,
    { server = 'srv', signal = new AbortController().signal }: { readonly server?: string; readonly signal?: AbortSignal } = {},
  ): Promise<McpSampleAnswer> {
    return handled(this.asking.questions(server).sample?.(asked, signal));
  }

  /** The question that is open in a chat, once there is one. */
  async question(session = 'chat'): Promise<McpQuestion> {
    for (let turns = 0; turns < 20; turns += 1) {
      const [first] = this.asking.open(session);
      if (first !== undefined) return first;
      await Promise.resolve();
    }
    throw new Error(`Nothing is asked in ${session}.`);
  }
}

/** A test may look at it later. */
function handled<T>(promise: Promise<T> | undefined): Promise<T> {
  if (promise === undefined) throw new Error('The server is told that this cannot be asked.');
  promise.catch(() => undefined);
  return promise;
}
