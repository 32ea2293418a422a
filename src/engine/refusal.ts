import { type ProviderErrorKind, ProviderError } from '../domain/errors.js';
import { t } from '../domain/l10n.js';

/** Stop reasons of refused responses: Anthropic and OpenAI; Gemini; Bedrock; Z.ai. */
const REFUSALS: ReadonlySet<string | undefined> = new Set([
  'refusal',
  'content_filter',
  ...['safety', 'prohibited_content', 'blocklist', 'spii', 'recitation', 'image_safety'],
  ...['guardrail_intervened', 'content_filtered'],
  'sensitive',
]);

/** Whether a model ended its answer, in its own word for that, because it does not want to give it. */
export function isRefusal(rawStopReason: string | undefined): boolean {
  return REFUSALS.has(rawStopReason?.toLowerCase().replace(/^content_filter:.*$/s, 'content_filter'));
}

/** Error for the user about a refusal. */
export function refusal(): ProviderError {
  return new ProviderError(
    'refused_content',
    t('The model refused to respond to this message, so it is not sent again. Rephrase it, or choose another model.'),
  );
}

/** Kinds of failures that may be about anything in a request: servers do not agree on what they call a text that is too long, or that they do not want. */
const ABOUT_ANYTHING: ReadonlySet<ProviderErrorKind> = new Set<ProviderErrorKind>(['invalid_request', 'permission', 'not_found']);

/** HTTP status of a server without support for the request: unlike other 5xx, it is permanent. */
const NOT_IMPLEMENTED = 501;

/** Whether a request was refused for a reason that is not known. */
export function mayBeAboutAnything({ kind, status }: ProviderError): boolean {
  return ABOUT_ANYTHING.has(kind) || (kind === 'server' && status === NOT_IMPLEMENTED);
}
