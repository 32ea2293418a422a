import type { ViewCallStatus } from '../../src/protocol/view-state.js';
import { callName } from '../../webview/state/transcript/tool-labels.js';

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
    callName({ name, subject, status, topic: { action: 'background', what: subject } }),
  ]);
  // What stands behind what it is about, such as a question mark, is not part of the beginning.
  const beginnings = new Set(forms.map((form) => (subject === '' ? form.replace(/\W+$/, '') : form.slice(0, form.indexOf(subject) + subject.length))));
  return new RegExp(`^(?:${[...beginnings].map(escaped).join('|')})`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
