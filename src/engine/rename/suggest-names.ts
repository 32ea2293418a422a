import type { Clock } from '../../domain/clock.js';
import { errorMessage, ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { ModelInfo, Provider } from '../../domain/provider.js';
import { streamAnswer } from '../answer.js';
import { CallIds } from '../call-ids.js';
import type { NamedSymbol } from './name-request.js';
import { nameRequest } from './name-request.js';
import { namesIn } from './names-in.js';

/** What {@link suggestNames} works with. */
export interface NameSource {
  readonly provider: Provider;
  readonly model: ModelInfo;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Asks a model for better names of a symbol, best first.
 * @throws what went wrong with the request, or ProviderError when it brought no name.
 */
export async function suggestNames(symbol: NamedSymbol, { provider, model, clock, log, signal }: NameSource): Promise<readonly string[]> {
  let written = '';
  const answer = await streamAnswer(nameRequest(symbol, model, clock.timestamp()), {
    provider,
    ids: new CallIds([]),
    signal,
    clock,
    log,
    event: (event) => {
      if (event.type === 'text_delta') written += event.delta;
    },
    partial: () => Promise.resolve(),
  });
  if (answer.error !== undefined) throw answer.error instanceof Error ? answer.error : new Error(errorMessage(answer.error));
  const names = namesIn(written, symbol.name);
  if (names.length === 0) throw new ProviderError('protocol', t('The model found no other name. Type one yourself, or choose another model.'));
  return names;
}
