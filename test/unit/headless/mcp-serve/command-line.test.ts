import { describe, expect, it } from 'vitest';
import { FLAGS, NEUTRAL } from '../../../../src/headless/flag-table.js';
import { mcpHelp, readMcpLine } from '../../../../src/headless/mcp-serve/command-line.js';

/** Those that mean something without a model. */
const TAKEN: ReadonlySet<string> = new Set([
  'permission-mode',
  'allowedTools',
  'disallowedTools',
  'tools',
  'add-dir',
  'no-session-persistence',
  'session-storage',
  'settings',
  'setting-sources',
  'trust-project',
  'dangerously-skip-permissions',
  'help',
]);

describe('gnomon mcp', () => {
  it('serves with the options of a run that mean something without a model', () => {
    const line = readMcpLine([
      ...['serve', '--cwd', 'sub', '--permission-mode', 'plan', '--allowed-tools', 'Bash(npm test:*), Edit', '--disallowedTools', 'WebFetch'],
      ...['--tools', 'Read,Grep', '--add-dir', '../more', '--settings', '{}', '--setting-sources', 'user', '--trust-project', '--session-storage', 'vscode'],
    ]);
    expect(line).toMatchObject({
      kind: 'serve',
      cwd: 'sub',
      options: {
        mode: { mode: 'plan' },
        allowed: ['Bash(npm test:*)', 'Edit'],
        denied: ['WebFetch'],
        tools: ['Read', 'Grep'],
        addedFolders: ['../more'],
        configuration: { settings: '{}', layers: ['user'] },
        trustsProject: true,
        storage: 'vscode',
        mayBypass: false,
      },
    });
    expect(readMcpLine(['serve'])).toMatchObject({ kind: 'serve', options: { persists: true, storage: 'own', mayBypass: false } });
    expect(readMcpLine(['serve', '--dangerously-skip-permissions'])).toMatchObject({ options: { mayBypass: true, mode: { mode: 'bypassPermissions' } } });
  });

  it.each([...FLAGS, ...NEUTRAL].filter(({ name }) => !TAKEN.has(name)).map(({ name, value }) => [name, value] as const))(
    'refuses --%s by its name',
    (name, value) => {
      const line = readMcpLine(['serve', `--${name}`, ...(value === undefined ? [] : ['x'])]);
      expect(line).toEqual({ kind: 'refused', why: expect.stringContaining(`--${name} is not known for gnomon mcp serve`) as string });
    },
  );

  it.each([
    ['no command', [], 'needs a command'],
    ['another command', ['server'], '“server”'],
    ['a flag before the command', ['--model', 'x', 'serve'], '“--model”'],
    ['words behind', ['serve', 'files'], '“files”'],
    ['a folder without a name', ['serve', '--cwd', ''], '--cwd'],
    ['a mode that there is not', ['serve', '--permission-mode', 'yolo'], '“yolo”'],
    ['modes that contradict each other', ['serve', '--dangerously-skip-permissions', '--permission-mode', 'plan'], 'contradict'],
  ])('refuses %s', (_, args, why) => {
    expect(readMcpLine(args)).toEqual({ kind: 'refused', why: expect.stringContaining(why) as string });
  });

  it('has a help that lists exactly its options', () => {
    for (const args of [['--help'], ['-h'], ['serve', '--help'], ['serve', '-h']]) expect(readMcpLine(args)).toEqual({ kind: 'help' });
    const listed = [...mcpHelp('gnomon').matchAll(/^\s+(?:-\w, )?--([\w-]+)/gm)].map(([, name]) => name);
    expect(new Set(listed)).toEqual(new Set(['cwd', ...TAKEN]));
  });
});
