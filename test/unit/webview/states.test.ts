import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupChoices, MAX_CHOICES } from '../../../webview/state/composer/choice-groups.js';
import { commandsFor } from '../../../webview/state/composer/commands.js';
import { contextLevel } from '../../../webview/state/composer/context-use.js';
import { nextTick, waitText } from '../../../webview/state/transcript/countdown.js';
import { urlParts } from '../../../webview/state/approval/url-parts.js';

describe('stream-07 a wait in words', () => {
  test.each([
    [-5, '0 s'],
    [0, '0 s'],
    [1, '1 s'],
    [12_000, '12 s'],
    [59_000, '59 s'],
    [59_001, '1:00'],
    [65_000, '1:05'],
    [3_599_000, '59:59'],
    [3_600_000, '1:00:00'],
    [3_665_000, '1:01:05'],
  ])('%d ms is %s', (wait, words) => {
    expect(waitText(wait)).toBe(words);
  });

  test('the next tick is when the words change, and not before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 10_000_000 }), (left) => {
        const tick = nextTick(left) ?? 0;
        expect(tick).toBeGreaterThan(0);
        expect(waitText(left - tick)).not.toBe(waitText(left));
        expect(waitText(left - tick + 1)).toBe(waitText(left));
      }),
    );
    expect(nextTick(0)).toBeUndefined();
    expect(nextTick(-1)).toBeUndefined();
  });
});

describe('an address', () => {
  test.each([
    ['https://docs.example.com/a?b#c', 'docs.example.com', undefined],
    ['https://EXAMPLE.com:8443/a', 'EXAMPLE.com:8443', undefined],
    ['https://example.com:443', 'example.com:443', undefined],
    ['https://example.com@evil.test/a', 'evil.test', undefined],
    ['https://a@b@evil.test', 'evil.test', undefined],
    ['https://evil.test\\@example.com/', 'evil.test', undefined],
    ['https://evil.test#@example.com/', 'evil.test', undefined],
    // The written host is not where it leads: the parser's own word is shown as well.
    ['https://еxample.com/', 'еxample.com', 'xn--xample-2of.com'],
    ['https://0x7f.1/', '0x7f.1', '127.0.0.1'],
    ['https://exa\tmple.com/', 'exa\tmple.com', 'example.com'],
    ['https:evil.test/a', '', 'evil.test'],
    ['https:/\\evil.test/a', '', 'evil.test'],
    ['no address', '', undefined],
  ])('%j leads to %s', (url, host, actual) => {
    expect(urlParts(url)).toMatchObject({ host, ...(actual === undefined ? {} : { actual }) });
    expect(urlParts(url).actual).toBe(actual);
  });

  test('the parts are always the whole, and a host without a warning is the one it leads to', () => {
    const part = fc.constantFrom('https://', 'http:', '//', '/', '\\', '@', ':', '8080', '?', '#', 'a.test', 'evil.test', '\t', ' ', '[::1]', '%2F');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (pieces) => {
        const url = pieces.join('');
        const { before, host, after, actual } = urlParts(url);
        expect(before + host + after).toBe(url);
        if (host === '' || actual !== undefined) return;
        expect(new URL(url).host).toBe(host.toLowerCase().replace(/:(?:80|443)$/, ''));
      }),
    );
  });
});

describe('how full the context window is', () => {
  test('in words and in levels', () => {
    expect(contextLevel({ used: 124_000, limit: 200_000 })).toEqual({
      level: 'normal',
      part: 0.62,
      short: '62%',
      long: '62% of the context window used, 124,000 of 200,000 tokens',
    });
    expect(contextLevel({ used: 150_000, limit: 200_000 }).level).toBe('high');
    expect(contextLevel({ used: 180_000, limit: 200_000 }).level).toBe('full');
    expect(contextLevel({ used: 199_999, limit: 200_000 }).short).toBe('99%');
  });

  test('never below nothing or above all', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 10_000 }), fc.integer({ min: 0, max: 1_000 }), (used, limit) => {
        const { part, short } = contextLevel({ used, limit });
        expect(part).toBeGreaterThanOrEqual(0);
        expect(part).toBeLessThanOrEqual(1);
        expect(short).toMatch(/^(?:\d{1,2}|100)%$/);
      }),
    );
  });
});

describe('long lists of choices', () => {
  const choice = (index: number, group?: string) => ({ id: `id${index}`, label: `Model ${index}`, ...(group === undefined ? {} : { group }) });

  test('a short list is shown whole, by group, in its order', () => {
    const choices = [choice(0), choice(1, 'B'), choice(2, 'A'), choice(3, 'B')];
    const { groups, left } = groupChoices(choices, 'id0');
    expect(left).toBe(0);
    expect(groups.map(({ name, choices: all }) => [name, all.map(({ id }) => id)])).toEqual([['', ['id0']], ['B', ['id1', 'id3']], ['A', ['id2']]]);
  });

  test('of a long one the start of every group is shown, and always the current choice', () => {
    const group = fc.constantFrom(undefined, 'A', 'B', 'C');
    fc.assert(
      fc.property(fc.array(group, { minLength: 1, maxLength: 300 }), fc.nat(), (groupsOf, seed) => {
        const choices = groupsOf.map((name, index) => choice(index, name));
        const current = choices[seed % choices.length]?.id ?? '';
        const { groups, left } = groupChoices(choices, current);
        const shown = groups.flatMap((each) => each.choices);
        expect(shown.length + left).toBe(choices.length);
        expect(shown.some(({ id }) => id === current)).toBe(true);
        expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
        expect(shown.length).toBeLessThanOrEqual(MAX_CHOICES + 1);
        expect(groups.every((each) => each.choices.length > 0)).toBe(true);
      }),
    );
  });
});

describe('commands of the composer', () => {
  const commands = [{ name: '/compact', hint: '', description: '' }];

  test.each(['/', '/c', '/compac'])('%j may become /compact', (text) => {
    expect(commandsFor(text, commands).map(({ name }) => name)).toEqual(['/compact']);
  });

  test.each(['', 'c', ' /', '/compact', '/compact now', '/x', '/ ', 'see /c', '/C'])('%j offers nothing', (text) => {
    expect(commandsFor(text, commands)).toEqual([]);
  });
});
