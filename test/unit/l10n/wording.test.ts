import { expect, test } from 'vitest';
import { textCalls } from './texts-in-source.js';
import { says, WORDING } from '../../support/wording.js';

test('every sentence that tests look for is one of the product', async () => {
  const texts = new Set((await textCalls('src', 'webview')).map(({ key }) => key));
  expect(Object.values(WORDING).filter((sentence) => !texts.has(sentence))).toEqual([]);
});

test('values stand where the sentence has places for them', () => {
  expect(says('settingTooSmall', 'a', 1, 2)).toBe('The setting a is 1, but must be at least 2.');
});
