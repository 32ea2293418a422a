import { describe, expect, it } from 'vitest';
import { inputText } from '../../../src/hook/foreign-input.js';
import { namesOf, toForeign, toGnomon } from '../../../src/hook/foreign-names.js';

const claude = (name: string, input: unknown): unknown => toForeign({ name, input }, 'claude', '/ws');

describe('tool calls as hooks for Claude Code know them', () => {
  it.each<[string, unknown, string, unknown]>([
    ['bash', { command: 'ls', timeout_ms: 5, background: true, cwd: 'sub' }, 'Bash', { command: 'ls', timeout: 5, run_in_background: true, cwd: 'sub' }],
    ['read', { file_path: 'a.ts', offset: 2 }, 'Read', { file_path: '/ws/a.ts', offset: 2 }],
    ['write', { file_path: '/x/a.ts', content: '' }, 'Write', { file_path: '/x/a.ts', content: '' }],
    [
      'edit',
      { file_path: 'a.ts', edits: [{ old_string: 'a', new_string: 'b', replace_all: true }] },
      'Edit',
      { file_path: '/ws/a.ts', old_string: 'a', new_string: 'b', replace_all: true },
    ],
    [
      'edit',
      {
        file_path: 'a.ts',
        edits: [
          { old_string: 'a', new_string: 'b' },
          { old_string: 'c', new_string: 'd' },
        ],
      },
      'MultiEdit',
      {
        file_path: '/ws/a.ts',
        edits: [
          { old_string: 'a', new_string: 'b' },
          { old_string: 'c', new_string: 'd' },
        ],
      },
    ],
    [
      'apply_patch',
      { patch: '*** Begin Patch\n*** Update File: a.ts\n@@\n x\n-a\n+b\n*** End Patch' },
      'Edit',
      { file_path: '/ws/a.ts', old_string: 'x\na', new_string: 'x\nb' },
    ],
    [
      'apply_patch',
      { patch: '*** Begin Patch\n*** Delete File: /ws/a.ts\n*** End Patch' },
      'Edit',
      { file_path: '/ws/a.ts', patch: '*** Begin Patch\n*** Delete File: /ws/a.ts\n*** End Patch' },
    ],
    [
      'apply_patch',
      { patch: '*** Begin Patch\n*** Update File: /ws/a.ts\n*** Move to: /ws/lib/b.ts\n-a\n+b\n*** End Patch' },
      'Edit',
      { file_path: '/ws/a.ts', move_to: '/ws/lib/b.ts', patch: '*** Begin Patch\n*** Update File: /ws/a.ts\n*** Move to: /ws/lib/b.ts\n-a\n+b\n*** End Patch' },
    ],
    ['apply_patch', { patch: '*** Begin Patch\n*** Add File: a.ts\n+one\n+two\n*** End Patch' }, 'Write', { file_path: '/ws/a.ts', content: 'one\ntwo\n' }],
    ['grep', { pattern: 'x', path: 'src', '-w': true }, 'Grep', { pattern: 'x', path: '/ws/src', '-w': true }],
    ['glob', { pattern: '*.ts' }, 'Glob', { pattern: '*.ts' }],
    ['list', {}, 'LS', { path: '/ws' }],
    ['fetch', { url: 'https://a.example' }, 'WebFetch', { url: 'https://a.example' }],
    ['web_search', { query: 'q' }, 'WebSearch', { query: 'q' }],
    ['todo', { todos: [{ text: 'a', status: 'done' }] }, 'TodoWrite', { todos: [{ content: 'a', status: 'completed', activeForm: 'a' }] }],
    [
      'ask',
      { question: 'q', choices: ['a', 'b'], multiple: true },
      'AskUserQuestion',
      {
        questions: [
          {
            question: 'q',
            header: '',
            options: [
              { label: 'a', description: '' },
              { label: 'b', description: '' },
            ],
            multiSelect: true,
          },
        ],
      },
    ],
    ['jobs', { action: 'output', id: 'job-1' }, 'BashOutput', { bash_id: 'job-1' }],
    ['jobs', { action: 'kill', id: 'job-1' }, 'KillShell', { shell_id: 'job-1' }],
    ['mcp__db__query', { sql: 'x' }, 'mcp__db__query', { sql: 'x' }],
    ['call_tool', { name: 'mcp__db__query', arguments: { sql: 'x' } }, 'mcp__db__query', { sql: 'x' }],
  ])('H-32: %s %j', (name, input, theirs, expected) => {
    expect(claude(name, input)).toEqual({ name: theirs, input: expected });
    // What a hook gives back unchanged does the same.
    const back = toGnomon(expected, { name, input }, 'claude') as Record<string, unknown>;
    expect(claude(name, back)).toEqual({ name: theirs, input: expected });
  });

  it('H-32: what only Gnomon has stays when a hook writes the arguments anew, and the folder of a command with it', () => {
    expect(toGnomon({ command: 'ls -a' }, { name: 'bash', input: { command: 'ls', cwd: 'sub', unsandboxed: true } }, 'claude')).toEqual({
      command: 'ls -a',
      cwd: 'sub',
    });
    expect(toGnomon({ sql: 'y' }, { name: 'call_tool', input: { name: 'mcp__db__query', arguments: { sql: 'x' } } }, 'claude')).toEqual({
      name: 'mcp__db__query',
      arguments: { sql: 'y' },
    });
    expect(toGnomon('nonsense', { name: 'bash', input: { command: 'ls' } }, 'claude')).toBe('nonsense');
  });

  it('H-32: a patch that moves a file is told with both paths, also where it has relative ones', () => {
    const patch = '*** Begin Patch\n*** Update File: a.ts\n*** Move to: lib/b.ts\n*** End Patch';
    expect(toForeign({ name: 'apply_patch', input: { patch } }, 'claude', '/ws').input).toEqual({ file_path: '/ws/a.ts', move_to: '/ws/lib/b.ts', patch });
  });

  it('H-32: a hook can delete or move another file than a patch does', () => {
    const call = (patch: string): { name: string; input: unknown } => ({ name: 'apply_patch', input: { patch } });
    const deletion = '*** Begin Patch\n*** Delete File: a.ts\n*** End Patch';
    expect(toGnomon({ file_path: '/ws/c.ts', patch: deletion }, call(deletion), 'claude')).toEqual({ patch: deletion.replace('a.ts', '/ws/c.ts') });
    const move = '*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n-a\n+b\n*** End Patch';
    expect(toGnomon({ file_path: '/ws/c.ts', move_to: '/ws/d.ts', patch: move }, call(move), 'claude')).toEqual({
      patch: move.replace('a.ts', '/ws/c.ts').replace('b.ts', '/ws/d.ts'),
    });
    expect(toGnomon({ file_path: 'c\n*** Delete File: d', patch: deletion }, call(deletion), 'claude')).toEqual({
      file_path: 'c\n*** Delete File: d',
      patch: deletion,
    });
  });

  it('H-32: malformed arguments harm nothing', () => {
    for (const tool of ['edit', 'todo', 'ask', 'jobs', 'apply_patch', 'list']) {
      for (const input of [null, 'x', 3, [], {}, { edits: 3, todos: [4], choices: 'x', patch: 7 }, { edits: [null] }])
        expect(() => toGnomon(toForeign({ name: tool, input }, 'claude', '/ws').input, { name: tool, input }, 'claude')).not.toThrow();
    }
  });
});

describe('the dialects of other programs', () => {
  it('H-32: have their own names of tools and fields', () => {
    const edit = { name: 'edit', input: { file_path: 'a.ts', edits: [{ old_string: 'a', new_string: 'b' }] } };
    expect(toForeign(edit, 'vscode', '/ws')).toEqual({ name: 'replace_string_in_file', input: { filePath: '/ws/a.ts', oldString: 'a', newString: 'b' } });
    expect(toGnomon({ filePath: '/ws/a.ts', oldString: 'a', newString: 'c' }, edit, 'vscode')).toEqual({
      file_path: '/ws/a.ts',
      edits: [{ old_string: 'a', new_string: 'c' }],
    });
    expect(toForeign(edit, 'copilot-cli', '/ws')).toEqual({ name: 'edit', input: { path: '/ws/a.ts', old_str: 'a', new_str: 'b' } });
    expect(toForeign(edit, 'cursor', '/ws')).toMatchObject({ name: 'Write' });
    const several = {
      name: 'edit',
      input: {
        file_path: 'a.ts',
        edits: [
          { old_string: 'a', new_string: 'b' },
          { old_string: 'c', new_string: 'd' },
        ],
      },
    };
    const told = toForeign(several, 'vscode', '/ws');
    expect(told).toEqual({
      name: 'multi_replace_string_in_file',
      input: {
        replacements: [
          { filePath: '/ws/a.ts', oldString: 'a', newString: 'b' },
          { filePath: '/ws/a.ts', oldString: 'c', newString: 'd' },
        ],
      },
    });
    expect(toGnomon(told.input, several, 'vscode')).toEqual({ file_path: '/ws/a.ts', edits: several.input.edits });
    expect(namesOf({ name: 'mcp__db__query', input: {} }, 'cursor')).toEqual(['mcp__db__query', 'MCP:query']);
  });

  it('H-32: get what their hooks read', () => {
    const context = { session_id: 's', transcript_path: '/s', cwd: '/ws', permission_mode: 'default' as const };
    const event = { hook_event_name: 'PreToolUse' as const, tool_name: 'bash', tool_input: { command: 'ls' }, tool_use_id: '1' };
    const read = (dialect: 'cursor' | 'copilot', foreignEvent?: string): unknown =>
      JSON.parse(inputText({ dialect, ...(foreignEvent === undefined ? {} : { foreignEvent }) }, event, context, 0));
    expect(read('cursor', 'beforeShellExecution')).toMatchObject({
      hook_event_name: 'beforeShellExecution',
      command: 'ls',
      cwd: '/ws',
      workspace_roots: ['/ws'],
    });
    expect(read('copilot', 'preToolUse')).toMatchObject({ toolName: 'bash', toolArgs: '{"command":"ls"}', timestamp: 0 });
    expect(read('copilot')).toMatchObject({ hookEventName: 'PreToolUse', tool_name: 'run_in_terminal', sessionId: 's' });
  });
});
