import { expect, test } from 'vitest';
import type { ViewItem, ViewToolCall } from '../../../src/protocol/view-state.js';
import { filesChangedAfter } from '../../../webview/state/transcript/checkpoint.js';
import { questionLine, saysTitle } from '../../../webview/state/transcript/question-line.js';

test('a question is one line', () => {
  expect(questionLine(' Why\n  is that? ')).toBe('Why is that?');
});

test.each([
  ['Fix the\nfailing test', 'Fix the failing test', true],
  ['Touching slots should not overlap. Fix it.', 'Touching slots should not…', true],
  ['Touching slots should not overlap. Fix it.', 'Touching slots', false],
  ['And the report?', 'Fix the failing test', false],
  ['Anything', '…', false],
])('%j is said by the title “%s”: %s', (text, title, says) => {
  expect(saysTitle(text, title)).toBe(says);
});

test('a turn that changed files is one to go back before, once it is over; what failed or only read changed none', () => {
  const user = (id: string): ViewItem => ({ kind: 'user', id, text: id, images: [], time: '' });
  const call = (over: Partial<ViewToolCall>): { type: 'tool'; call: ViewToolCall } => ({
    type: 'tool',
    call: { id: 'c', name: 'edit', subject: 'a.ts', status: 'done', output: '', ...over },
  });
  const answer = (status: 'complete' | 'streaming', ...calls: readonly Partial<ViewToolCall>[]): ViewItem => ({
    kind: 'answer',
    id: 'a',
    blocks: calls.map(call),
    status,
    time: '',
    summary: '',
  });
  const notice: ViewItem = { kind: 'notice', id: 'n', level: 'info', text: '', actions: [] };
  const changed = (...items: readonly ViewItem[]): number => filesChangedAfter(0, (index) => items[index]);
  expect(
    changed(
      user('u'),
      answer('complete', {}, {}, { name: 'write', subject: 'b.ts' }),
      notice,
      answer('complete', { subject: 'c.ts' }),
      user('v'),
      answer('complete', { subject: 'd.ts' }),
    ),
  ).toBe(3);
  expect(changed(user('u'), answer('complete', { status: 'failed' }, { name: 'read' }, { name: 'bash' }))).toBe(0);
  expect(changed(user('u'), answer('complete', { by: 'general: Do it', isApart: true }, { by: 'general: Do it', subject: 'b.ts' }))).toBe(1);
  expect(changed(user('u'), answer('streaming', {}))).toBe(0);
  expect(changed(user('u'))).toBe(0);
});
