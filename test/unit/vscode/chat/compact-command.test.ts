import { expect, test } from 'vitest';
import { text } from '../../../../src/domain/content.js';
import { compactCommand } from '../../../../src/vscode/chat/compact-command.js';

const image = { type: 'image' as const, data: new Uint8Array([1]), mimeType: 'image/png' as const };

test.each([
  ['/compact', ''],
  ['/compact ', ''],
  [' /compact\n', ''],
  ['/compact keep the  names', 'keep the  names'],
  ['/compact\nkeep\nthe names ', 'keep\nthe names'],
])('%j asks for a summary with %j', (words, wish) => {
  expect(compactCommand([text(words)])).toBe(wish);
});

test.each(['/compacted', '/compact/x', '/Compact', 'please /compact', '/help', ''])('%j is a message', (words) => {
  expect(compactCommand([text(words)])).toBeUndefined();
  expect(compactCommand([image])).toBeUndefined();
  expect(compactCommand([])).toBeUndefined();
});

test('attachments have no place in it', () => {
  expect(() => compactCommand([image, text('/compact')])).toThrow('Remove them');
});
