import { type Client, type ClientCapabilities, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { McpHandlers } from '../../domain/mcp/connection.js';
import { type McpElicitation, type McpElicitationAnswer, McpRefusal, type McpSample, type McpSampleAnswer } from '../../domain/mcp/request.js';
import { Refusal } from './errors.js';
import { formFields } from './wire/form-fields.js';
import { readBlock } from './wire/from-wire.js';
import { type JsonRecord, list, number, present, record, text } from './wire/json.js';
import type { OpenQuestions } from './patience.js';

/** What the client says it can do: what there are handlers for. */
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

/** What failed here is none of the server's business; what is refused to it is. */
async function orFailure<T>(answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof McpRefusal) throw new Refusal(error.message);
    throw Object.assign(new ProtocolError(ProtocolErrorCode.InternalError, 'The request could not be answered.'), { cause: error });
  }
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
