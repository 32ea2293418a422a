import type { ViewCallStatus } from '../../src/protocol/view-state.js';
import { callName } from '../../webview/state/transcript/tool-words.js';

const STATUSES: readonly ViewCallStatus[] = ['awaiting_approval', 'running', 'done', 'failed', 'denied', 'cancelled'];

/**
 * What the group of a tool call is called in the panel, whatever state it is in: the beginning of its name.
 * @param call the name of the tool and what it is about, such as `bash npm test`; without the latter, any call of that tool.
 */
export function callNamed(call: string): RegExp {
  const [name = '', ...rest] = call.split(' ');
  const subject = rest.join(' ');
  const forms = STATUSES.flatMap((status) => [
    callName({ name, subject, status }),
    callName({ name, subject, status, exitCode: 1 }),
    callName({ name, subject, status, created: true }),
  ]);
  // The question mark of a call that is asked about stands behind all of it.
  const beginnings = new Set(forms.map((form) => form.replace(/\s*\?$/, '')));
  return new RegExp(`^(?:${[...beginnings].map(escaped).join('|')})`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
