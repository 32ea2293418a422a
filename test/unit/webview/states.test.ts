import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contextLevel, contextParts, contextTokens } from '../../../webview/state/composer/context-use.js';
import { mentionChips, withoutMention } from '../../../webview/state/composer/mention-chips.js';
import { nextMode } from '../../../webview/state/composer/modes.js';
import { groupModels, MAX_MODELS, modelsFor } from '../../../webview/state/composer/model-list.js';
import { commandsFor } from '../../../webview/state/composer/commands.js';
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

describe('the list of models', () => {
  const model = (index: number, group?: string, favorite = false) => ({
    id: `id${index}`,
    label: `Model ${index}`,
    ...(group === undefined ? {} : { group }),
    ...(favorite ? { favorite } : {}),
  });

  test('a short one is shown whole, by provider, in its order, behind what the user prefers', () => {
    const { groups, left } = groupModels([model(0), model(1, 'B'), model(2, 'A'), model(3, 'B'), model(4, 'A', true)], 'id0');
    expect(left).toBe(0);
    expect(groups.map(({ name, models }) => [name, models.map(({ id }) => id)])).toEqual([
      [undefined, ['id4']],
      ['', ['id0']],
      ['B', ['id1', 'id3']],
      ['A', ['id2']],
    ]);
  });

  test('of a long one the start of every provider is shown, and always the current model', () => {
    const group = fc.constantFrom(undefined, 'A', 'B', 'C');
    fc.assert(
      fc.property(fc.array(group, { minLength: 1, maxLength: 300 }), fc.nat(), (groupsOf, seed) => {
        const models = groupsOf.map((name, index) => model(index, name, index % 31 === 30));
        const current = models[seed % models.length]?.id ?? '';
        const { groups, left } = groupModels(models, current);
        const shown = groups.flatMap((each) => each.models);
        expect(shown.length + left).toBe(models.length);
        expect(shown.some(({ id }) => id === current)).toBe(true);
        expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
        expect(shown.length).toBeLessThanOrEqual(MAX_MODELS + 1);
        expect(groups.every((each) => each.models.length > 0)).toBe(true);
      }),
    );
  });

  test('every word of a search is found in the name, the id or the provider', () => {
    const models = [
      { id: 'anthropic/claude-sonnet-5-5', label: 'Claude Sonnet 5.5', group: 'Anthropic' },
      { id: 'openai/gpt-6', label: 'GPT-6', group: 'OpenAI' },
    ];
    expect(modelsFor(models, '  ')).toEqual(models);
    expect(modelsFor(models, 'SONNET anth').map(({ id }) => id)).toEqual(['anthropic/claude-sonnet-5-5']);
    expect(modelsFor(models, 'gpt anthropic')).toEqual([]);
  });
});

describe('permission modes', () => {
  const modes = ['default', 'acceptEdits', 'plan', 'ask', 'bypassPermissions'].map((id) => ({ id, label: id }));

  test('the next one is never the one that asks for nothing', () => {
    expect(modes.map(({ id }) => nextMode(modes, id)?.id)).toEqual(['acceptEdits', 'plan', 'ask', 'default', 'default']);
    expect(nextMode(modes.slice(0, 1), 'default')).toBeUndefined();
    expect(nextMode([], 'default')).toBeUndefined();
  });
});

describe('what fills the context', () => {
  test('is told by parts that add up, what is free, and that it is estimated; what is not there is not named', () => {
    const parts = contextParts({
      used: 40_000,
      limit: 100_000,
      exact: true,
      parts: { systemPrompt: 2_612, tools: 0, instructions: 2_388, messages: 30_000, images: 0, toolResults: 5_000 },
    });
    expect(parts.map(({ kind, amount, share }) => [kind, amount, share])).toEqual([
      ['systemPrompt', 'about 2,610', '2%'],
      ['instructions', 'about 2,390', '2%'],
      ['messages', 'about 30,000', '30%'],
      ['toolResults', 'about 5,000', '5%'],
      ['free', '60,000', '60%'],
    ]);
  });

  test('is one part where no more is known; more than fits leaves nothing free', () => {
    expect(contextParts({ used: 120, limit: 100 }).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['used', 'about 120'],
      ['free', '0'],
    ]);
  });

  test('is as exact as the model told it', () => {
    expect(contextTokens({ used: 124_432, limit: 200_000, exact: true })).toBe('124,432 of 200,000 tokens');
    expect(contextTokens({ used: 124_432, limit: 200_000 })).toBe('about 124,000 of 200,000 tokens');
  });
});

describe('mentions in a text', () => {
  test('are told from what only looks like one', () => {
    const text = 'See @src/a.ts, @"two words.md", @#median and @problems; mail ada@example.com, ask @bob. @src/a.ts @https://example.com/x?y';
    expect(mentionChips(text).map(({ kind, name }) => [kind, name])).toEqual([
      ['file', 'a.ts'],
      ['file', 'two words.md'],
      ['symbol', 'median'],
      ['problems', 'problems'],
      ['web', 'example.com'],
    ]);
    expect(mentionChips('@src/ @changes @terminal').map(({ kind }) => kind)).toEqual(['folder', 'changes', 'terminal']);
  });

  test('one is taken out with the space behind it', () => {
    const text = 'Look at @src/a.ts please';
    const [chip] = mentionChips(text);
    expect(chip === undefined ? '' : withoutMention(text, chip)).toBe('Look at please');
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
