import { describe, expect, it } from 'vitest';
import { chooseCommands, findChosen } from '../../../../src/config/commands/choose-commands.js';
import type { ConfigLayer } from '../../../../src/domain/config/origin.js';
import type { CommandFile } from '../../../../src/domain/config/skill.js';
import { commandOf, originOf } from './rig.js';

const command = (name: string, layer: ConfigLayer, display = `.claude/commands/${name}.md`): CommandFile => ({
  ...commandOf('Work.'),
  name,
  origin: originOf(display, layer),
});

describe('commands of the same name', () => {
  it('S-43: that of the project wins over that of the user, which is reached by its qualified name', () => {
    const { commands, problems } = chooseCommands([command('x', 'user'), command('x', 'project')], []);
    expect(commands.map(({ name, qualifiedName, command: { origin } }) => [name, qualifiedName, origin.layer])).toEqual([
      ['user:x', 'user:x', 'user'],
      ['x', 'project:x', 'project'],
    ]);
    expect(commands[1]?.overridden).toMatchObject([{ why: '.claude/commands/x.md has the same name and counts more. This command is reached as “/user:x”.' }]);
    expect(problems).toEqual([]);
  });

  it('S-43: built-in commands and prompts of MCP servers win over both', () => {
    const { commands } = chooseCommands(
      [command('Clear', 'project'), command('clear', 'user'), command('github:review', 'project')],
      ['clear', 'github:review'],
    );
    expect(commands.map(({ name }) => name)).toEqual(['project:Clear', 'project:github:review', 'user:clear']);
  });

  it('S-43: of two in one layer, the first by its path wins, and both paths are named', () => {
    const { commands, problems } = chooseCommands([command('x', 'project', '.gnomon/commands/x.md'), command('x', 'project', '.claude/commands/x.md')], []);
    expect(commands.map(({ command: { origin } }) => origin.display)).toEqual(['.claude/commands/x.md']);
    expect(problems.map(({ message }) => message)).toEqual([
      'The command “/x” is in /ws/.claude/commands/x.md and in /ws/.gnomon/commands/x.md. That in /ws/.claude/commands/x.md is used.',
    ]);
  });

  it('S-43: are found by both names, whatever their case', () => {
    const { commands } = chooseCommands([command('x', 'user'), command('x', 'project'), command('git:Commit', 'user')], []);
    expect(
      ['X', 'project:x', 'USER:x', 'git:commit', 'user:git:commit', 'local:x', 'y'].map((name) => findChosen(commands, name)?.command.origin.layer),
    ).toEqual(['project', 'project', 'user', 'user', 'user', undefined, undefined]);
  });
});
