import type { Refusal } from './forms.js';
import type { RefusingWire } from './wires.js';

/** One way in which servers refuse a request. */
export interface Row {
  readonly kind: 'thinking' | 'content' | 'unknown' | 'images' | 'length' | 'field' | 'once';
  readonly refusal: Refusal;
  /** Whether the refused message itself may fail, since nothing says what of it was refused; the next one is answered all the same. */
  readonly mayFail?: true;
}

const row = (kind: Row['kind'], status: number, words: string, code?: string): Row => ({
  kind,
  refusal: { status, words, ...(code === undefined ? {} : { code }) },
});

/** Wordings; their sources are in the tables of `src/provider/refusal`. */
export const ROWS: readonly Row[] = [
  row('thinking', 400, 'messages.1.content.0: Invalid `signature` in `thinking` block'),
  row(
    'thinking',
    400,
    'messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
  ),
  row('thinking', 400, 'ValidationException: messages.1.content.0: Invalid `data` in `redacted_thinking` block'),
  row('thinking', 400, 'Unable to submit request because Thought signature is not valid.. Learn more: https://cloud.google.com/vertex-ai'),
  row('thinking', 400, 'Corrupted thought signature.'),
  row('thinking', 400, 'The encrypted content for item rs_1 could not be verified.', 'invalid_encrypted_content'),
  row('thinking', 400, "Item 'rs_1' of type 'reasoning' was provided without its required following item."),
  row('thinking', 422, 'Invalid reasoning_details: the signature does not match'),
  row('thinking', 400, ''),
  row('thinking', 400, 'invalid request'),
  row('thinking', 400, 'Ungültige Anfrage'),
  row('thinking', 422, 'Error'),
  row('thinking', 500, ''),
  row('thinking', 500, 'Internal Server Error'),
  row('thinking', 501, 'Not Implemented'),
  row('thinking', 502, 'upstream error'),
  // What may be about the account, or the model, is tried without thinking when it comes again.
  { ...row('thinking', 403, 'forbidden'), mayFail: true },
  { ...row('thinking', 404, 'Not Found'), mayFail: true },
  row('images', 404, 'No endpoints found that support image input'),
  row('images', 400, 'Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text` at line 1 column 6'),
  row('images', 400, 'This model does not support image inputs.'),
  row('images', 400, 'Image input is not supported with this model'),
  row('images', 400, "unsupported content type 'image_url'"),
  row('images', 500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'),
  row('images', 400, 'messages.1.content.0.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes'),
  row('images', 400, 'Could not process image'),
  row('images', 400, 'Unable to process input image'),
  row('images', 422, 'At most 0 images: m is not a multimodal model'),
  // Nothing says that it is about the image: the message is held back.
  { ...row('images', 501, 'Not Implemented'), mayFail: true },
  { ...row('images', 403, 'forbidden'), mayFail: true },
  row('length', 400, 'prompt is too long: 210194 tokens > 200000 maximum'),
  row('length', 400, "This model's maximum context length is 4097 tokens, however you requested 4569 tokens", 'context_length_exceeded'),
  row('length', 400, "This model's maximum prompt length is 131072 but the request contains 136973 tokens."),
  row('length', 400, 'prompt token count of 93854 exceeds the limit of 90000', 'model_max_prompt_tokens_exceeded'),
  row('length', 400, 'Prompt exceeds max length', '1261'),
  row('length', 400, '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 204800]'),
  row('length', 400, 'Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)'),
  row('length', 422, 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 1512. Given: 1000 `inputs` tokens and 1024 `max_new_tokens`'),
  row('length', 400, 'Message exceeds token limit.'),
  row('length', 413, 'Payload Too Large'),
  row('length', 400, 'Der Verlauf passt nicht.'),
  row('length', 400, 'Bad Request'),
  row('length', 500, 'Internal Server Error'),
  row('length', 403, 'Forbidden'),
  row('length', 404, 'Not Found'),
  row('length', 404, ''),
  row('length', 502, 'Bad Gateway'),
  row('length', 503, ''),
  row('length', 504, 'upstream request timeout'),
  row('content', 400, "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", 'content_filter'),
  row('content', 400, 'Invalid prompt: your prompt was flagged as potentially violating our usage policy.', 'invalid_prompt'),
  row('content', 400, 'Output blocked by content filtering policy'),
  row('content', 400, 'Content Exists Risk'),
  row('content', 400, '<400> InternalError.Algo.DataInspectionFailed: Input text data may contain inappropriate content.'),
  row('content', 400, 'Your request was rejected as a result of our safety system.', 'moderation_blocked'),
  row('content', 400, '系统检测到输入或生成内容可能包含不安全或敏感内容，请您避免输入易产生敏感内容的提示语，感谢您的配合', '1301'),
  row('content', 422, 'input new_sensitive (1026)'),
  row('content', 400, 'input contains sensitive words: [test] (request id: 1)', 'sensitive_words_detected'),
  row('content', 400, "Claude's safeguards flagged this message (https://www.anthropic.com/legal/aup)."),
  row('content', 403, 'Your chosen model requires moderation and your input was flagged for "violence".'),
  row('content', 403, 'Content violates usage guidelines.'),
  row('field', 400, "Unsupported parameter: 'FIELD' is not supported with this model.", 'unsupported_parameter'),
  row('field', 400, 'Unrecognized request argument supplied: FIELD'),
  row('field', 400, 'Invalid JSON payload received. Unknown name "FIELD": Cannot find field.'),
  row('field', 422, 'FIELD: Extra inputs are not permitted'),
  row('field', 500, 'Model m does not support parameter FIELD.'),
  row('field', 404, 'No endpoints found that support the FIELD parameter'),
  row('field', 403, 'FIELD is not available on your plan'),
  row('field', 501, 'FIELD not implemented'),
  row('field', 400, 'Bad request. FIELD must be one of low, medium'),
  row('once', 400, "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.", 'tool_use_failed'),
  row('once', 409, 'Conflict'),
  row('once', 425, 'Too Early'),
  row('once', 499, 'Client Closed Request'),
];

/** Ends of answers that a model, or a filter, does not want to give. */
export const ENDINGS = ['refusal', 'content_filter', 'SAFETY', 'PROHIBITED_CONTENT', 'guardrail_intervened', 'sensitive'] as const;

/** Characters of a request from which on a server finds it too long. */
const TOO_LONG = 20_000;

/** Whether a wire's request holds what a row is about. */
export function isRefused({ kind }: Row, wire: RefusingWire, sent: string): boolean {
  switch (kind) {
    case 'thinking':
      return wire.thinking?.test(sent) ?? false;
    case 'images':
      return wire.images.test(sent);
    case 'length':
      return sent.length > TOO_LONG;
    case 'field':
      return sent.includes(`"${wire.field}"`);
    case 'once':
      return true;
    case 'content':
    case 'unknown':
      return sent.includes('FORBIDDEN');
  }
}

/** Words that are in no table, of servers that refuse what a message says. */
const UNHEARD_OF = [
  '',
  'Bad Request',
  'Nope.',
  '拒绝处理该请求',
  'これは処理できません。',
  'Der Inhalt wird nicht verarbeitet.',
  'policy engine verdict: DENY (rule 7)',
  '{"code":"E_7"}',
];
const STATUSES = [400, 403, 404, 406, 418, 422, 451, 500] as const;

/** Every status with some of the words, in turn, so that each of both comes up. */
export const UNKNOWN: readonly Row[] = UNHEARD_OF.flatMap((words, index) =>
  [0, 5].map((shift) => row('unknown', STATUSES[(index + shift) % STATUSES.length] ?? 400, words)),
);

const OTHER_STATUSES = [403, 404, 500, 502, 503, 504] as const;

/** Known words for a length, with statuses that say something else. */
export const MISPLACED: readonly Row[] = ROWS.filter(({ kind, refusal }) => kind === 'length' && refusal.status < 413 && refusal.words.length > 20).map(
  (each, index) => ({ kind: each.kind, refusal: { ...each.refusal, status: OTHER_STATUSES[index % OTHER_STATUSES.length] ?? 403 } }),
);
