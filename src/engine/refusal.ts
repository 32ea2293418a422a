import { ProviderError } from '../domain/errors.js';
import { t } from '../domain/l10n.js';

/** What models call the end of an answer that they do not want to give. */
const REFUSALS: ReadonlySet<string | undefined> = new Set(['refusal', 'content_filter']);

/** Whether a model ended its answer, in its own word for that, because it does not want to give it. */
export function isRefusal(rawStopReason: string | undefined): boolean {
  return REFUSALS.has(rawStopReason);
}

/** What the user is notified of a refusal. */
export function refusal(): ProviderError {
  return new ProviderError('invalid_request', t('The model refused to respond to this. Rephrase your message, choose another model, or start a new chat.'));
}
