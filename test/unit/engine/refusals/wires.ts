import { USUAL_EFFORTS } from '../../../../src/domain/model/effort.js';
import type { ModelInfo, Provider } from '../../../../src/domain/model/provider.js';
import { createAnthropicProvider } from '../../../../src/provider/anthropic/provider.js';
import { presetOf } from '../../../../src/provider/openai/models/presets.js';
import { createOpenAiProvider } from '../../../../src/provider/openai/provider.js';
import { createVsCodeLmProvider } from '../../../../src/vscode/language-models/provider.js';
import { reply, startModelServer } from '../../../support/model-server/index.js';
import { type OpenAiServer, type Reply, chunk, DONE, sse, startOpenAiServer } from '../../../support/openai-server/index.js';
import { answer, called, reasoning, said } from '../../../support/responses-server/index.js';
import { FakeLm, FakeLmError } from '../../vscode/language-models/fake-lm.js';
import { type Form, type Refusal, refusalIn } from './forms.js';

/** Decides by what was sent whether a server refuses it. */
export type Refuses = (sent: string) => Refusal | undefined;

/** A server that refuses some requests and answers all others: the first of a session with thinking and a call. */
export interface RefusingWire {
  readonly name: string;
  /** Bodies of all requests. */
  readonly sent: readonly string[];
  readonly provider: () => Provider;
  readonly model: ModelInfo;
  /** How thinking that goes back is written. */
  readonly thinking: RegExp | undefined;
  readonly images: RegExp;
  /** A field that its requests have and can do without. */
  readonly field: string;
  refuse(refuses: Refuses, form?: Form): void;
  /** Ends answers with a reason while it refuses them, in place of an error. */
  endWith(reason: string | undefined): void;
  close(): Promise<void>;
}

const ANSWER = 'All is well.';

/** The wires over which Gnomon reaches models, each with a server of its own. */
export function startWires(): Promise<readonly RefusingWire[]> {
  return Promise.all([messages(), chat('openrouter'), chat('gemini'), responses(), Promise.resolve(vsCode())]);
}

function modelOf(provider: string, id: string): ModelInfo {
  return {
    provider,
    id,
    label: id,
    contextWindow: 40_000,
    maxOutputTokens: 4_000,
    efforts: USUAL_EFFORTS,
    supportsImages: true,
    supportsTools: true,
    maxTokens: 3_000,
    windowAssumed: true,
  };
}

/** What a server does next. */
class Decisions {
  readonly sent: string[] = [];
  private refuses: Refuses = () => undefined;
  form: Form = 'own';
  ending: string | undefined;

  refuse(refuses: Refuses, form: Form = 'own'): void {
    this.refuses = refuses;
    this.form = form;
  }

  /** The refusal of a request, or the reason that an answer ends with. */
  next(raw: string): { readonly refusal?: Refusal; readonly ending?: string } {
    this.sent.push(raw);
    const refusal = this.refuses(raw);
    if (refusal === undefined) return {};
    return this.ending === undefined ? { refusal } : { ending: this.ending };
  }
}

function wireOf(decisions: Decisions, rest: Omit<RefusingWire, 'sent' | 'refuse' | 'endWith'>): RefusingWire {
  return {
    ...rest,
    sent: decisions.sent,
    refuse: (refuses, form) => decisions.refuse(refuses, form),
    endWith: (reason) => {
      decisions.ending = reason;
    },
  };
}

/** Whether a request begins a turn with a word that asks for work. */
function asksForWork(raw: string): boolean {
  return raw.includes('please work') && !raw.includes('worked on it');
}

async function messages(): Promise<RefusingWire> {
  const decisions = new Decisions();
  const server = await startModelServer({ foreignThinking: true });
  server.setScript(({ raw }) => {
    const { refusal, ending } = decisions.next(raw);
    if (refusal !== undefined)
      return { kind: 'plain', ...refusalIn(decisions.form, refusal, (error) => `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`) };
    if (ending !== undefined) return reply().text('I will not.').stop(ending);
    return asksForWork(raw) ? reply().thinking('Hm.', 'c2lnbmVk').toolCall('read', { on: 'x' }) : reply().text(ANSWER);
  });
  const provider = (): Provider => createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => server.url });
  return wireOf(decisions, {
    name: 'Messages',
    provider,
    model: modelOf('anthropic', 'claude-opus-4-6'),
    thinking: /"signature":"/,
    images: /"media_type"/,
    field: 'cache_control',
    close: () => server.close(),
  });
}

const PLAIN = { kind: 'plain' as const };

async function chat(preset: 'openrouter' | 'gemini'): Promise<RefusingWire> {
  const decisions = new Decisions();
  const extra = { extra_content: { google: { thought_signature: 'c2lnbmVk' } } };
  const call = { index: 0, id: 'c1', type: 'function', function: { name: 'read', arguments: '{"on":"x"}' }, ...(preset === 'gemini' ? extra : {}) };
  const thought = preset === 'gemini' ? [] : [chunk({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', signature: 'c2lnbmVk', index: 0 }] })];
  const work = sse(...thought, chunk({ tool_calls: [call] }), chunk({}, 'tool_calls'), DONE);
  const server = await startOpenAiServer(({ raw }): Reply => {
    const { refusal, ending } = decisions.next(raw);
    if (refusal !== undefined) return { ...PLAIN, ...refusalIn(decisions.form, refusal, (error) => `data: ${JSON.stringify({ error })}\n\n`) };
    if (ending !== undefined) return sse(chunk({ content: 'I will not.' }), chunk({}, ending), DONE);
    return asksForWork(raw) ? work : sse(chunk({ content: ANSWER }), chunk({}, 'stop'), DONE);
  });
  const provider = (): Provider => openAi(server, preset, 'chat');
  const thinking = preset === 'gemini' ? /c2lnbmVk/ : /reasoning_details/;
  return wireOf(decisions, {
    name: `Chat Completions (${preset})`,
    provider,
    model: modelOf(preset, 'anthropic/claude-x'),
    thinking,
    images: /image_url/,
    field: 'stream_options',
    close: () => server.close(),
  });
}

async function responses(): Promise<RefusingWire> {
  const decisions = new Decisions();
  const server = await startOpenAiServer(({ raw }): Reply => {
    const { refusal, ending } = decisions.next(raw);
    if (refusal !== undefined)
      return { ...PLAIN, ...refusalIn(decisions.form, refusal, (error) => `event: error\ndata: ${JSON.stringify({ ...error, type: 'error' })}\n\n`) };
    if (ending !== undefined) return incomplete(ending);
    return asksForWork(raw) ? answer(reasoning('Hm.'), called('c1', 'read', '{"on":"x"}')) : answer(said(ANSWER));
  });
  const provider = (): Provider => openAi(server, 'openai', 'responses');
  return wireOf(decisions, {
    name: 'Responses',
    provider,
    model: modelOf('openai', 'gpt-5.6-terra'),
    thinking: /"encrypted_content":"/,
    images: /input_image/,
    field: 'include',
    close: () => server.close(),
  });
}

/** How Responses ends an answer that a filter stopped. */
function incomplete(reason: string): Reply {
  const response = { object: 'response', status: 'incomplete', incomplete_details: { reason }, usage: { input_tokens: 9, output_tokens: 1, total_tokens: 10 } };
  return sse({ data: { type: 'response.incomplete', response } });
}

function openAi(server: OpenAiServer, name: 'openrouter' | 'gemini' | 'openai', api: 'chat' | 'responses'): Provider {
  return createOpenAiProvider({ name, preset: { ...presetOf(name), api }, apiKey: () => Promise.resolve('k'), baseUrl: () => `${server.url}/v1` });
}

function vsCode(): RefusingWire {
  const decisions = new Decisions();
  const lm = new FakeLm();
  lm.script = ({ messages: seen, options }) => {
    const raw = JSON.stringify({ seen, options: options.modelOptions });
    const { refusal, ending } = decisions.next(raw);
    // There is no such end in this API: what Copilot's filter stops fails.
    if (ending !== undefined)
      return {
        refusal: new FakeLmError('Unknown', 'Sorry, the response was filtered by the Responsible AI Service. Please rephrase your prompt and try again.'),
      };
    if (refusal !== undefined)
      return { refusal: new FakeLmError('Unknown', decisions.form === 'own' ? refusal.words : refusalIn(decisions.form, refusal, JSON.stringify).body) };
    if (asksForWork(raw)) return { acts: [{ kind: 'calls', calls: [{ id: 'c1', name: 'read', deltas: ['{"on":"x"}'] }] }] };
    return { acts: [{ kind: 'text', deltas: [ANSWER] }] };
  };
  const model = { ...modelOf('vscode-lm', 'acme/m/1'), efforts: [] };
  return wireOf(decisions, {
    name: 'VS Code LM',
    provider: () => createVsCodeLmProvider(lm.api),
    model,
    thinking: undefined,
    images: /"mimeType"/,
    field: 'max_tokens',
    close: () => Promise.resolve(),
  });
}
