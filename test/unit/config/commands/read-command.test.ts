import { describe, expect, it } from 'vitest';
import { commandOf, lines, read } from './rig.js';
import { turnRulesIn } from '../../../../src/permission/rules/turn-rules.js';

describe('a file with a command', () => {
  it('S-43: is named by its file and its folders', () => {
    expect(['a.md', 'git/Commit.md', 'a b/c  d.md', '日本.md', '2fa.md', 'v1.2.md'].map((path) => commandOf('x', path).name)).toEqual([
      'a',
      'git:Commit',
      'a-b:c-d',
      '日本',
      '2fa',
      'v1.2',
    ]);
  });

  it.each(['-x.md', '.x.md', 'a/.md', 'a;b.md', 'user/a.md', 'Project/a.md', `${'x'.repeat(120)}.md`, 'a\u200Bb.md'])(
    'S-43: %j is no name that a command can have',
    (path) => {
      const { command, skipped, problems } = read('x', path);
      expect(command).toBeUndefined();
      expect(skipped?.why).toBe(problems[0]?.message);
    },
  );

  it('S-34: allowed-tools have commas or spaces between them, and tools that there are not grant nothing', () => {
    const of = (value: string): readonly string[] => commandOf(`---\nallowed-tools: ${value}\n---\nx`).allowedTools;
    const wanted = ['Bash(git add:*)', 'Read', 'mcp__db__query'];
    const lists = ['["Bash(git add:*)", "Read mcp__db__query"]', '\n  - Bash(git add:*)\n  - Read\n  - mcp__db__query'];
    for (const value of [wanted.join(', '), wanted.join(' '), ...lists]) expect(of(value), value).toEqual(wanted);
    expect(of('Task, SendMessage(x), AskUserQuestion, TodoWrite, EnterPlanMode')).toEqual(['Task', 'ask', 'TodoWrite']);
    expect(turnRulesIn(of('Task, AskUserQuestion, TodoWrite, Read Write')).refused).toEqual([]);
    const { fields } = commandOf('---\nallowed-tools: Read, Monitor\n---\nx');
    expect(fields.find(({ field }) => field === 'allowed-tools[1]')).toMatchObject({ state: 'ignored', note: 'Gnomon has no tool like “Monitor”.' });
  });

  it('S-34: allowed-tools wait for approval, and the report says so', () => {
    const text = '---\nallowed-tools: Bash(git log:*), Read\n---\nx';
    expect(commandOf(text)).toMatchObject({
      allowedTools: ['Bash(git log:*)', 'Read'],
      fields: [{ state: 'used', note: 'Only in the turn of the command, and once you have approved it.' }],
    });
  });

  it('S-34: has hooks of its own, with their lines and its name; prompts of VS Code have none', () => {
    const text = '---\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: ./end.sh\n---\nx';
    const { hooks, fields } = commandOf(text, 'git/go.md');
    expect(hooks).toMatchObject([{ event: 'Stop', handler: { command: './end.sh' }, owner: { kind: 'command', name: 'git:go' }, origin: { line: 5 } }]);
    expect(fields).toMatchObject([{ field: 'hooks', state: 'used', note: expect.stringContaining('until the chat ends') as string }, { state: 'used' }]);
    expect(commandOf(text, 'go.prompt.md', { dialect: 'vscode' })).toMatchObject({ hooks: [], fields: [{ field: 'hooks', state: 'ignored' }] });
    expect(commandOf(text, 'go.md', { dialect: 'plain' })).toMatchObject({ hooks: [], fields: [{ field: 'hooks', state: 'ignored' }] });
    expect(read('---\nhooks: { Stop: [7] }\n---\nx')).toMatchObject({ command: { hooks: [] }, problems: [{ key: 'hooks.Stop[0]', line: 2 }] });
  });

  it('S-40: has a model, an agent and an effort for its turn', () => {
    const text = '---\nmodel: [Claude Opus 4.5, sonnet]\nagent: reviewer\neffort: high\n---\nx';
    expect(commandOf(text)).toMatchObject({ model: 'Claude Opus 4.5, sonnet', agent: 'reviewer', effort: 'high' });
    expect(commandOf('---\nmode: planner\n---\nx', 'a.prompt.md', { dialect: 'vscode' }).agent).toBe('planner');
    for (const name of ['agent', 'ask', 'Edit'])
      expect(commandOf(`---\nmode: ${name}\n---\nx`, 'a.prompt.md', { dialect: 'vscode' })).toMatchObject({
        fields: [{ state: 'ignored', note: expect.stringContaining('an agent of VS Code itself') as string }],
      });
    expect(read('---\nmodel: [a, {}]\nagent: []\neffort: huge\n---\nx').problems.map(({ key }) => key)).toEqual(['model', 'agent', 'effort']);
  });

  it.each([
    ['no end of the front matter', '---\ndescription: x'],
    ['YAML that is none', '---\ndescription: "x\n---\nx'],
    ['aliases', '---\na: &a x\nb: *a\n---\nx'],
    ['tags', '---\na: !!js/function x\n---\nx'],
    ['no text', '---\na: b\n---\n'],
    ['nothing', ''],
    ['a very long text', 'x'.repeat(200_001)],
    ['too many commands', '!`x`\n'.repeat(21)],
  ])('S-40: %s: skipped, with the reason', (_, text) => {
    const { command, skipped, problems } = read(text);
    expect(command).toBeUndefined();
    expect(problems).toContainEqual(expect.objectContaining({ message: skipped?.why }));
  });

  it('has its first line in the place of a description', () => {
    expect(commandOf('\n# Clean *up*\n\nMore.').description).toBe('Clean *up*');
    expect(lines(read('x'))).toContain('  description: "x"');
  });
});
