import { present } from '../../domain/present.js';
import type * as vscode from 'vscode';
import { AbortError, errorMessage, isAbortError, ProviderError, type ProviderErrorKind } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { type Request, validateRequest } from '../../domain/model/provider.js';
import type { StreamPart } from '../../domain/model/event-stream.js';
import { isAboutImages } from '../../provider/http/failures.js';
import { type BodyField, bodyWithout } from '../../provider/refusal/body-fields.js';
import { isAgainstPolicy, saidBy } from '../../provider/refusal/said-by.js';
import type { LeftOut } from '../../provider/refusal/left-out.js';
import { refusedIn, type Sent } from '../../provider/refusal/refused-in.js';
import { isTooLong } from '../../provider/refusal/too-long.js';
import { type LmApi, wireMessages, wireTool } from './wire.js';
import { selectorOf } from './models.js';

/** A request, and what of its options is left out. */
export interface Asked {
  readonly request: Request;
  readonly leftOut: LeftOut;
}

/** Options that a model can do without. */
const FIELDS: readonly BodyField[] = [{ name: 'temperature' }, { name: 'max_tokens' }];

/**
 * The parts of one answer of a model of VS Code. The API has no stop reason and no usage: an answer that calls tools
 * stopped for them, any other has ended.
 */
export async function* answerParts(api: LmApi, asked: Asked, signal: AbortSignal): AsyncGenerator<readonly StreamPart[], undefined> {
  const cancellation = new api.CancellationTokenSource();
  const cancel = (): void => cancellation.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const reader = new PartReader(api);
  try {
    const response = await send(api, asked, cancellation.token);
    for await (const part of response.stream) yield reader.read(part);
    if (signal.aborted) throw new AbortError();
    yield [...reader.endOfText(), reader.stop()];
  } catch (error) {
    throw signal.aborted ? new AbortError(undefined, error) : lmError(error, sentOf(asked), reader.begun);
  } finally {
    // An early end leaves nothing running behind it.
    signal.removeEventListener('abort', cancel);
    cancellation.cancel();
    cancellation.dispose();
  }
  return undefined;
}

async function send(api: LmApi, { request, leftOut }: Asked, token: vscode.CancellationToken): Promise<vscode.LanguageModelChatResponse> {
  validateRequest(request);
  const messages = wireMessages(api, request);
  if (request.messages.length === 0) throw new ProviderError('invalid_request', t('The message is empty. Enter some text.'));
  const [model] = await api.lm.selectChatModels(selectorOf(request.model));
  if (model === undefined) throw noSuchModel(request.model);
  if (token.isCancellationRequested) throw new AbortError();
  return model.sendRequest(messages, { justification: t('Gnomon uses this model to respond to your chat messages.'), ...optionsOf(request, leftOut) }, token);
}

function optionsOf(request: Request, leftOut: LeftOut): vscode.LanguageModelChatRequestOptions {
  const { tools } = request;
  const modelOptions = bodyWithout(modelOptionsOf(request), FIELDS, leftOut.fields);
  return { ...(tools.length === 0 ? {} : { tools: tools.map(wireTool) }), ...(Object.keys(modelOptions).length === 0 ? {} : { modelOptions }) };
}

function modelOptionsOf({ maxTokens = 0, temperature }: Request): Readonly<Record<string, number>> {
  return { ...present({ temperature }), ...(maxTokens > 0 ? { max_tokens: maxTokens } : {}) };
}

function sentOf({ request, leftOut }: Asked): Sent {
  return { request, leftOut, body: bodyWithout(modelOptionsOf(request), FIELDS, leftOut.fields), fields: FIELDS };
}

/** Translates what an answer is made of; parts of a kind that it does not know are passed over. */
class PartReader {
  /** Whether something of the answer has come. */
  begun = false;
  private index = 0;
  private inText = false;
  private calls = 0;

  constructor(private readonly api: LmApi) {}

  read(part: unknown): readonly StreamPart[] {
    if (part instanceof this.api.LanguageModelTextPart) return this.text(part.value);
    return part instanceof this.api.LanguageModelToolCallPart ? this.call(part) : [];
  }

  /** Ends the text that is open, if one is. */
  endOfText(): readonly StreamPart[] {
    if (!this.inText) return [];
    this.inText = false;
    return [{ type: 'block_end', index: this.index++ }];
  }

  stop(): StreamPart {
    const stopReason = this.calls > 0 ? 'tool_use' : 'end_turn';
    return { type: 'stop', stopReason, rawStopReason: '' };
  }

  private text(delta: string): readonly StreamPart[] {
    this.begun = true;
    this.inText = true;
    return [{ type: 'text', index: this.index, delta }];
  }

  private call({ callId, name, input }: vscode.LanguageModelToolCallPart): readonly StreamPart[] {
    this.begun = true;
    this.calls += 1;
    const end = this.endOfText();
    const index = this.index++;
    return [
      ...end,
      { type: 'tool_call_begin', index, id: callId, name },
      { type: 'tool_call_delta', index, delta: jsonOf(input) },
      { type: 'block_end', index },
    ];
  }
}

/** The arguments as text. The API promises an object; the extension behind the model may not keep the promise. */
function jsonOf(input: unknown): string {
  return input === undefined || input === null ? '{}' : JSON.stringify(input);
}

/** Characters of another extension's message that the user is shown. */
const MAX_DETAIL = 200;

type Words = (model: string, detail: string) => string;
/** The kind of a failure, its message for the user, and the notice while the request is retried, where it is. */
type Known = readonly [kind: ProviderErrorKind, text: Words, fact?: Words];

/** Kinds by the codes of VS Code's `LanguageModelError`. */
const KNOWN: Readonly<Record<string, Known>> = {
  NoPermissions: ['consent', (model) => t('Gnomon is not allowed to use {0}. Try again and choose “Allow” when VS Code asks, or choose another model.', model)],
  Blocked: [
    'quota',
    (model, detail) =>
      t('{0} cannot be used at the moment: its quota is used up, or the request was blocked{1}. Try again later, or choose another model.', model, detail),
  ],
  NotFound: [
    'not_found',
    (model) => t('The model {0} is no longer available in VS Code. Sign in to the extension that provides it, or choose another model.', model),
  ],
};

/** Turns a failure of VS Code or of the extension behind the model into an error for the user. An abort stays an abort. */
function lmError(error: unknown, sent: Sent, begun: boolean): Error {
  if (error instanceof ProviderError || (error instanceof Error && isAbortError(error))) return error;
  const { model } = sent.request;
  const said = saidBy(messagesOf(error));
  const [kind, text, fact] = aboutTheRequest(said.words) ?? KNOWN[codeOf(error)] ?? unknown(begun);
  const detail = because(error);
  const refused = begun ? undefined : refusedIn(said, kind, sent);
  const images = !begun && isAboutImages('invalid_request', said.words) ? { refusedImages: [] } : {};
  return new ProviderError(kind, text(model, detail), {
    cause: error,
    ...(fact === undefined ? {} : { fact: fact(model, detail) }),
    ...images,
    ...present({ refused }),
  });
}

/** VS Code has no code for what the server behind the other extension said. */
function aboutTheRequest(words: string): Known | undefined {
  if (isTooLong(words, undefined))
    return [
      'context_length',
      (model, detail) => t('The chat is too long for the model {0}{1}. Start a new chat, or choose a model with a larger context window.', model, detail),
    ];
  if (isAgainstPolicy(words))
    return [
      'refused_content',
      (model, detail) => t('{0} refused this message because of what it says{1}. It is not sent again. Rephrase it, or choose another model.', model, detail),
    ];
  return undefined;
}

/** The words of an error and of what caused it. */
function messagesOf(error: unknown): readonly string[] {
  return error instanceof Error ? [error.message, ...(error.cause === undefined ? [] : messagesOf(error.cause))] : [errorMessage(error)];
}

/** There is no such model. */
function noSuchModel(model: string): ProviderError {
  return new ProviderError(
    'not_found',
    t('The model {0} is not available in VS Code. Install or sign in to the extension that provides it and try again, or choose another model.', model),
  );
}

function unknown(begun: boolean): Known {
  return begun
    ? [
        'interrupted',
        (model, detail) => t('The response from {0} was cut off{1}. The part received is kept. Try again, or ask the model to continue.', model, detail),
        (model, detail) => t('The response from {0} was cut off{1}.', model, detail),
      ]
    : [
        'server',
        (model, detail) => t('The request to {0} failed{1}. Try again, or choose another model.', model, detail),
        (model, detail) => t('The request to {0} failed{1}.', model, detail),
      ];
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The other extension's own message on one line. */
function because(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const words = errorMessage(cause ?? error)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.\s]+$/, '');
  // A body that was passed on as text says nothing to a user.
  if (words === '' || /^[{[<]/.test(words)) return '';
  return words.length > MAX_DETAIL ? ` (${words.slice(0, MAX_DETAIL)}…)` : ` (${words})`;
}
