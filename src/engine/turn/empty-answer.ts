import { ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';

/** A model that ended its answer without a word and without a call. */
export class EmptyAnswerError extends ProviderError {
  constructor() {
    super('protocol', t('The model returned an empty response. Try again, or rephrase your message.'));
  }
}
