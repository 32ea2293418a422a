import { ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { AskedModel } from './ask-once.js';
import { askOnce, errorOf } from './ask-once.js';
import type { NamedSymbol } from './name-request.js';
import { nameRequest } from './name-request.js';
import { namesIn } from './names-in.js';

/**
 * Asks a model for better names of a symbol, best first.
 * @throws what went wrong with the request, or ProviderError when it brought no name.
 */
export async function suggestNames(symbol: NamedSymbol, asked: AskedModel): Promise<readonly string[]> {
  let written = '';
  const answer = await askOnce(nameRequest(symbol, asked.model, asked.clock.timestamp()), asked, (piece) => {
    written += piece;
  });
  const error = errorOf(answer);
  if (error !== undefined) throw error;
  const names = namesIn(written, symbol.name);
  if (names.length === 0) throw new ProviderError('protocol', t('The model found no other name. Type one yourself, or choose another model.'));
  return names;
}
