import { type ProviderErrorKind, errorMessage, NoModelError, ProviderError } from '../../domain/errors.js';
import { assertNever } from '../../domain/assert-never.js';
import { formatNumber, t } from '../../domain/l10n.js';
import type { SandboxState } from '../../domain/workspace/sandbox.js';
import type { SessionEvent, StandsIn, Turn } from '../../engine/events.js';
import type { NoticeAction, ViewNoticeItem } from '../../protocol/view-state.js';

/** A notice without its id. */
export type Notice = Omit<ViewNoticeItem, 'kind' | 'id'>;

/** Actions that help with an error. Once a missing key is set, the request is retried. */
const WAYS_OUT: Readonly<Record<ProviderErrorKind, readonly NoticeAction[]>> = {
  no_key: ['set_api_key'],
  authentication: ['set_api_key'],
  permission: ['select_model'],
  not_found: ['select_model', 'open_settings'],
  invalid_request: ['retry', 'select_model', 'show_log'],
  refused_content: ['select_model'],
  too_large: ['show_log'],
  context_length: ['select_model', 'show_log'],
  rate_limit: ['retry'],
  quota: ['select_model'],
  consent: ['select_model', 'retry'],
  overloaded: ['retry'],
  server: ['retry'],
  network: ['retry'],
  stalled: ['retry'],
  not_a_stream: ['open_settings', 'retry'],
  interrupted: ['continue', 'retry'],
  protocol: ['retry', 'show_log'],
};

/** The notice at the end of a turn, if any: what happened and what to do next. */
export function noticeOfTurn(turn: Turn): Notice | undefined {
  switch (turn.end) {
    case 'end_turn':
    case 'aborted':
      return undefined;
    case 'blocked':
      // The words are back in the message box, and the reason is there, too.
      return undefined;
    case 'hook':
      return warning(errorMessage(turn.error));
    case 'length':
    case 'cut':
      return warning(t('The response reached the model’s length limit before it was complete.'));
    case 'round_limit':
      return warning(t('The turn stopped after {0} rounds, the limit set in gnomon.maxRounds.', turn.rounds));
    case 'cap':
      return { level: 'warning', text: errorMessage(turn.error), actions: ['open_settings', 'retry'] };
    case 'loop':
      return { level: 'warning', text: errorMessage(turn.error), actions: ['continue'] };
    case 'unknown':
      return warning(t('The model ended its response for an unknown reason.'));
    case 'error':
      return noticeOfError(turn.error);
    default:
      return assertNever(turn.end);
  }
}

/** The notice about a conversation that ends with a question, because it was cut off before any answer. */
export function unanswered(): Notice {
  return { level: 'warning', text: t('Interrupted before a response arrived.'), actions: ['retry'] };
}

/** The notice on a machine without a sandbox for commands. */
export function noSandbox({ reason, advice }: Extract<SandboxState, { available: false }>): Notice {
  const meaning = t('Gnomon will ask before most read-only commands, too.');
  return { level: 'info', text: [reason, meaning, ...(advice === undefined ? [] : [advice])].join(' '), actions: [] };
}

/** The notice in a workspace that is not trusted. */
export function untrusted(): Notice {
  const text = t('This workspace is not trusted, so Gnomon is read-only here: it does not run commands, change files, or use instructions from the workspace.');
  return { level: 'info', text, actions: ['manage_trust'] };
}

/** The notice that a server does not read all that it is sent. */
export function noticeOfCut({ model, tokens, advice }: Extract<SessionEvent, { type: 'context_cut' }>): Notice {
  const fact = t(
    'This chat is longer than the server reads: {0} got only about {1} tokens of it. From now on, Gnomon uses that as the size of its context window.',
    model,
    formatNumber(tokens),
  );
  if (advice !== undefined) return { level: 'warning', text: `${fact} ${advice}`, actions: ['select_model'] };
  const setting = t(
    'To get a larger one, increase it on the server, then start a new chat. The size that Gnomon assumes for a model is set by contextWindow in gnomon.models.',
  );
  return { level: 'warning', text: `${fact} ${setting}`, actions: ['open_settings', 'select_model'] };
}

/** The notice that another model goes on where one did not answer. */
export function noticeOfStandIn({ failed, model }: StandsIn): Notice {
  const text = t('{0} does not answer. {1}, which is good enough for this task, goes on. Your next message tries {0} again.', failed, model);
  return { level: 'info', text, actions: [] };
}

/** The notice about an error. */
export function noticeOfError(error: unknown): Notice {
  const text = errorMessage(error);
  if (error instanceof NoModelError) return { level: 'warning', text, actions: ['select_model', 'retry'] };
  if (!(error instanceof ProviderError)) return { level: 'error', text, actions: ['retry', 'show_log'] };
  const { billingPage, wrongSetting, keyName } = error;
  const others: readonly NoticeAction[] = keyName === undefined ? [] : ['use_key'];
  if (billingPage !== undefined) return { level: 'error', text, actions: others, link: { text: t('Open Billing'), address: billingPage } };
  return { level: 'error', text, actions: wrongSetting === true ? ['open_settings', 'retry'] : withOthers(WAYS_OUT[error.kind], others) };
}

/** Another key helps most where one is to be set, and before another model does. */
function withOthers(ways: readonly NoticeAction[], others: readonly NoticeAction[]): readonly NoticeAction[] {
  const place = ways[0] === 'set_api_key' ? 1 : 0;
  return [...ways.slice(0, place), ...others, ...ways.slice(place)];
}

function warning(text: string): Notice {
  return { level: 'warning', text, actions: ['continue'] };
}
