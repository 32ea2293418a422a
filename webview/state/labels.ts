import type { ViewCallStatus, ViewToolCall, NoticeAction } from '../../src/protocol/view-state.js';
import { visibleText } from './visible-text.js';

/** How the ways out of a notice are written on their buttons. */
export const ACTION_LABELS: Readonly<Record<NoticeAction, string>> = {
  set_api_key: 'Set API key',
  select_model: 'Select model',
  manage_trust: 'Manage workspace trust',
  open_settings: 'Open settings',
  show_log: 'Show log',
  continue: 'Continue',
  retry: 'Retry',
};

/** How the states of a call are told. */
export const STATUS_LABELS: Readonly<Record<ViewCallStatus, string>> = {
  streaming: 'being prepared',
  pending: 'waiting',
  awaiting_approval: 'needs your permission',
  running: 'running',
  done: 'done',
  failed: 'failed',
  denied: 'denied',
  cancelled: 'cancelled',
};

/** The name of a call: its tool and what it is about, such as "read src/a.ts". */
export function callName(call: Pick<ViewToolCall, 'name' | 'subject'>): string {
  return visibleText(`${call.name} ${call.subject}`.trim());
}

/** Whether a call that has ended says what allowed it. */
export function tellsWhy({ status, why }: Pick<ViewToolCall, 'status' | 'why'>): boolean {
  return why !== undefined && why !== '' && (status === 'done' || status === 'failed' || status === 'cancelled');
}

/** Control sequences of terminals: colours and cursor movements (ECMA-48 CSI), titles and links (OSC). */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const TERMINAL_SEQUENCES = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\))/g;

/** Output of a program without what only a terminal understands. */
export function plainOutput(output: string): string {
  return output.replace(TERMINAL_SEQUENCES, '').replace(/\r\n/g, '\n');
}
