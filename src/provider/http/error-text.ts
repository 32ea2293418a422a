import { present } from '../../domain/present.js';
import type { ProviderErrorDetails, ProviderErrorKind } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { ServerNames } from './failures.js';

/** What is known of a failure beside its kind. */
export interface ErrorFacts {
  /** The API's own sentence, if it gave one. */
  readonly detail: string | null;
  readonly status?: number;
  readonly retryAfterMs?: number;
}

type Facts = ErrorFacts & ServerNames;

/** Longest wait that is shown, in hours; some servers ask for years. */
const LONGEST_WAIT_HOURS = 72;
/** Why a key is refused that was good before. Other words may repeat the key. */
const NO_LONGER_GOOD = /expired|revoked|deactivated|disabled|suspended|not (?:yet )?active/i;
/** What may be a key. */
const LIKE_A_KEY = /[\w-]{20,}/;
/** Longest part of a server's own message that is shown, in characters. */
const MAX_DETAIL = 300;

/** Messages by kind: what happened and what to do next. */
const TEXTS: Readonly<Record<ProviderErrorKind, (facts: Facts) => string>> = {
  authentication: refusedKey,
  permission: (facts) =>
    t(
      'Your API key does not have permission for this request to {0}{1}. Check your plan and the permissions of the key, or choose another model.',
      facts.host,
      because(facts),
    ),
  not_found: (facts) =>
    t('{0} does not recognize this model or URL{1}. Choose another model, or check the setting {2}.', facts.host, because(facts), facts.addressSetting),
  invalid_request: (facts) => t('{0} rejected the request{1}. Try again, or choose another model.', facts.host, because(facts)),
  refused_content: (facts) =>
    t('{0} refused this message because of what it says{1}. It is not sent again. Rephrase it, or choose another model.', facts.host, because(facts)),
  too_large: (facts) => t('The request is larger than {0} accepts{1}. Start a new chat, or remove some attachments.', facts.host, because(facts)),
  quota: (facts) => t('Your account at {0} has exceeded its quota{1}. Check your plan and billing.', facts.host, because(facts)),
  consent: unusable,
  stalled: unusable,
  context_length: (facts) => t('The chat is too long for the model{0}. Start a new chat, or choose a model with a larger context window.', because(facts)),
  rate_limit: (facts) => t('{0} is rate limiting your requests. {1}', facts.host, when(facts)),
  overloaded: (facts) => t('The model is currently overloaded. {0}', when(facts)),
  server: (facts) => t('{0} reported an internal error{1}. {2}', facts.host, because(facts), when(facts)),
  network: ({ host, status }) => t('A proxy refused the connection to {0} ({1}). Check the setting http.proxy, then try again.', host, statusText(status)),
  no_key: unusable,
  not_a_stream: unusable,
  interrupted: unusable,
  protocol: unusable,
};

/** Failures that a key of another account may not have. */
const OF_THE_KEY: ReadonlySet<ProviderErrorKind> = new Set(['authentication', 'permission', 'quota']);

/** The message for the user about a failure that the server reported. Never a raw body. */
export function errorText(kind: ProviderErrorKind, server: ServerNames, facts: ErrorFacts): string {
  const text = TEXTS[kind]({ ...server, ...facts });
  const name = OF_THE_KEY.has(kind) && kind !== 'authentication' ? server.namedKey?.name : undefined;
  return name === undefined ? text : `${text} ${t('The API key “{0}” was used.', name)}`;
}

/** What happened where a request is made again on its own, in a sentence without advice. */
const FACTS: Readonly<Partial<Record<ProviderErrorKind, (facts: Facts) => string>>> = {
  rate_limit: ({ host }) => t('Rate limited by {0}.', host),
  overloaded: () => t('The model is currently overloaded.'),
  server: (facts) => t('{0} reported an internal error{1}.', facts.host, because(facts)),
  network: ({ host, status }) => t('A proxy refused the connection to {0} ({1}).', host, statusText(status)),
};

/** Where accounts at services are paid for, by the host of their API. */
const BILLING_PAGES: Readonly<Record<string, string>> = {
  'api.anthropic.com': 'https://console.anthropic.com/settings/billing',
  'api.openai.com': 'https://platform.openai.com/settings/organization/billing',
  'openrouter.ai': 'https://openrouter.ai/settings/credits',
  'api.deepseek.com': 'https://platform.deepseek.com/top_up',
  'api.mistral.ai': 'https://admin.mistral.ai/organization/billing',
};

/** What is known of a failure that the server reported, beside the message for the user. */
export function errorHelp(kind: ProviderErrorKind, server: ServerNames, facts: ErrorFacts): Pick<ProviderErrorDetails, 'fact' | 'billingPage' | 'keyName'> {
  const fact = FACTS[kind]?.({ ...server, ...facts });
  const page = kind === 'quota' && Object.hasOwn(BILLING_PAGES, server.host) ? BILLING_PAGES[server.host] : undefined;
  const keyName = OF_THE_KEY.has(kind) ? server.namedKey?.name : undefined;
  return present({ fact, billingPage: page, keyName });
}

function refusedKey(facts: Facts): string {
  const { host, keyVariable, namedKey, detail } = facts;
  const said = NO_LONGER_GOOD.test(detail ?? '') && !LIKE_A_KEY.test(detail ?? '') ? because(facts) : '';
  if (namedKey !== undefined) return t('The API key “{0}” for {1} was refused{2}. Set it again, or use another key.', namedKey.name, namedKey.of, said);
  if (keyVariable === undefined) return t('{0} rejected the API key{1}. Run “Gnomon: Set API Key” and enter a valid one.', host, said);
  return t(
    '{0} rejected the API key{2}. Run “Gnomon: Set API Key” and enter a valid one, or correct the environment variable {1} and restart VS Code.',
    host,
    keyVariable,
    said,
  );
}

function unusable({ host }: Facts): string {
  return t('The response from {0} could not be processed. Try again.', host);
}

function because({ detail, status }: Facts): string {
  const line = (detail ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.\s]+$/, '');
  // A body that was passed on as text says nothing to a user.
  const words = line === '' || /^[{[<]/.test(line) ? statusText(status) : line;
  return words.length > MAX_DETAIL ? ` (${words.slice(0, MAX_DETAIL)}…)` : ` (${words})`;
}

function when({ retryAfterMs }: Facts): string {
  if (retryAfterMs === undefined) return t('Try again in a minute.');
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  if (seconds === 1) return t('Try again in a second.');
  if (seconds < 120) return t('Try again in {0} seconds.', seconds);
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return t('Try again in {0} minutes.', minutes);
  const hours = Math.ceil(minutes / 60);
  return hours <= LONGEST_WAIT_HOURS ? t('Try again in {0} hours.', hours) : t('Try again later, or choose another model.');
}

function statusText(status: number | undefined): string {
  return status === undefined ? t('status unknown') : t('status {0}', status);
}
