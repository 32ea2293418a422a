import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_SEND_LENGTH } from '../../../src/protocol/limits.js';
import type { PanelMessage } from '../../../src/protocol/messages.js';
import { validatePanelMessage } from '../../../src/protocol/validate-panel-message.js';
import { runs } from '../../support/runs.js';

const GOOD: readonly PanelMessage[] = [
  { type: 'ready' },
  { type: 'ready', attached: { session: 's', epoch: 'e', seq: 3 } },
  { type: 'ack', seq: 0 },
  { type: 'load_items', start: 4_960, count: 20 },
  { type: 'find_item', item: 'u7' },
  { type: 'send', sendId: '1', text: 'hello', attachments: [], now: false },
  { type: 'send', sendId: '1', text: '', attachments: ['a', 'b'], now: true },
  { type: 'send', sendId: '1', text: 'hello', attachments: [], now: false, anyway: true },
  { type: 'send', sendId: '1', text: 'hello', attachments: [], now: false, aside: true },
  { type: 'send', sendId: '1', text: 'hello', attachments: [], now: false, proposal: { id: 'p', kind: 'debug', model: 'anthropic/a' } },
  { type: 'stop' },
  { type: 'new_session' },
  { type: 'list_history' },
  { type: 'open_session', id: 'x' },
  { type: 'delete_session', id: 'x' },
  { type: 'set_model', model: 'anthropic/claude' },
  { type: 'set_mode', mode: 'plan' },
  { type: 'answer_approval', callId: 'c', answer: 'allow' },
  { type: 'answer_approval', callId: 'c', answer: 'always' },
  { type: 'answer_approval', callId: 'c', answer: 'deny', feedback: 'not like this' },
  { type: 'answer_approval', callId: 'c', answer: 'allow', revision: 2 },
  { type: 'show_proposal', callId: 'c' },
  { type: 'notice_action', action: 'retry' },
  { type: 'pick_attachments' },
  { type: 'remove_attachment', id: 'x' },
  { type: 'attach_image', name: 'a.png', data: new Uint8Array([1]) },
  { type: 'image_scaled', request: 1 },
  { type: 'image_scaled', request: 1, data: new Uint8Array([1]) },
  { type: 'attach_files', uris: ['file:///ws/a.ts'] },
  { type: 'load_attached_image', id: 'x' },
  { type: 'save_draft', session: 's', text: '', at: 1 },
  { type: 'find_mentions', request: 1, query: '' },
  { type: 'list_said', request: 1 },
  { type: 'include_selection', on: false },
  { type: 'queue_edit', id: 'q' },
  { type: 'queue_move', id: 'q', to: 'up' },
  { type: 'queue_send', id: 'q' },
  { type: 'open_link', url: 'https://example.com/a?b#c' },
  { type: 'report_error', message: 'Error: x' },
  { type: 'find_files', paths: ['src/a.ts', 'src/b.ts:10'] },
  { type: 'open_file', path: 'src/a.ts#L10' },
  { type: 'copy_item', item: 'a1' },
  { type: 'fork_item', item: 'a1' },
  { type: 'retry_item', item: 'a1' },
  { type: 'resend_item', item: 'u0', text: 'again' },
  { type: 'insert_code', text: 'x' },
  { type: 'apply_code', text: 'x' },
  { type: 'apply_code', text: 'x', path: 'src/a.ts' },
  { type: 'load_image', item: 'u0', index: 0 },
  { type: 'load_image', item: 'a1', call: 'c1', index: 3 },
  { type: 'find_text', query: 'x', request: 1 },
  { type: 'list_servers' },
  { type: 'server_action', id: 'github', action: 'sign_in' },
  { type: 'approve_server', id: 'github', hash: 'h' },
  { type: 'set_server_tool', id: 'github', tool: 'odd tool', on: false },
  { type: 'set_server_budget', id: 'github', budget: 'defer' },
  { type: 'load_server_message', id: 'github', seq: 4 },
  { type: 'import_servers', keys: ['a', 'b'] },
  { type: 'add_server', to: 'workspace' },
  { type: 'answer_elicitation', id: 'e', action: 'decline' },
  { type: 'answer_elicitation', id: 'e', action: 'accept', content: { a: 'x', b: 1.5, c: false, d: ['y'] } },
];

const BAD: readonly unknown[] = [
  undefined,
  null,
  'stop',
  [],
  [{ type: 'stop' }],
  {},
  { type: 'runCommand', command: 'workbench.action.terminal.new' },
  { type: 'openFile', path: '/etc/passwd' },
  { type: 'setMode', mode: 'bypass' },
  { type: 'writeSetting', key: 'a', value: 'b' },
  { type: 'toString' },
  { type: '__proto__' },
  { type: ['stop'] },
  { type: 'stop', extra: 1 },
  { type: 'ack' },
  { type: 'ack', seq: -1 },
  { type: 'ack', seq: 1.5 },
  { type: 'ack', seq: '1' },
  { type: 'ack', seq: Number.NaN },
  { type: 'load_items', start: -1, count: 20 },
  { type: 'load_items', start: 0, count: 101 },
  { type: 'load_items', start: 0, count: 1.5 },
  { type: 'load_items', start: 0 },
  { type: 'find_item', item: '' },
  { type: 'find_item', item: 7 },
  { type: 'ready', attached: undefined },
  { type: 'ready', attached: { session: 's', epoch: 'e' } },
  { type: 'ready', attached: { session: 's', epoch: 'e', seq: 1, more: 1 } },
  { type: 'send', sendId: '', text: 'x', attachments: [] },
  { type: 'send', sendId: '1', text: 'x' },
  { type: 'send', sendId: '1', text: 'x'.repeat(MAX_SEND_LENGTH + 1), attachments: [] },
  { type: 'send', sendId: '1', text: 'x', attachments: [1] },
  { type: 'send', sendId: '1', text: 'x', attachments: [], anyway: 1 },
  { type: 'send', sendId: '1', text: 'x', attachments: { length: 0 } },
  { type: 'send', sendId: '1', text: 'x', attachments: new Array(101).fill('a') },
  { type: 'attach_image', name: 'a.png', data: [1] },
  { type: 'attach_image', name: 'a.png', data: new Uint8Array(0) },
  { type: 'attach_image', name: 'a.png', data: new Uint8Array(4_000_000) },
  { type: 'image_scaled', request: 1, data: new Uint8Array(4_000_000) },
  { type: 'image_scaled', request: '1' },
  { type: 'attach_files', uris: [''] },
  { type: 'save_draft', session: 's', text: 'x'.repeat(MAX_SEND_LENGTH + 1), at: 1 },
  { type: 'save_draft', session: 's', text: '', at: -1 },
  { type: 'find_mentions', request: 1, query: 'x'.repeat(1_001) },
  { type: 'queue_move', id: 'q', to: 'top' },
  { type: 'open_session', id: 'x'.repeat(600) },
  { type: 'answer_approval', callId: 'c', answer: 'yes' },
  { type: 'answer_approval', callId: 'c', answer: 'allow', revision: '2' },
  { type: 'show_proposal', callId: '' },
  { type: 'show_proposal', callId: 'c', path: '/etc/passwd' },
  { type: 'answer_approval', callId: 'c', answer: 'allow', feedback: 1 },
  { type: 'notice_action', action: 'run_command' },
  { type: 'open_link', url: 'command:workbench.action.quit' },
  { type: 'open_link', url: 'javascript:alert(1)' },
  { type: 'open_link', url: 'file:///etc/passwd' },
  { type: 'open_link', url: 'vscode://x' },
  { type: 'open_link', url: 'data:text/html,x' },
  { type: 'open_link', url: 'not an address' },
  { type: 'open_link', url: `https://example.com/${'x'.repeat(9_000)}` },
  { type: 'report_error', message: 'x'.repeat(10_001) },
  { type: 'find_files', paths: new Array(101).fill('a') },
  { type: 'find_files', paths: [''] },
  { type: 'open_file', path: '' },
  { type: 'open_file', path: 'x'.repeat(5_000) },
  { type: 'open_file', path: 'src/a.ts', command: 'x' },
  { type: 'resend_item', item: 'u0', text: '' },
  { type: 'insert_code', text: 'x'.repeat(1_000_001) },
  { type: 'apply_code', text: 'x', path: 1 },
  { type: 'load_image', item: 'u0', index: -1 },
  { type: 'server_action', id: 'github', action: 'approve' },
  { type: 'server_action', id: '', action: 'start' },
  { type: 'approve_server', id: 'github' },
  { type: 'set_server_tool', id: 'github', tool: 'x', on: 1 },
  { type: 'set_server_budget', id: 'github', budget: 'all' },
  { type: 'load_server_message', id: 'github', seq: -1 },
  { type: 'import_servers', keys: new Array(501).fill('a') },
  { type: 'add_server', to: '/etc' },
  { type: 'answer_elicitation', id: 'e', action: 'yes' },
  { type: 'answer_elicitation', id: 'e', action: 'accept', content: ['x'] },
  { type: 'answer_elicitation', id: 'e', action: 'accept', content: { a: null } },
  { type: 'answer_elicitation', id: 'e', action: 'accept', content: { a: { b: 1 } } },
  { type: 'answer_elicitation', id: 'e', action: 'accept', content: { a: Number.NaN } },
  { type: 'answer_elicitation', id: 'e', action: 'accept', content: { a: 'x'.repeat(20_001) } },
  { type: 'answer_elicitation', id: 'e', action: 'accept', content: Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`f${index}`, 1])) },
  { type: 'find_text', query: '', request: 1 },
  { type: 'find_text', query: 'x'.repeat(1_001), request: 1 },
  JSON.parse('{"type":"stop","__proto__":{"x":1}}'),
  Object.assign(Object.create({ type: 'stop' }) as object, {}),
  new Map([['type', 'stop']]),
];

describe('validatePanelMessage', () => {
  test.each(GOOD)('takes %j', (message) => {
    expect(validatePanelMessage(structuredClone(message))).toEqual(message);
  });

  test('view-09 refuses what is not of the protocol', () => {
    expect(BAD.filter((message) => validatePanelMessage(message) !== undefined)).toEqual([]);
  });

  test('view-08 10,000 fuzzed messages are refused without a throw', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withNullPrototype: true,
          withObjectString: true,
          withSparseArray: true,
          withTypedArray: true,
        }),
        (value) => {
          expect(validatePanelMessage(value)).toBeUndefined();
        },
      ),
      { numRuns: runs(10_000) },
    );
  });

  test('view-08 10,000 good messages with one thing wrong are refused without a throw', () => {
    const wrong = fc.oneof(
      fc.integer(),
      fc.constant(null),
      fc.constant(undefined),
      fc.boolean(),
      fc.object(),
      fc.array(fc.anything()),
      fc.constant('x'.repeat(2_000_000)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...GOOD), fc.nat(), wrong, fc.boolean(), (message, index, value, adds) => {
        const keys = Object.keys(message);
        const key = adds ? 'additional' : (keys[index % keys.length] ?? 'type');
        const broken = { ...message, [key]: value };
        const legal = ['seq', 'start', 'count', 'index', 'request', 'revision', 'at'].includes(key) && typeof value === 'number' && value >= 0;
        fc.pre(
          !legal &&
            !(['now', 'on', 'anyway', 'aside'].includes(key) && typeof value === 'boolean') &&
            !(key === 'content' && typeof value === 'object') &&
            !(
              ['attachments', 'paths', 'uris', 'keys'].includes(key) &&
              Array.isArray(value) &&
              value.every((entry) => typeof entry === 'string' && entry !== '')
            ),
        );
        expect(validatePanelMessage(broken)).toBeUndefined();
      }),
      { numRuns: runs(10_000) },
    );
  });
});
