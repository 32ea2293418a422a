import { text } from '../../domain/model/content.js';
import { type Message, textContent, type Timestamp } from '../../domain/model/message.js';
import { outputInWords } from '../../domain/model/output.js';
import type { Request } from '../../domain/model/provider.js';
import { addUsage, type Usage } from '../../domain/model/usage.js';
import type { JsonSchema } from '../../domain/tool/tool.js';
import { isCut, refusalOf } from '../turn/outcome.js';
import { type AskedModel, askOnce, errorOf } from './ask-once.js';
import type { CheckedData } from './data-check.js';

/** A request for data in the form of a JSON Schema. */
export interface DataRequest extends Request {
  readonly output: JsonSchema;
}

/** Result of a request for structured data. `raw` is the model's last text, as far as it came. */
export type DataAnswer = (
  | { readonly end: 'data'; readonly value: unknown }
  /** Also the second answer is not valid; `problem` says why, in words for a model. */
  | { readonly end: 'invalid'; readonly raw: string; readonly problem: string }
  /** The answer was cut off at its limit. It is not continued: the caller, who set the limit, decides. */
  | { readonly end: 'cut'; readonly raw: string }
  | { readonly end: 'error'; readonly raw: string; readonly error: Error }
  | { readonly end: 'aborted'; readonly raw: string }
) & {
  /** Tokens of all requests that were made. */
  readonly usage: Usage;
};

/**
 * Asks a model for data that is valid against a schema, and once more with what is wrong with its first answer. What a model or its server
 * does wrong is in the answer, never thrown; failures that pass are not tried again.
 * @throws InvalidDataError for a schema that cannot be read, before anything is asked
 */
export async function askForData(wanted: DataRequest, asked: AskedModel): Promise<DataAnswer> {
  // What checks by a schema is large, and few chats ask for data.
  const { dataCheck } = await import('./data-check.js');
  const check = dataCheck(wanted.output);
  const request = asked.model.supportsOutputSchema === false ? outputInWords(wanted) : wanted;
  const first = await ask(request, asked, check);
  if (first.end !== 'invalid') return first;
  const messages = [...request.messages, ...corrected(first, wanted.output, asked.clock.timestamp())];
  const second = await ask({ ...request, messages }, asked, check);
  return { ...second, usage: addUsage(first.usage, second.usage) };
}

async function ask(request: Request, asked: AskedModel, check: (written: string) => CheckedData): Promise<DataAnswer> {
  const answer = await askOnce(request, asked);
  const { message, usage } = answer;
  const raw = message === undefined ? '' : textContent(message);
  if (asked.signal.aborted) return { end: 'aborted', raw, usage };
  const error = errorOf(answer) ?? refusalOf(message);
  if (error !== undefined) return { end: 'error', raw, error, usage };
  if (message !== undefined && isCut(message)) return { end: 'cut', raw, usage };
  const checked = check(raw);
  return checked.ok ? { end: 'data', value: checked.value, usage } : { end: 'invalid', raw, problem: checked.problem, usage };
}

/** The answer, and what is wrong with it. The schema is repeated, for servers that took its field and did nothing with it. */
function corrected({ raw, problem, usage }: Extract<DataAnswer, { end: 'invalid' }>, schema: JsonSchema, timestamp: Timestamp): readonly Message[] {
  const words = [
    `This answer is not valid against the JSON Schema:\n${problem}`,
    `<schema>\n${JSON.stringify(schema)}\n</schema>`,
    'Answer again, with the corrected JSON value and nothing else.',
  ].join('\n\n');
  const said: Message = { role: 'assistant', content: [text(raw.toWellFormed())], stopReason: 'end_turn', rawStopReason: 'end_turn', usage, timestamp };
  // APIs refuse an answer without words.
  return [...(raw.trim() === '' ? [] : [said]), { role: 'user', content: [text(words.toWellFormed())], timestamp }];
}
