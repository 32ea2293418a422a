import { describe, expect, it, onTestFinished } from 'vitest';
import { AbortError, ProviderError } from '../../../../src/domain/errors.js';
import type { Provider, Request } from '../../../../src/domain/model/provider.js';
import { noteBytes } from '../../../../src/provider/openai/replay.js';
import { gate, hangReply, httpError, reply, startModelServer } from '../../../support/model-server/index.js';
import { chunk, DONE, json, sse, startOpenAiServer } from '../../../support/openai-server/index.js';
import { drain, failure } from '../../../support/stream-conformance.js';
import * as anthropic from '../anthropic/rig.js';
import * as openai from '../openai/rig.js';

/** A server that lets the first request hang, fails at the second, and answers the others. */
interface Hanging {
  readonly provider: Provider;
  /** Resolves when the first request has come. */
  readonly arrived: Promise<void>;
  /** The requests, as they came. */
  readonly bodies: readonly string[];
}

async function messages(): Promise<Hanging> {
  const [bodies, first] = [new Array<string>(), gate()];
  const server = await startModelServer({ foreignThinking: true });
  onTestFinished(() => server.close());
  server.setScript(({ raw }) => {
    const number = bodies.push(raw);
    if (number === 1) first.open();
    return number === 1 ? hangReply : number === 2 ? httpError(500, 'api_error', 'It failed.') : reply().text('Yes.');
  });
  return { provider: anthropic.providerFor(server), arrived: first.pass(), bodies };
}

async function chat(): Promise<Hanging> {
  const [bodies, first] = [new Array<string>(), gate()];
  const server = await startOpenAiServer();
  onTestFinished(() => server.close());
  server.setScript(({ raw }) => {
    const number = bodies.push(raw);
    if (number === 1) first.open();
    if (number === 1) return { kind: 'hang' };
    return number === 2 ? json({ error: { message: 'It failed.' } }, 500) : sse(chunk({ content: 'Yes.' }), chunk({}, 'stop'), DONE);
  });
  return { provider: openai.providerFor(server, 'openrouter'), arrived: first.pass(), bodies };
}

const THOUGHT = 'I had thought of this.';

/** A conversation with thinking of the model that goes back to it. */
function thoughtful(signature: Uint8Array): Request {
  const { user, assistant, request } = openai;
  const thinking = { type: 'thinking' as const, thinking: THOUGHT, signature };
  return request({ messages: [user('Think.'), assistant(thinking, { type: 'text', text: 'Hm.' }), user('Go on.')] });
}

const DETAILS = [{ type: 'reasoning.text', text: THOUGHT, signature: 'c2lnbmVk', index: 0 }];

describe.each<[string, () => Promise<Hanging>, Uint8Array]>([
  ['Messages', messages, new TextEncoder().encode('c2lnbmVk')],
  ['Chat Completions', chat, noteBytes({ kind: 'details', details: DETAILS })],
])('over %s', (_, start, signature) => {
  it('a request that the user stops is no failure of the server: the thinking stays in the requests after its first one', async () => {
    const { provider, arrived, bodies } = await start();
    const stop = new AbortController();
    const stopped = failure(drain(provider.stream(thoughtful(signature), stop.signal)));
    await arrived;
    stop.abort();
    expect(await stopped).toBeInstanceOf(AbortError);
    expect(await failure(drain(provider.stream(thoughtful(signature), openai.never())))).toBeInstanceOf(ProviderError);
    await drain(provider.stream(thoughtful(signature), openai.never()));
    expect(bodies.map((body) => body.includes(THOUGHT))).toEqual([true, true, true]);
  });
});
