import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { storedDraft, textAfterSend } from '../../../webview/state/composer/draft.js';
import { GUARD_MS, KeyGuard } from '../../../webview/state/approval/key-guard.js';
import { plainOutput } from '../../../webview/state/labels.js';
import { callName, nameParts } from '../../../webview/state/transcript/tool-labels.js';
import { relativeTime } from '../../../webview/state/history/relative-time.js';
import { hasHidden, visibleParts, visibleText } from '../../../webview/state/approval/visible-text.js';
import { anyCharacter } from '../../support/any-character.js';

describe('hidden characters', () => {
  const HIDDEN = [
    '\u202E',
    '\u2066',
    '\u200B',
    '\u00AD',
    '\uFEFF',
    '\u0000',
    '\u001B',
    '\r',
    '\u00A0',
    '\u3164',
    '\uFE0F',
    '\u{E0041}',
    '\u{E0100}',
    '\uD800',
    '\u2028',
    '\u061C',
  ];

  test.each(HIDDEN)('%j is written as an escape', (char) => {
    const text = `rm ${char}x`;
    expect(hasHidden(text)).toBe(true);
    expect(visibleText(text)).toMatch(/^rm \\u(?:[0-9A-F]{4}|\{[0-9A-F]{5}\})x$/);
  });

  test('everything else is shown as it is', () => {
    const text = 'grep -n "ä 日本 😀"\n\tnext | tail -1 # –';
    expect(hasHidden(text)).toBe(false);
    expect(visibleParts(text)).toEqual([{ text, escape: false }]);
  });

  test('the parts hold all of the text, and no part but an escape hides anything', () => {
    const text = fc.string({ unit: fc.oneof(fc.constantFrom(...HIDDEN), fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 })), maxLength: 40 });
    fc.assert(
      fc.property(text, (value) => {
        const parts = visibleParts(value);
        expect(parts.map((part) => part.text).join('')).toBe(visibleText(value));
        expect(parts.some((part) => hasHidden(part.text))).toBe(false);
        const back = parts.map((part) => (part.escape ? String.fromCodePoint(parseInt(part.text.replace(/[^0-9A-F]/g, ''), 16)) : part.text));
        expect(back.join('')).toBe(value);
      }),
    );
  });

  test('the name of a call shows them too', () => {
    expect(callName({ name: 'bash', subject: 'ls \u202E', status: 'done' })).toBe('Ran ls \\u202E');
    expect(callName({ name: 'bash', subject: '', status: 'done' })).toBe('Ran');
  });
});

describe('cmd-42 keys that were meant for something else', () => {
  const guard = new KeyGuard(1_000);
  const press = (key: string, repeat = false) => ({ key, repeat });

  test.each(['Enter', ' '])('%j presses nothing right after the prompt appeared', (key) => {
    expect(guard.allows(press(key), 1_000)).toBe(false);
    expect(guard.allows(press(key), 1_000 + GUARD_MS - 1)).toBe(false);
    expect(guard.allows(press(key), 1_000 + GUARD_MS)).toBe(true);
  });

  test('a key that repeats presses nothing, however late', () => {
    expect(guard.allows(press('Enter', true), 99_000)).toBe(false);
  });

  test('a shortcut from elsewhere counts as little, whatever its key', () => {
    expect(guard.allowsShortcut({ repeat: false }, 1_000 + GUARD_MS - 1)).toBe(false);
    expect(guard.allowsShortcut({ repeat: true }, 99_000)).toBe(false);
    expect(guard.allowsShortcut({ repeat: false }, 1_000 + GUARD_MS)).toBe(true);
  });

  test('keys that press nothing pass', () => {
    expect(guard.allows(press('Tab', true), 1_000)).toBe(true);
  });
});

describe('the draft', () => {
  test('what was written after sending stays', () => {
    expect(textAfterSend('hello', 'hello')).toBe('');
    expect(textAfterSend('hello\nand more', 'hello')).toBe('and more');
    expect(textAfterSend('something else', 'hello')).toBe('something else');
  });

  test('is read back from whatever was stored', () => {
    expect(storedDraft({ draft: 'abc' }).text).toBe('abc');
    for (const other of [undefined, null, 'x', {}, { draft: 1 }]) expect(storedDraft(other).text).toBe('');
  });
});

test('view-13 terminal sequences are dropped from output, and nothing else', () => {
  expect(plainOutput('\u001b[1;31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007 <img onerror=alert(1)>\r\nend')).toBe(
    'red link <img onerror=alert(1)>\nend',
  );
});

test('times are told in words', () => {
  const now = Date.parse('2026-01-02T12:00:00Z');
  expect(relativeTime('2026-01-02T11:59:40Z', now)).toBe('just now');
  expect(relativeTime('2026-01-02T10:00:00Z', now)).toBe('2 hours ago');
  expect(relativeTime('2026-01-01T12:00:00Z', now)).toBe('yesterday');
  expect(relativeTime('nonsense', now)).toBe('');
});

test.each([
  ['read', { own: 'read', whose: '' }],
  ['ext__acme_word-counter__count_words', { own: 'count_words', whose: 'acme_word-counter' }],
  ['mcp__db__query__all', { own: 'query__all', whose: 'db' }],
  ['ext__', { own: 'ext__', whose: '' }],
])('a call is titled with the own name of its tool: %s', (name, parts) => {
  expect(nameParts(name)).toEqual(parts);
});
