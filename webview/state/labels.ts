import { formatNumber, t } from '../../src/protocol/l10n.js';
import type { ViewCallStatus, ViewToolCall, NoticeAction } from '../../src/protocol/view-state.js';

/** Button label of a notice's action. */
export function actionLabel(action: NoticeAction): string {
  const labels: Readonly<Record<NoticeAction, string>> = {
    set_api_key: t('Set API Key'),
    use_key: t('Use Another Key'),
    use_own_model: t('Use My Model'),
    select_model: t('Select Model'),
    manage_trust: t('Manage Workspace Trust'),
    open_settings: t('Open Settings'),
    show_log: t('Show Log'),
    continue: t('Continue'),
    retry: t('Retry'),
  };
  return labels[action];
}

function statusLabel(status: ViewCallStatus): string {
  const labels: Readonly<Record<ViewCallStatus, string>> = {
    streaming: t('preparing'),
    pending: t('waiting'),
    awaiting_approval: t('needs your permission'),
    running: t('running'),
    done: t('done'),
    failed: t('failed'),
    denied: t('denied'),
    cancelled: t('canceled'),
  };
  return labels[status];
}

/** Label of a call's state. @param background whether it has an agent work while others go on: then it has an end at once, and the agent has not */
export function callLabel(status: ViewCallStatus, background: boolean): string {
  return background && status === 'done' ? t('started in the background') : statusLabel(status);
}

/** Label for the number of search results. */
export function resultsLabel(count: number): string {
  if (count === 0) return t('No results');
  return count === 1 ? t('1 result') : t('{0} results', formatNumber(count));
}

/** Tools whose calls only read, which need no explanation. */
const LOOKS: ReadonlySet<string> = new Set(['read', 'grep', 'glob', 'list', 'symbols', 'diagnostics', 'todo', 'ask', 'jobs', 'skill']);

/** Whether a call that has ended says what allowed it: where that is not what anybody expects. */
export function tellsWhy({ name, status, why }: Pick<ViewToolCall, 'name' | 'status' | 'why'>): boolean {
  return !LOOKS.has(name) && why !== undefined && why !== '' && (status === 'done' || status === 'failed' || status === 'cancelled');
}

/** Control sequences of terminals: colors and cursor movements (ECMA-48 CSI), titles and links (OSC). */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const TERMINAL_SEQUENCES = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\))/g;

/** Output of a program without what only a terminal understands. */
export function plainOutput(output: string): string {
  return output.replace(TERMINAL_SEQUENCES, '').replace(/\r\n/g, '\n');
}
