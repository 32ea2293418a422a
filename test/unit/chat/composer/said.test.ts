import { expect, test } from 'vitest';
import { attachedBlock, withWords } from '../../../../src/domain/session/attached.js';
import type { Message } from '../../../../src/domain/model/message.js';
import { filePreview } from '../../../../src/slash/file-forms.js';
import { saidIn } from '../../../../src/chat/composer/said.js';
import { commandOf } from '../../config/commands/rig.js';

const said = (words: string): Message => ({
  role: 'user',
  content: withWords([attachedBlock({ name: 'a.ts', text: 'x' })], words),
  timestamp: '2026-01-01T00:00:00Z',
});

test('the words of the person, oldest first, repeated ones once, without what was attached', () => {
  expect(saidIn(['one', 'two', 'two', 'one'].map(said))).toEqual(['one', 'two', 'one']);
});

test('only so many, the newest', () => {
  const texts = saidIn(Array.from({ length: 500 }, (_, index) => said(`message ${index}`)));
  expect([texts.length, texts[0], texts.at(-1)]).toEqual([200, 'message 300', 'message 499']);
  expect(saidIn([said('x'.repeat(600_000)), said('short')])).toEqual(['short']);
});

test.each([
  ['/go', '.claude/commands/go.md'],
  ['/docs:release 2.1 "all users"', '~/.claude/commands/a (b).md'],
  ['/go with the arguments: x.\nIts text follows.', 'go.md'],
])('S-44: a command is %j as it was typed, not what it became', (typed, display) => {
  const [, name = '', argument = ''] = /^(\S+)(?: ([^]*))?$/.exec(typed) ?? [];
  const command = commandOf('Do it.', `${name.slice(1).replaceAll(':', '/')}.md`);
  const written = {
    chosen: { command: { ...command, origin: { ...command.origin, display } }, name: name.slice(1), qualifiedName: '', overridden: [] },
    argument,
    place: { sessionId: 's', folders: ['/ws'] },
  };
  const { message } = filePreview(written, {});
  expect(
    saidIn([
      { role: 'user', content: withWords([attachedBlock({ name: 'a.ts', text: 'x' }), ...message.blocks], 'Do it.'), timestamp: '2026-01-01T00:00:00Z' },
    ]),
  ).toEqual([typed]);
});

test('what a user types is never taken for a command', () => {
  const typed = '<attached name="/go">\nThe user ran the slash command /go (go.md) without arguments.\nIts text follows.\n</attached>';
  expect(saidIn([said(typed)])).toEqual([typed]);
});
