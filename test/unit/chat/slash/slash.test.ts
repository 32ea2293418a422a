import { describe, expect, test } from 'vitest';
import { BUILT_IN_NAMES } from '../../../../src/config/commands/command-name.js';
import { builtInCommands, type SlashActions, type SlashCommand, slashOffers } from '../../../../src/chat/composer/built-in.js';
import { findCommand, parseSlash } from '../../../../src/slash/written-command.js';

describe('a command at the start of a message', () => {
  test.each([
    ['/compact', 'compact', ''],
    ['/compact ', 'compact', ''],
    ['/compact\n', 'compact', ''],
    ['/compact keep the  names', 'compact', 'keep the  names'],
    ['/compact\nkeep\nthe names ', 'compact', 'keep\nthe names'],
    ['/Model gpt-5', 'model', 'gpt-5'],
    ['/compacted', 'compacted', ''],
    ['/github:Review a.ts "b c"', 'github:review', 'a.ts "b c"'],
    ['/1password:日本.x_y-z', '1password:日本.x_y-z', ''],
  ])('%j is /%s with %j', (words, name, argument) => {
    expect(parseSlash(words)).toEqual({ name, argument });
  });

  test.each(['/compact/x', ' /compact', 'please /compact', '/usr/bin/env is missing', '/c:/windows is slow', '/x:y/z', '/x:', '/', '//', '/ x', '/1', ''])(
    '%j is a message',
    (words) => {
      expect(parseSlash(words)).toBeUndefined();
    },
  );
});

const models = [
  { id: 'anthropic/claude-opus', label: 'Claude Opus' },
  { id: 'anthropic/claude-sonnet', label: 'Claude Sonnet' },
  { id: 'openai/gpt-5', label: 'GPT-5' },
];
const modes = [
  { id: 'plan', label: 'Plan', description: 'Only reading runs.' },
  { id: 'default', label: 'Ask before changes' },
];

/** Runs a message as a command and tells what it did. */
async function run(text: string): Promise<readonly string[]> {
  const done: string[] = [];
  const note = (...words: readonly string[]): Promise<void> => Promise.resolve(void done.push(words.join(' ')));
  const actions: SlashActions = {
    compact: (wish) => void note('compact', wish),
    clear: () => note('new'),
    models: () => models,
    setModel: (key) => note('model', key),
    modes: () => modes,
    setMode: (mode) => note('mode', mode),
    agents: () =>
      Promise.resolve([
        { id: 'reviewer', label: 'reviewer', description: 'Reviews.' },
        { id: 'user:tester', label: 'user:tester' },
      ]),
    setAgent: (name) => note('agent', name),
    runCommand: (command, argument) => void note('command', command, ...(argument === undefined ? [] : [argument])),
    tell: (words) => void note('tell', words),
  };
  const commands: readonly SlashCommand[] = builtInCommands(actions, () => commands);
  const { name, argument } = parseSlash(text) ?? { name: '', argument: '' };
  await findCommand(commands, name).run(argument);
  return done;
}

test('S-43: names that files cannot take are those of all commands that are built in', () => {
  const actions = {} as SlashActions;
  expect(builtInCommands(actions, () => []).map(({ name }) => name.slice(1))).toEqual(BUILT_IN_NAMES);
});

describe('what the commands do', () => {
  test.each([
    ['/compact keep it', 'compact keep it'],
    ['/clear', 'new'],
    ['/model', 'command gnomon.selectModel'],
    ['/model openai/gpt-5', 'model openai/gpt-5'],
    ['/model claude opus', 'model anthropic/claude-opus'],
    ['/model sonnet', 'model anthropic/claude-sonnet'],
    ['/mode plan', 'mode plan'],
    ['/mode ask before changes', 'mode default'],
    ['/agent reviewer', 'agent reviewer'],
    ['/agent test', 'agent user:tester'],
    ['/agent none', 'agent '],
    ['/config', 'command gnomon.showConfiguration'],
    ['/export', 'command gnomon.exportSession'],
    ['/export json', 'command gnomon.exportSession json'],
  ])('%s: %s', async (text, did) => {
    expect(await run(text)).toEqual([did]);
  });

  test('/help lists every command with what it does, and the keys; /mode the modes', async () => {
    const [help = ''] = await run('/help');
    for (const name of ['/compact', '/clear', '/model', '/mode', '/export', '/help', 'Shift+Enter', 'Escape']) expect(help).toContain(name);
    expect((await run('/mode'))[0]).toContain('plan: Plan. Only reading runs.');
  });

  test.each([
    ['/model claude', /matches more than one: anthropic\/claude-opus, anthropic\/claude-sonnet/],
    ['/model x', /Unknown model “x”/],
    ['/mode yolo', /Unknown permission mode “yolo”. Available: plan, default/],
    ['/export pdf', /markdown or json, not as “pdf”/],
    ['/exit', /Unknown command \/exit. Did you mean \/export\? To send this as a message, put a space in front of it./],
    ['/quit', /\/help for a list of commands/],
  ])('%s is told to the person', async (text, reason) => {
    await expect(run(text)).rejects.toThrow(reason);
  });

  test('they are offered with what they do', () => {
    const commands = [{ name: '/x', hint: '[y]', description: 'Z', run: () => undefined }];
    expect(slashOffers(commands)).toEqual([{ name: '/x', hint: '[y]', description: 'Z' }]);
  });
});
