import { ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';

/** A model that ended its answer without a word and without a call. */
export class EmptyAnswerError extends ProviderError {
  constructor() {
    super('protocol', t('The model gave no answer. Try again, or say it in other words.'));
  }
}
