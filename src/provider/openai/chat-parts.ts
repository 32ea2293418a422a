import { t } from '../../domain/l10n.js';
import type { Parts } from '../part-stream.js';
import { type AnswerApi, AnswerParts, type AskedOver } from './answer-parts.js';
import { CHAT_FIELDS } from './body-fields.js';
import { list, record } from './json.js';
import type { OpenAiOptions } from './options.js';
import { requestParams } from './request.js';
import { ChunkReader, EndHabit } from './stream.js';

/** The parts of one answer over chat completions. */
export function chatParts(options: OpenAiOptions, { request, leftOut }: AskedOver, signal: AbortSignal): Parts {
  const { preset } = options;
  const api: AnswerApi = {
    request,
    fields: CHAT_FIELDS,
    leftOut,
    path: '/chat/completions',
    expected: t('a Chat Completions API'),
    reader: new ChunkReader(
      preset.dialect,
      preset.local ? request : undefined,
      new EndHabit([options.baseUrl() ?? preset.baseUrl, request.model]),
      request.tools.map(({ name }) => name),
    ),
    body: () => requestParams(request, preset),
    // The SDK knows errors by the field `error`; some servers write them in another form.
    failureIn: (chunk) => (record(chunk)?.['object'] === 'error' ? chunk : undefined),
    eventsOf: (whole) => (list(record(whole)?.['choices']).length > 0 ? [whole] : undefined),
  };
  return new AnswerParts(options, api, signal);
}
