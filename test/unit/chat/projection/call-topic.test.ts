import { describe, expect, test } from 'vitest';
import { subjectOf } from '../../../../src/chat/projection/call-topic.js';

const short = (path: string): string => path.replace(/^\/ws\//, '');

function subject(patch: string): ReturnType<typeof subjectOf> {
  return subjectOf({ type: 'tool_call', id: 'a', name: 'apply_patch', arguments: JSON.stringify({ patch }) }, undefined, short);
}

describe('what a patch is about, in a chat that is read from disk', () => {
  test.each([
    ['*** Begin Patch\n*** Update File: /ws/a.ts\n@@\n-a\n+b\n*** End Patch', { subject: 'a.ts' }],
    ['*** Begin Patch\n*** Delete File: /ws/a.ts\n*** End Patch', { subject: 'a.ts', topic: { action: 'delete', what: 'a.ts' } }],
    [
      '*** Begin Patch\r\n*** Update File: /ws/a.ts\r\n*** Move to: /ws/lib/b.ts\r\n*** End Patch',
      { subject: 'a.ts → lib/b.ts', topic: { action: 'move', what: 'a.ts', where: 'lib/b.ts' } },
    ],
    ['*** Update File: a.ts\n@@\n *** Move to: b.ts\n-a\n+b', { subject: 'a.ts' }],
    ['*** Add File: a.ts\n*** Move to: b.ts', { subject: 'a.ts' }],
    ['nothing', { subject: '' }],
  ])('%j', (patch, expected) => {
    expect(subject(patch)).toEqual(expected);
  });
});

test.each([
  [{ agent_type: 'explore', description: 'Look' }, { what: 'explore: Look' }],
  [
    { description: 'Look', background: true },
    { what: 'general: Look', action: 'background' },
  ],
])('which agent works on what, and whether others go on meanwhile: %j', (args, topic) => {
  expect(subjectOf({ type: 'tool_call', id: 'a', name: 'agent', arguments: JSON.stringify(args) }, undefined, short).topic).toEqual(topic);
});
