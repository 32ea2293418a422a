import { ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { AskedModel } from './ask-once.js';
import { askOnce, errorOf } from './ask-once.js';
import type { NamedSymbol } from './name-request.js';
import { nameRequest } from './name-request.js';

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
  if (names.length === 0) throw new ProviderError('protocol', t('The model did not suggest another name. Enter one yourself, or choose another model.'));
  return names;
}

/** Names at most. */
const MAX_NAMES = 5;
/** Characters of a name at most. */
const MAX_LENGTH = 80;
/** List markers before a name, which models add unasked. */
const BULLET = /^(?:[-*•]|\d+[.)])\s+/;
/** A name as most languages have it; Ruby's `?` and `!`, Lisp's and CSS's `-` too. */
const NAME = /^[\p{L}_$@-][\p{L}\p{N}_$-]*[?!]?$/u;

/** The names in what a model wrote: each line that is nothing but a name other than the present one, each once. */
export function namesIn(written: string, present: string): readonly string[] {
  const lines = written.split(/\r\n?|\n/).map((line) => line.trim().replace(BULLET, '').replace(/^`|`$/g, ''));
  const names = lines.filter((line) => line.length <= MAX_LENGTH && NAME.test(line) && line !== present);
  return [...new Set(names)].slice(0, MAX_NAMES);
}
