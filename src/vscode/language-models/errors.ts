import type { ProviderErrorKind } from '../../domain/errors.js';
import { errorMessage, isAbortError, ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';

/** Characters of another extension's words that a person is shown. */
const MAX_DETAIL = 200;

type Known = readonly [kind: ProviderErrorKind, text: (model: string, detail: string) => string];

/** Kinds by the codes of VS Code's `LanguageModelError`. */
const KNOWN: Readonly<Record<string, Known>> = {
  NoPermissions: [
    'consent',
    (model) => t('VS Code has not been allowed to let Gnomon use {0}. Try again and choose “Allow” when VS Code asks, or choose another model.', model),
  ],
  Blocked: ['quota', (model, detail) => t('{0} cannot be used at the moment: its quota is used up, or the request was blocked{1}. Wait, or choose another model.', model, detail)],
  NotFound: ['not_found', (model) => t('VS Code has no model {0} any more. Sign in to the extension that offers it, or choose another model.', model)],
};

/** A failure of VS Code or of the extension behind the model, for people. What was stopped on request stays an abort. */
export function lmError(error: unknown, model: string, begun: boolean): Error {
  if (error instanceof ProviderError || (error instanceof Error && isAbortError(error))) return error;
  const [kind, text] = KNOWN[codeOf(error)] ?? unknown(begun);
  return new ProviderError(kind, text(model, because(error)), { cause: error });
}

/** There is no such model. */
export function noSuchModel(model: string): ProviderError {
  return new ProviderError(
    'not_found',
    t('VS Code has no model {0}. Install or sign in to the extension that offers it, then try again, or choose another model.', model),
  );
}

function unknown(begun: boolean): Known {
  return begun
    ? ['interrupted', (model, detail) => t('{0} broke off in the middle of the answer{1}. What arrived is kept. Try again, or ask to continue.', model, detail)]
    : ['server', (model, detail) => t('{0} could not answer{1}. Try again, or choose another model.', model, detail)];
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The other extension's own words on one line. */
function because(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const words = errorMessage(cause ?? error).replace(/\s+/g, ' ').trim().replace(/[.\s]+$/, '');
  // A body that was passed on as text says nothing to a person.
  if (words === '' || /^[{[<]/.test(words)) return '';
  return words.length > MAX_DETAIL ? ` (${words.slice(0, MAX_DETAIL)}…)` : ` (${words})`;
}
