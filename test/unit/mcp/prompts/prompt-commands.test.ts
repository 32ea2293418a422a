import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { McpPrompt } from '../../../../src/domain/mcp/feature.js';
import { hintOf, missingIn, promptCommands, typedValues } from '../../../../src/mcp/prompts/prompt-commands.js';
import { parseSlash } from '../../../../src/slash/written-command.js';
import { FakeServers } from '../../../support/mcp/fake-servers.js';

const prompt = (name: string, ...args: readonly string[]): McpPrompt => ({
  name,
  arguments: args.map((arg) => ({ name: arg.replace('?', ''), required: !arg.endsWith('?') })),
});
const namesOf = (servers: FakeServers): readonly string[] => promptCommands(servers).map(({ name }) => name);

describe('prompts as commands', () => {
  test('each is a command of its server, with what it takes', () => {
    const servers = new FakeServers().set('github', { prompts: [prompt('review', 'file', 'focus?')] }).set('my-db_2', { prompts: [prompt('sum.up')] });
    expect(namesOf(servers)).toEqual(['/github:review', '/my-db_2:sum.up']);
    expect(hintOf(prompt('review', 'file', 'in this focus?'))).toBe('<file> [in_this_focus]');
  });

  test('only of servers that are connected', () => {
    expect(namesOf(new FakeServers().set('github', { status: 'failed', prompts: [prompt('review')] }))).toEqual([]);
  });

  test('whatever a prompt is called, its command is one word that is read as it is, and another one for each prompt', () => {
    const odd = ['two words', 'two/words', 'Two words', '../x', 'a"b', '日本', '\u202Eevil\u200B', '', 'a:b', '/help', 'x'.repeat(500), ':', '\n'];
    const names = namesOf(new FakeServers().set('s', { prompts: odd.map((name) => prompt(name)) }));
    expect(names.slice(0, 3)).toEqual(['/s:two_words', '/s:two_words_2', '/s:Two_words_3']);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(odd.length);
    for (const name of names) expect(parseSlash(`${name} value`)).toEqual({ name: name.slice(1).toLowerCase(), argument: 'value' });
  });

  test('a built-in command cannot be taken: there is always a server in front', () => {
    expect(namesOf(new FakeServers().set('compact', { prompts: [prompt('compact'), prompt('clear')] }))).toEqual(['/compact:compact', '/compact:clear']);
  });

  test('thousands are capped', () => {
    expect(namesOf(new FakeServers().set('s', { prompts: Array.from({ length: 2_000 }, (_, index) => prompt(`p${index}`)) }))).toHaveLength(500);
  });
});

const promptWith = (...names: readonly string[]) => ({ name: 'review', arguments: names.map((name) => ({ name, required: !name.endsWith('?') })) });
const two = promptWith('file', 'focus?');

describe('arguments as they are typed behind a command', () => {
  test.each([
    ['', {}],
    ['a.ts', { file: 'a.ts' }],
    ['a.ts speed', { file: 'a.ts', 'focus?': 'speed' }],
    ['  a.ts   "two words"  ', { file: 'a.ts', 'focus?': 'two words' }],
    ['"my file.ts" speed', { file: 'my file.ts', 'focus?': 'speed' }],
    ['a.ts speed and  clarity,\nplease', { file: 'a.ts', 'focus?': 'speed and  clarity,\nplease' }],
    [String.raw`"say \"hi\" \\ \n" x`, { file: String.raw`say "hi" \ \n`, 'focus?': 'x' }],
    ['"" speed', { 'focus?': 'speed' }],
    ['"unclosed speed', { file: '"unclosed', 'focus?': 'speed' }],
    ['it"s speed', { file: 'it"s', 'focus?': 'speed' }],
    ['"a"b c', { file: '"a"b', 'focus?': 'c' }],
    ['日本 ä', { file: '日本', 'focus?': 'ä' }],
  ])('%j', (typed, values) => {
    expect(typedValues(two, typed)).toEqual(values);
  });

  test('a prompt of one argument takes everything', () => {
    expect(typedValues(promptWith('what'), 'all of this "and this"')).toEqual({ what: 'all of this "and this"' });
    expect(typedValues(promptWith('what'), '"all of this"')).toEqual({ what: 'all of this' });
  });

  test('one without arguments takes none', () => {
    expect(typedValues(promptWith(), '')).toEqual({});
    expect(() => typedValues(promptWith(), 'x')).toThrow('The prompt “review” has no arguments.');
  });

  test('what is put in quotation marks comes back as it was', () => {
    const value = fc.string({ unit: fc.constantFrom(...Array.from('a "\\\n\'ä')), minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(value, value, (a, b) => {
        const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
        expect(typedValues(promptWith('a', 'b'), `${quoted(a)} ${quoted(b)}`)).toEqual({ a, b });
      }),
    );
  });

  test('a million characters are read at once', () => {
    for (const text of ['"'.repeat(1_000_000), '"\\'.repeat(500_000), 'a '.repeat(500_000)])
      expect(Object.keys(typedValues(two, text)).length).toBeGreaterThan(0);
  });

  test('what is missing, also by names that objects have anyway', () => {
    expect(missingIn(two, {})).toEqual(['file']);
    expect(missingIn(two, { file: ' ' })).toEqual(['file']);
    expect(missingIn(two, { file: 'x' })).toEqual([]);
    expect(missingIn(promptWith('constructor', '__proto__'), {})).toEqual(['constructor', '__proto__']);
    expect(Object.entries(typedValues(promptWith('__proto__'), 'x'))).toEqual([['__proto__', 'x']]);
  });
});
