import { describe, expect, it } from 'vitest';
import { readFrontMatterHooks } from '../../../../src/config/hooks/claude-hooks.js';
import { HOOK_EVENTS } from '../../../../src/domain/hook/event.js';
import { type Form, lines, read } from './rig.js';

const origin = { layer: 'project', file: '/ws/.claude/agents/a.md', display: '.claude/agents/a.md', folder: '/ws' } as const;
const claude = (hooks: unknown, platform?: NodeJS.Platform): ReturnType<typeof read> => read('claude', JSON.stringify({ hooks }), platform);
const oneHook = (hook: unknown, event = 'PreToolUse', platform?: NodeJS.Platform): ReturnType<typeof read> =>
  claude({ [event]: [{ hooks: [hook] }] }, platform);

describe('reading hooks', () => {
  it('H-51: a mistake closes the guard that it is in, is no hook elsewhere, and leaves the other hooks working', () => {
    for (const event of HOOK_EVENTS) {
      const { definitions, problems } = claude({
        [event]: [
          {
            hooks: [
              { type: 'command', command: './a.sh', timeout: 0 },
              { type: 'command', command: './b.sh' },
            ],
          },
        ],
      });
      const isGuard = ['PreToolUse', 'PreSkillShellCommand', 'UserPromptSubmit'].includes(event);
      expect(definitions.map(({ broken }) => broken !== undefined)).toEqual(isGuard ? [true, false] : [false]);
      expect(problems).toMatchObject([{ file: '/ws/.claude/settings.json', key: `hooks.${event}[0].hooks[0].timeout`, line: 1 }]);
    }
  });

  const ODD: readonly unknown[] = [
    null,
    3,
    'x',
    [],
    [[]],
    { PreToolUse: null },
    { PreToolUse: [null] },
    { PreToolUse: [{ hooks: null }] },
    { PreToolUse: [{ hooks: [null] }] },
    { '': [] },
    { ['x'.repeat(10_000)]: [] },
    { constructor: [] },
  ];
  it.each(ODD.map((hooks) => ({ hooks })))('H-51: $hooks is reported and harms nothing', ({ hooks }) => {
    const { problems } = claude(hooks);
    expect(problems).toHaveLength(1);
    expect(problems.every(({ message }) => message.length < 300)).toBe(true);
  });

  it('H-51: events that are misspelt get the nearest name', () => {
    const messages = claude({ preToolUse: [], PostTooluse: [], Session_Start: [], Sotp: [], Whatever: [] }).problems.map(({ message }) => message);
    expect(messages.map((message) => /mean “(\w+)”/.exec(message)?.[1])).toEqual(['PreToolUse', 'PostToolUse', 'SessionStart', 'Stop', undefined]);
    expect(lines(read('cursor', '{"version":1,"hooks":{"beforeShellExec":[]}}'))[0]).toContain('Did you mean “beforeShellExecution”?');
  });

  it('H-51: an event that only newer versions of a program have is no typing error, and the other hooks stay', () => {
    for (const form of ['claude', 'copilot', 'cursor'] as const) {
      for (const name of ['PreSkillTextExpansion', 'TaskUpdated', 'BeforeElicitation', 'preToolBatch', 'Hibernate', 'afterModelUse']) {
        const hook = { type: 'command', command: './a.sh' };
        const known = form === 'cursor' ? 'preToolUse' : 'PreToolUse';
        const { definitions, problems } = read(
          form,
          JSON.stringify({
            version: 1,
            hooks: { [name]: [form === 'claude' ? { hooks: [hook] } : hook], [known]: [form === 'claude' ? { hooks: [hook] } : hook] },
          }),
        );
        expect([form, name, problems.map(({ message }) => message), definitions.length]).toEqual([
          form,
          name,
          [`The event “${name}” is newer than this version of Gnomon knows, or there is no such event. Its hooks do not run.`],
          1,
        ]);
      }
    }
    expect(oneHook({ type: 'command', command: './a.sh' }, 'PreSkillShellCommand')).toMatchObject({
      definitions: [{ event: 'PreSkillShellCommand' }],
      problems: [],
    });
  });

  it('H-51: front matter has the same form, with its own lines, and numbers that JSON does not have', () => {
    const lineAt = (path: readonly (string | number)[]): number => path.length;
    const hooks = {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [
            { type: 'command', command: './a.sh', timeout: Number.NaN },
            { type: 'command', command: './b.sh', timeout: Number.POSITIVE_INFINITY },
            { type: 'command', command: './c.sh', timeout: 2 },
          ],
        },
      ],
    };
    const { definitions, problems } = readFrontMatterHooks(hooks, lineAt, { origin, platform: 'linux' });
    expect(definitions).toMatchObject([
      { broken: expect.any(String) as string },
      { broken: expect.any(String) as string },
      { matcher: 'Bash', timeoutMs: 2_000, origin: { line: 5 } },
    ]);
    expect(problems.map(({ line }) => line)).toEqual([6, 6]);
  });

  it('H-51: values that refer to themselves or are nested for ever end somewhere', () => {
    const circular: Record<string, unknown> = {};
    circular['PreToolUse'] = [circular];
    expect(readFrontMatterHooks(circular, () => undefined, { origin, platform: 'linux' }).problems.length).toBeGreaterThan(0);
  });

  it('H-51: keys that are there twice are said to be', () => {
    const text =
      '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"./a.sh","command":"./b.sh"}]}],"PreToolUse":[{"hooks":[{"type":"command","command":"./c.sh"}]}]}}';
    const { definitions, problems } = read('claude', text);
    expect(definitions.map(({ broken }) => broken !== undefined)).toEqual([true, false]);
    expect(problems.map(({ harmless }) => harmless ?? false)).toEqual([false, true]);
  });

  it('a file has no more hooks than can be looked at, and says so once', () => {
    const { definitions, problems } = claude({ Stop: [{ hooks: Array.from({ length: 300 }, (_, index) => ({ type: 'command', command: `./${index}.sh` })) }] });
    expect(definitions).toHaveLength(200);
    expect(problems.map(({ message }) => message)).toEqual(['The file has more than 200 hooks. Those after them are not used.']);
  });

  it('what is not used is listed first where there is too much', () => {
    const hooks = Array.from({ length: 150 }, (_, index) => ({
      type: 'command',
      command: `./${index}.sh`,
      timeout: 1,
      ...(index === 149 ? { retries: 3 } : {}),
    }));
    const { fields } = claude({ Stop: [{ hooks }] });
    expect([fields.length, fields[0]?.field]).toEqual([200, 'hooks.Stop[0].hooks[149].retries']);
  });

  it('H-52: command lines and arguments stay as their author wrote them', () => {
    const command = 'x "$(whoami)" \'a b\'\n; echo `id`';
    const args = ['$(id)', 'a b', '"', ''];
    expect(oneHook({ type: 'command', command, args }).definitions).toMatchObject([{ handler: { command, args } }]);
    expect(oneHook({ type: 'command', command: 'a\0b' }).definitions[0]?.broken).toContain('null character');
  });

  it('the time that a hook has by default is that of its event', () => {
    const timeouts = ['PreToolUse', 'SessionEnd'].map((event) => oneHook({ type: 'command', command: './a.sh' }, event).definitions[0]?.timeoutMs);
    expect(timeouts).toEqual([60_000, 1_500]);
  });

  it('a condition is for tool calls alone', () => {
    expect(oneHook({ type: 'command', command: './a.sh', if: 'Bash(ls)' }).definitions[0]?.condition).toBe('Bash(ls)');
    expect(lines(oneHook({ type: 'command', command: './a.sh', if: 'Bash(ls)' }, 'Stop'))).toContain(
      'ignored hooks.Stop[0].hooks[0].if:1 Only events about tool calls have conditions.',
    );
  });
});

describe('a matcher that can match nothing', () => {
  const MESSAGE = 'can match nothing: it is compared with the name of the tool alone';
  const saysSo = (matcher: string, event = 'PreToolUse'): boolean =>
    claude({ [event]: [{ matcher, hooks: [{ type: 'command', command: './a.sh' }] }] }).problems.some(
      ({ message, harmless }) => message.includes(MESSAGE) && harmless !== true,
    );

  it.each([
    'Edit:.*\\.cs',
    'Write: src/',
    'Bash: git push',
    'Edit\\.cs',
    '(Edit|Write):.*',
    'Edit:a|Write:b',
    '^Read /etc',
    'Edit.*\\.(ts|js)$',
    'Bash=rm',
    'src/.*\\.ts',
    'Edit@x',
    'Bash "rm"',
  ])('says so: %s', (matcher) => {
    expect(saysSo(matcher)).toBe(true);
    expect(saysSo(matcher, 'PostToolUse')).toBe(true);
  });

  it.each([
    'Edit|Write',
    'Edit:*.cs',
    'Edit.*',
    '^Edit$',
    'Edit:.*|Write',
    'Notebook.*',
    '.*',
    'Bash.?',
    'Edit:?',
    'Edit:*',
    'E[d:]it',
    '(Edit:.*)?Write',
    'mcp__.*',
    'mcp__@scope/x__.*',
    'MCP:.*',
    'Web(Fetch|Search)',
    '\\w+',
    'Edit\\b',
    '(?!Bash).*',
    'Edit:{0,3}x?',
  ])('does not say so: %s', (matcher) => {
    expect(saysSo(matcher)).toBe(false);
  });

  it('nor of events that are about something else', () => {
    expect(saysSo('a:b.c', 'SessionStart')).toBe(false);
  });
});

describe('hooks on other systems', () => {
  it.each<[string, object, NodeJS.Platform, object, string]>([
    ['a script of PowerShell', { command: '.\\hooks\\a.ps1 -Strict' }, 'win32', { shell: 'powershell' }, ''],
    ['a quoted script of PowerShell', { command: '& "C:\\my hooks\\a.ps1"' }, 'win32', { shell: 'powershell' }, ''],
    ['a script of bash', { command: './a.sh' }, 'win32', { command: './a.sh' }, 'needs bash'],
    ['a command for bash', { command: 'jq .', shell: 'bash' }, 'win32', { shell: 'bash' }, 'needs bash'],
    ['a batch file', { command: 'a.cmd' }, 'win32', { command: 'a.cmd' }, ''],
    ['a batch file on Linux', { command: 'a.cmd' }, 'linux', { command: 'a.cmd' }, 'made for Windows'],
    ['lines of Windows', { command: 'a\r\nb' }, 'linux', { command: 'a\nb' }, ''],
  ])('H-53: %s', (_name, hook, platform, handler, note) => {
    const { definitions, problems } = oneHook({ type: 'command', ...hook }, 'PreToolUse', platform);
    expect(definitions).toMatchObject([{ handler }]);
    expect(definitions[0]?.broken).toBeUndefined();
    expect(problems.map(({ message, harmless }) => [message.includes(note), harmless])).toEqual(note === '' ? [] : [[true, true]]);
  });

  it('H-53: a script that Windows opens in an editor is no hook', () => {
    expect(oneHook({ type: 'command', command: './hooks/a.js' }, 'PreToolUse', 'win32').definitions[0]?.broken).toContain(
      'Put the program that runs it before it',
    );
    expect(oneHook({ type: 'command', command: 'node ./hooks/a.js' }, 'PreToolUse', 'win32').definitions[0]?.broken).toBeUndefined();
  });

  it.each<[Form, object, NodeJS.Platform, object]>([
    ['copilot', { bash: './a.sh', powershell: './a.ps1' }, 'linux', { command: './a.sh', shell: 'bash' }],
    ['copilot', { bash: './a.sh', powershell: './a.ps1' }, 'win32', { command: './a.ps1', shell: 'powershell' }],
    ['copilot', { bash: './a.sh' }, 'win32', { command: './a.sh', shell: 'bash' }],
    ['copilot', { powershell: './a.ps1' }, 'darwin', { command: './a.ps1', shell: 'powershell' }],
    ['copilot', { command: './a.sh', windows: 'a.cmd', osx: './m.sh', linux: './l.sh' }, 'linux', { command: './l.sh' }],
    ['copilot', { command: './a.sh', windows: 'a.cmd', osx: './m.sh' }, 'darwin', { command: './m.sh' }],
    ['copilot', { command: './a.sh', windows: 'a.cmd' }, 'win32', { command: 'a.cmd' }],
    ['copilot', { command: './a.sh', windows: 'a.cmd' }, 'linux', { command: './a.sh' }],
  ])('H-53: %s %j on %s', (form, hook, platform, handler) => {
    expect(read(form, JSON.stringify({ version: 1, hooks: { preToolUse: [{ type: 'command', ...hook }] } }), platform).definitions).toMatchObject([
      { event: 'PreToolUse', handler },
    ]);
  });

  it('H-53: a hook for another system alone guards nothing open', () => {
    expect(read('copilot', '{"hooks":{"PreToolUse":[{"type":"command","windows":"a.cmd"}]}}', 'linux').definitions).toMatchObject([
      { broken: 'The hook has no command for this system.' },
    ]);
  });
});

describe('hooks of Cursor', () => {
  it('failClosed says what failing means', () => {
    const text =
      '{"version":1,"hooks":{"beforeShellExecution":[{"command":"a","failClosed":true},{"command":"b","failClosed":false},{"command":"c"},{"command":"d","failClosed":"yes"}]}}';
    expect(read('cursor', text).definitions.map(({ onFailure, broken }) => [onFailure, broken !== undefined])).toEqual([
      ['block', false],
      ['continue', false],
      [undefined, false],
      [undefined, true],
    ]);
  });

  it('another version, and a file that is none, are problems', () => {
    expect(lines(read('cursor', '{"version":2,"hooks":{}}'))).toEqual([
      'problem version:1 Gnomon knows only version 1 of this file. It is read as if it were that.',
    ]);
    for (const text of ['', '[]', '{}', '{"hooks"', 'x', '{"version":1,"hooks":[]}']) expect(read('cursor', text).problems.length).toBeGreaterThan(0);
  });
});
