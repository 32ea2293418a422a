import { t } from '../../../domain/l10n.js';
import type { Request } from '../../../domain/model/provider.js';
import type { Parts } from '../../part-stream.js';
import { type AnswerApi, AnswerParts } from '../answer-parts.js';
import { list, record, text } from '../json.js';
import type { OpenAiOptions } from '../options.js';
import { EventReader } from './event-reader.js';
import { type Refused, refusedIn } from './refused.js';
import { responseParams } from './request.js';

/** What the server of a provider has refused so far, so that it is not sent and refused again with every request. */
const REFUSED = new WeakMap<OpenAiOptions, Refused>();

const NOTHING: Refused = { summaries: false, reasoning: new Set() };

/** The parts of one answer over Responses. */
export function responseParts(options: OpenAiOptions, request: Request, signal: AbortSignal): Parts {
  const { preset } = options;
  const body = (): object => responseParams(request, preset, REFUSED.get(options) ?? NOTHING);
  const api: AnswerApi = {
    model: request.model,
    path: '/responses',
    expected: t('a Responses API'),
    reader: new EventReader(),
    body,
    bodyAfter: (refusal) => {
      const refused = refusedIn(refusal.error, request.messages, REFUSED.get(options) ?? NOTHING);
      if (refused === undefined) return undefined;
      REFUSED.set(options, refused);
      return body();
    },
    failureIn: failure,
    eventsOf,
  };
  return new AnswerParts(options, api, signal);
}

/** An event `error`, or the end of an answer that failed. */
function failure(value: unknown): unknown {
  const event = record(value);
  if (event?.['type'] === 'error' || event?.['object'] === 'error') return event;
  return event?.['type'] === 'response.failed' ? { error: record(event['response'])?.['error'] ?? {} } : undefined;
}

/** A response that came whole, as the events that it would have come in. */
function eventsOf(whole: unknown): readonly unknown[] | undefined {
  const response = record(whole);
  if (response?.['object'] !== 'response' || !Array.isArray(response['output'])) return undefined;
  const items = list(response['output']).map((item, place) => ({ type: 'response.output_item.done', output_index: place, item }));
  return [...items, { type: `response.${text(response['status']) || 'completed'}`, response }];
}
