import { AbortError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { McpError } from '../../domain/mcp/connection.js';
import type { McpRedirectReceiver } from '../../domain/mcp/sign-in.js';

/** Time limit for the user to sign in, in milliseconds. */
const TIME_LIMIT_MS = 5 * 60_000;

/**
 * Receives answers to sign-ins through VS Code’s URI handler. Any page can open such an address, so an answer counts once, and only
 * with the `state` of a sign-in that waits in this window.
 */
export class UriAnswers {
  private readonly waiting = new Map<string, (parameters: URLSearchParams) => void>();

  /** @param redirectUri the address with which the browser comes back to this window */
  open(redirectUri: string, timeLimitMs = TIME_LIMIT_MS): McpRedirectReceiver {
    const closed = new AbortController();
    return {
      redirectUri,
      close: () => closed.abort(),
      wait: async (state, signal) => {
        if (signal.aborted || closed.signal.aborted) throw new AbortError();
        const limit = AbortSignal.timeout(timeLimitMs);
        const stop = AbortSignal.any([signal, limit, closed.signal]);
        try {
          return await new Promise<URLSearchParams>((done, fail) => {
            this.waiting.set(state, done);
            stop.addEventListener(
              'abort',
              () => fail(limit.aborted ? new McpError('timeout', t('Nobody signed in within {0} minutes.', timeLimitMs / 60_000)) : new AbortError()),
              { once: true },
            );
          });
        } finally {
          this.waiting.delete(state);
        }
      },
    };
  }

  /** Takes an answer. Returns whether a sign-in waited for it. */
  take(parameters: URLSearchParams): boolean {
    const [state = '', ...others] = parameters.getAll('state');
    const waiting = others.length === 0 ? this.waiting.get(state) : undefined;
    if (waiting === undefined) return false;
    this.waiting.delete(state);
    waiting(parameters);
    return true;
  }
}
