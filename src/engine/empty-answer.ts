import { ProviderError } from '../domain/errors.js';

/** A model that ended its answer without a word and without a call (stream-13). */
export class EmptyAnswerError extends ProviderError {
  constructor() {
    super('protocol', 'The model gave no answer. Try again, or say it in other words.');
  }
}
