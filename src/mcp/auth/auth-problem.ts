import { isAbortError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { McpError } from '../../domain/mcp/connection.js';
import { anyOf } from '../../text/any-of.js';
import type { Sdk } from './discovery.js';

/**
 * Converts a sign-in error to an error message for the user. Nothing of what an authorization server wrote gets into it, neither as text nor as
 * `cause`: it could quote a token, or have been written to mislead.
 * @param server its name
 */
export function authProblem(sdk: Sdk, server: string, error: unknown): unknown {
  if (error instanceof McpError || isAbortError(error)) return error;
  if (error instanceof sdk.IssuerMismatchError || error instanceof sdk.AuthorizationServerMismatchError) {
    return new McpError('refused', t('The answer is from another authorization server than the one that was asked. Gnomon does not sign in to {0}.', server));
  }
  if (error instanceof sdk.RegistrationRejectedError) {
    return new McpError(
      'refused',
      t('The authorization server refuses to register Gnomon (HTTP {0}). Enter a client ID in the configuration of {1}.', error.status, server),
      { code: error.status },
    );
  }
  if (error instanceof sdk.OAuthError) return refusal(server, error.code);
  return new McpError('protocol', t('The authorization server of {0} gave an answer that Gnomon cannot use.', server));
}

/** Codes of OAuth 2.0, OpenID Connect, and their extensions, and what looks like them. */
const KNOWN_CODE = new RegExp(
  anyOf(
    /^(?:invalid|unsupported|unauthorized|insufficient)_[a-z_]{1,30}$/,
    /^(?:server_error|temporarily_unavailable|login_required|consent_required|interaction_required)$/,
  ),
);

/** @param code as it came; only those that are known are shown */
export function refusal(server: string, code: string): McpError {
  if (code === 'access_denied') return new McpError('unauthorized', t('Signing in to {0} was declined.', server));
  return new McpError(
    'answered',
    KNOWN_CODE.test(code) ? t('The authorization server of {0} refused: {1}.', server, code) : t('The authorization server of {0} refused.', server),
  );
}
