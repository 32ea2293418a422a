import { formatNumber, t } from '../../../src/protocol/l10n.js';
import type { ServerAction, ServerBudget, ServerRow } from '../../../src/protocol/servers.js';

/** Action of a server's main button; the last three are done by the page or by VS Code. */
export type MainAction =
  | Extract<ServerAction, 'start' | 'restart' | 'enable' | 'sign_in' | 'enter_value'>
  | 'approve'
  | 'review'
  | 'review_more'
  | 'review_tools'
  | 'manage_trust';

/** The state of a server in a word. */
export function statusWord(status: ServerRow['status']): string {
  const words: Readonly<Record<ServerRow['status'], string>> = {
    connected: t('Connected'),
    failed: t('Failed'),
    'needs-auth': t('Needs sign-in'),
    pending: t('Waiting'),
    disabled: t('Disabled'),
  };
  return words[status];
}

/** Status line of a server: its pending reason, its error, or its features. The server's own text is included as is. */
export function serverLine(row: ServerRow, trusted: boolean): string {
  const { status, problem = '', tools, prompts, resources, hasMore } = row;
  if (status === 'failed') return problem === '' ? t('It could not be started.') : problem;
  if (status === 'needs-auth') return problem === '' ? t('Sign in to use it.') : problem;
  if (status === 'pending') return waitLine(row, trusted);
  if (status === 'disabled') return t('It does not start.');
  if (tools.changed === 1) return t('1 tool changed since you accepted it.');
  if (tools.changed > 1) return t('{0} tools changed since you accepted them.', formatNumber(tools.changed));
  return [
    hasMore === true ? t('More is bound than when you approved it') : '',
    toolCount(tools),
    prompts > 0 ? promptCount(prompts) : '',
    resources > 0 ? resourceCount(resources) : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function waitLine({ waitsFor = 'start', problem = '' }: ServerRow, trusted: boolean): string {
  if (waitsFor === 'trust' || (!trusted && (waitsFor === 'approval' || waitsFor === 'changed'))) return t('It cannot start until you trust this workspace.');
  const words: Readonly<Record<Exclude<typeof waitsFor, 'trust'>, string>> = {
    approval: t('It waits for your approval.'),
    changed: t('It changed since you approved it.'),
    agent: t('It starts when a chat works with its agent.'),
    input: t('It needs a value that only you know.'),
    start: t('It starts when a chat needs it.'),
    connecting: t('Connecting…'),
    restart: t('It ended and will be started again.'),
  };
  return problem === '' ? words[waitsFor] : `${words[waitsFor]} ${problem}`;
}

/** Label for the number of tools that models get, of all tools. */
export function toolCount({ all, on }: ServerRow['tools']): string {
  if (on !== all) return t('{0} of {1} tools', formatNumber(on), formatNumber(all));
  return all === 1 ? t('1 tool') : t('{0} tools', formatNumber(all));
}

/** Label for the number of prompts. */
export function promptCount(count: number): string {
  return count === 1 ? t('1 prompt') : t('{0} prompts', formatNumber(count));
}

/** Label for the number of resources. */
export function resourceCount(count: number): string {
  return count === 1 ? t('1 resource') : t('{0} resources', formatNumber(count));
}

/** The one thing that the user most likely wants to do about a server; nothing where it needs none. */
export function mainAction({ status, waitsFor, tools, hasMore }: ServerRow, trusted: boolean): MainAction | undefined {
  if (status === 'failed') return 'restart';
  if (status === 'needs-auth') return 'sign_in';
  if (status === 'disabled') return 'enable';
  if (status === 'connected' && tools.changed > 0) return 'review_tools';
  if (hasMore === true && trusted && (status === 'connected' || waitsFor === undefined || waitsFor === 'start')) return 'review_more';
  if (status === 'connected') return undefined;
  switch (waitsFor) {
    case 'trust':
      return 'manage_trust';
    case 'approval':
      return trusted ? 'approve' : 'manage_trust';
    case 'changed':
      return trusted ? 'review' : 'manage_trust';
    case 'input':
      return 'enter_value';
    case 'restart':
      return 'restart';
    case 'agent':
    case 'connecting':
      return undefined;
    default:
      return 'start';
  }
}

/** Label of a main button. */
export function mainActionLabel(action: MainAction): string {
  const labels: Readonly<Record<MainAction, string>> = {
    start: t('Start'),
    restart: t('Restart'),
    enable: t('Enable'),
    sign_in: t('Sign In'),
    enter_value: t('Enter Value…'),
    approve: t('Approve…'),
    review: t('Review Change…'),
    review_more: t('Review…'),
    review_tools: t('Review Tools'),
    manage_trust: t('Manage Workspace Trust'),
  };
  return labels[action];
}

/** All else that can be done about a server now, for its menu. */
export function menuActions(row: ServerRow, trusted: boolean): readonly ServerAction[] {
  const { status, waitsFor, signedIn, approved, hasMore } = row;
  const isUp = status === 'connected' || waitsFor === 'connecting';
  const actions: readonly (ServerAction | false)[] = [
    hasMore === true && waitsFor === 'start' && 'start',
    (isUp || waitsFor === 'restart') && 'stop',
    (isUp || status === 'failed') && 'restart',
    status === 'disabled' ? 'enable' : 'disable',
    signedIn === true && 'sign_out',
    'show_log',
    'copy_report',
    approved === true && 'revoke',
    'open_source',
  ];
  const main = mainAction(row, trusted);
  return actions.filter((action) => action !== false).filter((action) => action !== main);
}

/** Menu label of an action. */
export function actionLabel(action: ServerAction): string {
  const labels: Readonly<Record<ServerAction, string>> = {
    start: t('Start'),
    stop: t('Stop'),
    restart: t('Restart'),
    enable: t('Enable'),
    disable: t('Disable'),
    sign_in: t('Sign In'),
    sign_out: t('Sign Out'),
    enter_value: t('Enter Value…'),
    show_log: t('Show Log'),
    copy_report: t('Copy Report'),
    revoke: t('Revoke Approval'),
    open_source: t('Open Configuration'),
  };
  return labels[action];
}

/** When definitions are sent, in a word. */
export function budgetLabel(budget: ServerBudget): string {
  const labels: Readonly<Record<ServerBudget, string>> = { auto: t('Automatic'), defer: t('Defer'), always: t('Always Load'), off: t('Off') };
  return labels[budget];
}

/** Label for the agents that a server is limited to; empty for one of all chats. */
export function agentsLabel({ source: { agents = [] } }: ServerRow): string {
  if (agents.length === 0) return '';
  return agents.length === 1 ? t('Only for the agent {0}', agents.join()) : t('Only for the agents {0}', agents.join(', '));
}

/** Where a server is configured, as a link says it. */
export function sourceLabel({ display, line }: { readonly display: string; readonly line?: number }): string {
  return line === undefined ? display : `${display}:${line}`;
}
