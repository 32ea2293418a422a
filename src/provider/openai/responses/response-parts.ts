import { t } from '../../../domain/l10n.js';
import type { Parts } from '../../part-stream.js';
import { type AnswerApi, type AskedOver, AnswerParts } from '../answer-parts.js';
import { RESPONSE_FIELDS } from '../body-fields.js';
import { list, record, text } from '../json.js';
import type { OpenAiOptions } from '../options.js';
import { EventReader } from './event-reader.js';
import { responseParams } from './request.js';

/** The parts of one answer over Responses. */
export function responseParts(options: OpenAiOptions, { request, leftOut }: AskedOver, signal: AbortSignal): Parts {
  const api: AnswerApi = {
    request,
    fields: RESPONSE_FIELDS,
    leftOut,
    path: '/responses',
    expected: t('a Responses API'),
    reader: new EventReader(),
    body: () => responseParams(request, options.preset),
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
