import { present } from '../../domain/present.js';
import { type Client, type ClientCapabilities, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { McpHandlers } from '../../domain/mcp/connection.js';
import {
  type McpElicitation,
  type McpElicitationAnswer,
  type McpField,
  type McpFieldBase,
  type McpOption,
  McpRefusal,
  type McpSample,
  type McpSampleAnswer,
} from '../../domain/mcp/request.js';
import { Refusal } from './errors.js';
import { readBlock } from './wire/from-wire.js';
import { type JsonRecord, list, number, record, text } from './wire/json.js';
import type { OpenQuestions } from './patience.js';

/** Client capabilities to declare: those that have handlers. */
export function capabilitiesFor({ elicit, sample }: McpHandlers): ClientCapabilities {
  return { roots: {}, ...(elicit === undefined ? {} : { elicitation: { form: {}, url: {} } }), ...(sample === undefined ? {} : { sampling: {} }) };
}

/**
 * Has the client answer what servers ask: as requests in the legacy era, within results in the modern one. The client keeps the rounds
 * of the modern era itself, and hands both to the same handlers.
 */
export function answerRequests(client: Client, handlers: McpHandlers, { questions, most }: { readonly questions: OpenQuestions; readonly most: number }): void {
  const ask = async <T>(answer: () => Promise<T>): Promise<T> => {
    if (questions.count >= most) throw new Refusal('There are too many requests at the same time.');
    return questions.during(() => orFailure(answer));
  };
  client.setRequestHandler('roots/list', () => ({ roots: handlers.roots().map(({ uri, name }) => ({ uri, name })) }));
  const { elicit, sample } = handlers;
  if (elicit !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
      const request = elicitationOf(params);
      return wireAnswer(await ask(() => elicit(request, mcpReq.signal)));
    });
  }
  if (sample !== undefined) {
    client.setRequestHandler('sampling/createMessage', async ({ params }, { mcpReq }) => {
      const request = sampleOf(params);
      return wireMessage(await ask(() => sample(request, mcpReq.signal)));
    });
  }
}

/** Internal errors are hidden from the server, refusals are sent to it. */
async function orFailure<T>(answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof McpRefusal) throw new Refusal(error.message);
    throw Object.assign(new ProtocolError(ProtocolErrorCode.InternalError, 'The request could not be answered.'), { cause: error });
  }
}

const MAX_FIELDS = 100;
const MAX_OPTIONS = 1_000;
const FORMATS = ['email', 'uri', 'date', 'date-time'] as const;

/**
 * The blanks of a form, from the part of JSON Schema that the specification has for it (all revisions since 2025-06-18).
 * @throws Refusal for anything else, because an answer could not be checked
 */
export function formFields(schema: unknown): readonly McpField[] {
  const form = record(schema);
  const properties = Object.entries(record(form?.['properties']) ?? {});
  if (form === undefined || form['type'] !== 'object') throw new Refusal('A form is an object schema.');
  if (properties.length > MAX_FIELDS) throw new Refusal(`A form has at most ${MAX_FIELDS} fields.`);
  const required = new Set(list(form['required']));
  return properties.map(([name, property]) => {
    const field = record(property) ?? {};
    const base = present({ name, title: text(field['title']), description: text(field['description']), required: required.has(name) });
    return fieldOf(field, base);
  });
}

function fieldOf(field: JsonRecord, base: McpFieldBase): McpField {
  switch (field['type']) {
    case 'string':
      return 'enum' in field || 'oneOf' in field ? choice(field, base) : textField(field, base);
    case 'number':
    case 'integer':
      return present({
        ...base,
        type: 'number' as const,
        integer: field['type'] === 'integer',
        minimum: number(field['minimum']),
        maximum: number(field['maximum']),
        default: number(field['default']),
      });
    case 'boolean':
      return present({ ...base, type: 'boolean' as const, default: typeof field['default'] === 'boolean' ? field['default'] : undefined });
    case 'array':
      return choices(field, base);
    default:
      throw new Refusal(`The field "${base.name}" has a type that a form cannot have.`);
  }
}

function textField(field: JsonRecord, base: McpFieldBase): McpField {
  const format = text(field['format']);
  const known = FORMATS.find((each) => each === format);
  if (format !== undefined && known === undefined) throw new Refusal(`The field "${base.name}" has a format that a form cannot have.`);
  return present({
    ...base,
    type: 'text' as const,
    format: known,
    minLength: number(field['minLength']),
    maxLength: number(field['maxLength']),
    pattern: text(field['pattern']),
    default: text(field['default']),
  });
}

function choice(field: JsonRecord, base: McpFieldBase): McpField {
  return present({ ...base, type: 'choice' as const, options: optionsOf(field, base.name), default: text(field['default']) });
}

function choices(field: JsonRecord, base: McpFieldBase): McpField {
  const items = record(field['items']) ?? {};
  const chosen = field['default'] === undefined ? undefined : list(field['default']).filter((each) => typeof each === 'string');
  return present({
    ...base,
    type: 'choices' as const,
    options: optionsOf(items, base.name),
    minItems: number(field['minItems']),
    maxItems: number(field['maxItems']),
    default: chosen,
  });
}

/** Values alone, with names beside them (`enumNames`, up to 2025-06-18), or each with its title. */
function optionsOf(field: JsonRecord, name: string): readonly McpOption[] {
  const names = list(field['enumNames']);
  const plain = list(field['enum']).map((value, index) => ({ value, title: names[index] ?? value }));
  const titled = list(field['oneOf'] ?? field['anyOf']).map((each) => ({
    value: record(each)?.['const'],
    title: record(each)?.['title'] ?? record(each)?.['const'],
  }));
  const options = [...plain, ...titled].filter((option): option is McpOption => typeof option.value === 'string' && typeof option.title === 'string');
  if (options.length === 0 || options.length !== plain.length + titled.length || options.length > MAX_OPTIONS) {
    throw new Refusal(`The field "${name}" has choices that a form cannot have.`);
  }
  return options;
}

/** @throws Refusal for what cannot be asked */
export function elicitationOf(params: JsonRecord): McpElicitation {
  const message = text(params['message']) ?? '';
  if (params['mode'] !== 'url') return { mode: 'form', message, fields: formFields(params['requestedSchema']) };
  const url = text(params['url']);
  if (url === undefined) throw new Refusal('There is no address to open.');
  return { mode: 'url', message, url, id: text(params['elicitationId']) ?? '' };
}

function wireAnswer(answer: McpElicitationAnswer): { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string | number | boolean | string[]> } {
  if (answer.action !== 'accept' || answer.content === undefined) return { action: answer.action };
  const content = Object.entries(answer.content).map(([name, value]): [string, string | number | boolean | string[]] => [
    name,
    typeof value === 'object' ? [...value] : value,
  ]);
  return { action: 'accept', content: Object.fromEntries(content) };
}

function sampleOf(params: JsonRecord): McpSample {
  if (list(params['tools']).length > 0) throw new Refusal('Tools cannot be used in a sample.');
  const messages = list(params['messages']).map((each) => {
    const message = record(each) ?? {};
    const content = message['content'];
    return {
      role: message['role'] === 'assistant' ? ('assistant' as const) : ('user' as const),
      content: (Array.isArray(content) ? list(content) : [content]).map(readBlock),
    };
  });
  const stops = list(params['stopSequences']).filter((each) => typeof each === 'string');
  return present({
    messages,
    systemPrompt: text(params['systemPrompt']),
    maxTokens: number(params['maxTokens']) ?? 0,
    temperature: number(params['temperature']),
    stopSequences: stops.length === 0 ? undefined : stops,
    hints: list(record(params['modelPreferences'])?.['hints']).flatMap((each) => text(record(each)?.['name']) ?? []),
  });
}

function wireMessage({ text: answer, model, stopReason }: McpSampleAnswer): {
  role: 'assistant';
  content: { type: 'text'; text: string };
  model: string;
  stopReason: string;
} {
  return { role: 'assistant', content: { type: 'text', text: answer }, model, stopReason };
}

/** The error by which a server of 2025-11-25 says that the user has to visit pages before it answers. */
const PAGES_REQUIRED = -32_042;
/** Pages of one request. */
const MAX_PAGES = 5;

type Page = McpElicitation & { readonly mode: 'url' };

/** Knows which pages users have been sent to, and who waits for them to be done there. */
export class RequiredPages {
  private readonly waiting = new Map<string, () => void>();

  /** A server says that the user is done with a page. */
  done(id: string): void {
    this.waiting.get(id)?.();
    this.waiting.delete(id);
  }

  /**
   * Has the user visit the pages that an error asks for, and waits until the server says that they are done.
   * @returns whether to send the request again; `false` if the error is about something else, or the user does not want to
   */
  async visited(
    error: unknown,
    { elicit, questions }: { readonly elicit: McpHandlers['elicit']; readonly questions: OpenQuestions },
    signal: AbortSignal,
  ): Promise<boolean> {
    const pages = pagesOf(error);
    return elicit !== undefined && pages.length > 0 && questions.during(() => this.visit(pages, elicit, signal));
  }

  private async visit(pages: readonly Page[], elicit: NonNullable<McpHandlers['elicit']>, signal: AbortSignal): Promise<boolean> {
    for (const page of pages) {
      // Before the user is asked: it may be quick.
      const done = page.id === '' ? Promise.resolve() : new Promise<void>((resolve) => this.waiting.set(page.id, resolve));
      signal.addEventListener('abort', () => this.done(page.id), { once: true });
      const { action } = await elicit(page, signal);
      if (action !== 'accept') return false;
      await done;
      signal.throwIfAborted();
    }
    return true;
  }
}

function pagesOf(error: unknown): readonly Page[] {
  if (!(error instanceof ProtocolError) || error.code !== PAGES_REQUIRED) return [];
  const pages = list(record(error.data)?.['elicitations']).slice(0, MAX_PAGES);
  return pages.flatMap((each) => {
    const page = elicitationOf(record(each) ?? {});
    return page.mode === 'url' ? [page] : [];
  });
}
