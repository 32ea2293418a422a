import { describe, expect, test } from 'vitest';
import type { McpPrompt } from '../../../../src/domain/mcp/feature.js';
import { hintOf, promptCommands } from '../../../../src/mcp/prompts/prompt-commands.js';
import { parseSlash } from '../../../../src/chat/composer/slash-command.js';
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
