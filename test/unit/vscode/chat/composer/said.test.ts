import { expect, test } from 'vitest';
import { attachedBlock, withWords } from '../../../../../src/domain/session/attached.js';
import type { Message } from '../../../../../src/domain/model/message.js';
import { saidIn } from '../../../../../src/vscode/chat/composer/said.js';

const said = (words: string): Message => ({ role: 'user', content: withWords([attachedBlock({ name: 'a.ts', text: 'x' })], words), timestamp: '2026-01-01T00:00:00Z' });

test('the words of the person, oldest first, repeated ones once, without what was attached', () => {
  expect(saidIn(['one', 'two', 'two', 'one'].map(said))).toEqual(['one', 'two', 'one']);
});

test('only so many, the newest', () => {
  const texts = saidIn(Array.from({ length: 500 }, (_, index) => said(`message ${index}`)));
  expect([texts.length, texts[0], texts.at(-1)]).toEqual([200, 'message 300', 'message 499']);
  expect(saidIn([said('x'.repeat(600_000)), said('short')])).toEqual(['short']);
});
