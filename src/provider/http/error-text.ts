import type { ProviderErrorKind } from '../../domain/errors.js';
import type { ServerNames } from './server-names.js';

/** What is known of a failure beside its kind. */
export interface ErrorFacts {
  /** The API's own sentence, if it gave one. */
  readonly detail: string | null;
  readonly status?: number;
  readonly retryAfterMs?: number;
}

type Facts = ErrorFacts & ServerNames;

/** Longest part of a server's own words that is shown, in characters. */
const MAX_DETAIL = 300;

/** The words by kind: what happened and what to do next. */
const TEXTS: Readonly<Record<ProviderErrorKind, (facts: Facts) => string>> = {
  authentication: refusedKey,
  permission: (facts) =>
    `${facts.host} does not allow this with your API key${because(facts)}. Check the plan and the rights of the key, or choose another model.`,
  not_found: (facts) =>
    `${facts.host} does not know this model or address${because(facts)}. Choose another model, or check the setting ${facts.addressSetting}.`,
  invalid_request: (facts) => `${facts.host} refused the request${because(facts)}. Try again with another model, or start a new session.`,
  too_large: (facts) => `The request is larger than ${facts.host} takes${because(facts)}. Start a new session, or attach less.`,
  quota: (facts) => `Your account at ${facts.host} has used up its quota${because(facts)}. Check its plan and billing, or choose another model.`,
  consent: unusable,
  stalled: unusable,
  context_length: (facts) =>
    `The conversation is too long for the model${because(facts)}. Start a new session, or choose a model with a larger context.`,
  rate_limit: (facts) => `${facts.host} is limiting your requests. ${when(facts)}`,
  overloaded: (facts) => `The model is overloaded at the moment. ${when(facts)}`,
  server: (facts) => `${facts.host} had a problem of its own${because(facts)}. ${when(facts)}`,
  network: ({ host, status }) =>
    `A proxy between here and ${host} refused the connection (status ${status ?? 'unknown'}). Check the setting http.proxy, then try again.`,
  no_key: unusable,
  not_a_stream: unusable,
  interrupted: unusable,
  protocol: unusable,
};

/** The words for a person about a failure that the server told of. Never a raw body. */
export function errorText(kind: ProviderErrorKind, server: ServerNames, facts: ErrorFacts): string {
  return TEXTS[kind]({ ...server, ...facts });
}

function refusedKey({ host, keyVariable }: Facts): string {
  const variable = keyVariable === undefined ? '' : `, or correct the environment variable ${keyVariable} and start VS Code again`;
  return `${host} refused the API key. Run “Gnomon: Set API Key” and enter a valid one${variable}.`;
}

function unusable({ host }: Facts): string {
  return `The answer of ${host} could not be used. Try again.`;
}

function because({ detail, status }: Facts): string {
  const line = (detail ?? '').replace(/\s+/g, ' ').trim().replace(/[.\s]+$/, '');
  // A body that was passed on as text says nothing to a person.
  const words = line === '' || /^[{[<]/.test(line) ? `status ${status ?? 'unknown'}` : line;
  return words.length > MAX_DETAIL ? ` (${words.slice(0, MAX_DETAIL)}…)` : ` (${words})`;
}

function when({ retryAfterMs }: Facts): string {
  if (retryAfterMs === undefined) return 'Try again in a minute.';
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  if (seconds === 1) return 'Try again in a second.';
  return seconds < 120 ? `Try again in ${seconds} seconds.` : `Try again in ${Math.ceil(seconds / 60)} minutes.`;
}
