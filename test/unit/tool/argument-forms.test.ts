import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ToolInputError } from '../../../src/domain/errors.js';
import { findTool } from '../../../src/engine/tool-call/find-tool.js';
import { parseArguments } from '../../../src/engine/tool-call/arguments.js';
import { allTools } from '../../support/all-tools.js';
import { toolContext } from '../../support/memory-workspace/index.js';
import { settledPlan } from '../../support/settled-plan.js';
import { runs } from '../../support/runs.js';

/** What a call is planned as: the tool and its arguments, or what its refusal says. */
type Outcome = readonly [tool: string, args: object] | RegExp;
/** A call as a model writes it: the name, the raw arguments, what must come of it. */
type Row = readonly [name: string, raw: string | object, outcome: Outcome];

const FILES = { '/ws/a.ts': 'one\ntwo\nthree\n', '/ws/b.ts': 'x\nx\n', '/ws/src/c.ts': 'c\n', '/ws/read.txt': 'r\n' };
const STEPS = [
  { text: 'Read', status: 'done' },
  { text: 'Write', status: 'in_progress' },
  { text: 'Test', status: 'pending' },
];
const ONE_EDIT = { file_path: 'a.ts', edits: [{ old_string: 'two', new_string: '2' }] };

/** The forms that the tools were once tried with: nearly all of them were refused then. */
const HABITS: readonly Row[] = [
  ['grep', { pattern: 'x', '-n': true }, ['grep', { pattern: 'x' }]],
  ['grep', { pattern: 'x', path: null, glob: null }, ['grep', { pattern: 'x' }]],
  ['read', { file_path: 'a.ts', offset: null, limit: null }, ['read', { file_path: 'a.ts' }]],
  ['bash', { command: 'ls', cwd: null, timeout_ms: null, background: null }, ['bash', { command: 'ls' }]],
  ['read', { file_path: 'a.ts', limit: '10' }, ['read', { file_path: 'a.ts', limit: 10 }]],
  ['read', { file_path: 'a.ts', offset: '2' }, ['read', { file_path: 'a.ts', offset: 2 }]],
  ['read', { file_path: 'a.ts', offset: 0 }, ['read', { file_path: 'a.ts', offset: 1 }]],
  ['read', { file_path: 'a.ts', limit: 0 }, ['read', { file_path: 'a.ts' }]],
  ['read', { path: 'a.ts' }, ['read', { file_path: 'a.ts' }]],
  ['read', { filePath: 'a.ts' }, ['read', { file_path: 'a.ts' }]],
  ['write', { path: 'new.ts', content: 'x' }, ['write', { file_path: 'new.ts', content: 'x' }]],
  ['bash', { command: 'npm start', run_in_background: true }, ['bash', { command: 'npm start', background: true }]],
  ['bash', { command: 'npm test', timeout: 60_000 }, ['bash', { command: 'npm test', timeout_ms: 60_000 }]],
  ['bash', { command: 'npm test', timeout_ms: 900_000 }, ['bash', { command: 'npm test', timeout_ms: 600_000 }]],
  ['bash', { command: 'npm test', timeout_ms: '5000' }, ['bash', { command: 'npm test', timeout_ms: 5_000 }]],
  ['bash', { command: 'npm start', background: 'true' }, ['bash', { command: 'npm start', background: true }]],
  ['bash', { cmd: 'ls' }, ['bash', { command: 'ls' }]],
  ['bash', { command: ['bash', '-lc', 'npm test && ls'] }, ['bash', { command: 'npm test && ls' }]],
  ['todo', { todos: [{ content: 'Read', status: 'completed', activeForm: 'Reading' }] }, ['todo', { todos: [STEPS[0]] }]],
  ['todo', { todos: JSON.stringify(STEPS) }, ['todo', { todos: STEPS }]],
  ['fetch', { url: 'https://x.example/', prompt: 'What is it?' }, ['fetch', { url: 'https://x.example/' }]],
  ['edit', { ...ONE_EDIT.edits[0], file_path: 'a.ts', expected_replacements: 1 }, ['edit', ONE_EDIT]],
  [
    'edit',
    { file_path: 'b.ts', old_string: 'x', new_string: 'y', replace_all: 'true' },
    ['edit', { file_path: 'b.ts', edits: [{ old_string: 'x', new_string: 'y', replace_all: true }] }],
  ],
  ['edit', { file_path: 'new.ts', old_string: '', new_string: 'x\n' }, ['edit', { file_path: 'new.ts', edits: [{ old_string: '', new_string: 'x\n' }] }]],
  ['edit', { path: 'a.ts', old_str: 'two', new_str: '2' }, ['edit', ONE_EDIT]],
  ['edit', { file_path: 'a.ts', ...ONE_EDIT.edits[0] }, ['edit', ONE_EDIT]],
  ['edit', { file_path: 'a.ts', edits: JSON.stringify(ONE_EDIT.edits) }, ['edit', ONE_EDIT]],
  ['edit', { file_path: 'a.ts', edits: ONE_EDIT.edits[0] }, ['edit', ONE_EDIT]],
  ['write', { file_path: 'new.ts', content: 'x', overwrite: true }, ['write', { file_path: 'new.ts', content: 'x' }]],
  ['glob', { pattern: '*.ts', path: '' }, ['glob', { pattern: '*.ts' }]],
  ['jobs', { action: 'output', id: 1 }, ['jobs', { action: 'output', id: 'job-1' }]],
  ['read', JSON.stringify(JSON.stringify({ file_path: 'a.ts' })), ['read', { file_path: 'a.ts' }]],
  ['read', '```json\n{"file_path": "a.ts"}\n```', ['read', { file_path: 'a.ts' }]],
  ['Read', { file_path: 'a.ts' }, ['read', { file_path: 'a.ts' }]],
  [' read ', { file_path: 'a.ts' }, ['read', { file_path: 'a.ts' }]],
  ['ask', { question: 'What for?' }, ['ask', { question: 'What for?' }]],
  ['grep', { pattern: 'x', '-i': 'true', head_limit: '20' }, ['grep', { pattern: 'x', '-i': true, head_limit: 20 }]],
  ['bash', { command: 'ls', explanation: 'To see what is there.' }, ['bash', { command: 'ls' }]],
  ['read', { file_path: 'src' }, ['read', { file_path: 'src' }]],
];

/** Calls by the schemas of other harnesses, in their words: what models were trained with or remember. */
const HARNESSES: Readonly<Record<string, readonly Row[]>> = {
  'Claude Code': [
    ['Read', { file_path: '/ws/a.ts', offset: 2, limit: 1, pages: '' }, ['read', { file_path: '/ws/a.ts', offset: 2, limit: 1 }]],
    [
      'Bash',
      { command: 'npm test', description: 'Run tests', timeout: 120_000, run_in_background: false, dangerouslyDisableSandbox: false },
      ['bash', { command: 'npm test', description: 'Run tests', timeout_ms: 120_000, background: false, unsandboxed: false }],
    ],
    ['Bash', { command: 'npm i', dangerouslyDisableSandbox: true }, ['bash', { command: 'npm i', unsandboxed: true }]],
    [
      'Grep',
      { pattern: 'x', path: 'src', glob: '*.ts', output_mode: 'content', '-n': true, '-C': 3, head_limit: 0 },
      ['grep', { pattern: 'x', path: 'src', glob: '*.ts', output_mode: 'content', '-C': 3, head_limit: 1_000 }],
    ],
    ['Grep', { pattern: 'x', context: 80 }, ['grep', { pattern: 'x', '-C': 50 }]],
    ['Glob', { pattern: '**/*.ts', path: '/ws' }, ['glob', { pattern: '**/*.ts', path: '/ws' }]],
    ['LS', { path: '/ws/src', ignore: ['node_modules'] }, ['list', { path: '/ws/src' }]],
    [
      'Edit',
      { file_path: 'a.ts', old_string: 'two', new_string: '2', replace_all: false },
      ['edit', { file_path: 'a.ts', edits: [{ old_string: 'two', new_string: '2', replace_all: false }] }],
    ],
    ['MultiEdit', ONE_EDIT, ['edit', ONE_EDIT]],
    ['Write', { file_path: 'new.ts', content: '' }, ['write', { file_path: 'new.ts', content: '' }]],
    [
      'TodoWrite',
      {
        todos: [
          { content: 'Read', status: 'completed', activeForm: 'Reading', id: '1', priority: 'high' },
          { content: 'Write', status: 'in_progress', activeForm: 'Writing' },
          { content: 'Test', status: 'pending', activeForm: 'Testing' },
        ],
      },
      ['todo', { todos: STEPS }],
    ],
    ['WebFetch', { url: 'https://x.example/', prompt: 'Summarize' }, ['fetch', { url: 'https://x.example/' }]],
    ['BashOutput', { bash_id: 'job-2', filter: 'error' }, ['jobs', { id: 'job-2', action: 'output' }]],
    [
      'AskUserQuestion',
      {
        questions: [
          {
            question: 'Which?',
            header: 'DB',
            options: [
              { label: 'A', description: 'a' },
              { label: 'B', description: 'b' },
            ],
            multiSelect: false,
          },
        ],
      },
      ['ask', { question: 'Which?', choices: ['A', 'B'], multiple: false }],
    ],
    ['AskUserQuestion', { questions: [{ question: 'Which?' }, { question: 'Why?' }] }, /one question at a time/],
    ['KillShell', { shell_id: 'job-1' }, /no tool/],
  ],
  Codex: [
    [
      'shell',
      { command: ['bash', '-lc', 'rg x | head'], workdir: '/ws/src', timeout_ms: 10_000 },
      ['bash', { command: 'rg x | head', cwd: '/ws/src', timeout_ms: 10_000 }],
    ],
    ['shell', { command: ['git', 'commit', '-m', "It's done"] }, ['bash', { command: "git commit -m 'It'\\''s done'" }]],
    ['shell', { command: ['ls', '-la', '$HOME; rm x'] }, ['bash', { command: "ls -la '$HOME; rm x'" }]],
    ['container.exec', { cmd: ['/bin/bash', '-lc', 'ls'] }, ['bash', { command: 'ls' }]],
    [
      'exec_command',
      { cmd: 'ls', workdir: 'src', yield_time_ms: 1_000, max_output_tokens: 500, tty: false, login: true },
      ['bash', { command: 'ls', cwd: 'src' }],
    ],
    ['exec_command', { cmd: 'vim', tty: true }, /unknown: tty; the fields are command/],
    [
      'shell_command',
      { command: 'npm i', sandbox_permissions: 'require_escalated', justification: 'It needs the network.', prefix_rule: ['npm'] },
      ['bash', { command: 'npm i', unsandboxed: true }],
    ],
    ['shell', { command: ['ls'], with_escalated_permissions: true, justification: 'x' }, ['bash', { command: 'ls', unsandboxed: true }]],
    [
      'update_plan',
      {
        explanation: 'Next',
        plan: [
          { step: 'Read', status: 'completed' },
          { step: 'Write', status: 'in_progress' },
          { step: 'Test', status: 'pending' },
        ],
      },
      ['todo', { todos: STEPS }],
    ],
    ['list_dir', { dir_path: '/ws/src', offset: 1, limit: 25, depth: 1 }, ['list', { path: '/ws/src', offset: 1 }]],
    ['list_dir', { dir_path: '/ws', depth: 2 }, /unknown: depth; the fields are path, offset/],
    ['grep_files', { pattern: 'x', include: '*.rs', path: 'src', limit: 100 }, ['grep', { pattern: 'x', glob: '*.rs', path: 'src', head_limit: 100 }]],
    [
      'apply_patch',
      { input: '*** Begin Patch\n*** Update File: a.ts\n-two\n+2\n*** End Patch' },
      ['apply_patch', { patch: '*** Begin Patch\n*** Update File: a.ts\n-two\n+2\n*** End Patch' }],
    ],
    ['functions.apply_patch', { input: '*** Begin Patch' }, /names no file/],
    ['functions.read', { file_path: 'a.ts' }, ['read', { file_path: 'a.ts' }]],
  ],
  Cursor: [
    [
      'read_file',
      { target_file: 'a.ts', should_read_entire_file: false, start_line_one_indexed: 1, end_line_one_indexed_inclusive: 2, explanation: 'x' },
      ['read', { file_path: 'a.ts', offset: 1, limit: 2 }],
    ],
    [
      'read_file',
      { target_file: 'a.ts', should_read_entire_file: true, start_line_one_indexed: 1, end_line_one_indexed_inclusive: 2 },
      ['read', { file_path: 'a.ts' }],
    ],
    [
      'run_terminal_cmd',
      { command: 'npm test', is_background: false, require_user_approval: true, explanation: 'x' },
      ['bash', { command: 'npm test', background: false }],
    ],
    [
      'Shell',
      { command: 'npm start', working_directory: 'src', block_until_ms: 0, description: 'Start' },
      ['bash', { command: 'npm start', cwd: 'src', description: 'Start', background: true }],
    ],
    [
      'grep_search',
      { query: 'x', case_sensitive: false, include_pattern: '*.ts', exclude_pattern: '*.d.ts', explanation: 'x' },
      ['grep', { pattern: 'x', '-i': true, glob: '*.ts !*.d.ts' }],
    ],
    ['list_dir', { relative_workspace_path: 'src', explanation: 'x' }, ['list', { path: 'src' }]],
    ['search_replace', { file_path: 'a.ts', old_string: 'two', new_string: '2' }, ['edit', ONE_EDIT]],
    ['StrReplace', { path: 'a.ts', old_string: 'two', new_string: '2' }, ['edit', ONE_EDIT]],
    ['edit_file', { target_file: 'a.ts', instructions: 'x', code_edit: '// ... existing code ...' }, /unknown: code_edit; the fields are file_path, edits/],
    ['glob_file_search', { glob_pattern: '*.ts', target_directory: 'src' }, ['glob', { pattern: '*.ts', path: 'src' }]],
    [
      'todo_write',
      {
        merge: false,
        todos: [
          { id: 'a', content: 'Read', status: 'completed' },
          { id: 'b', content: 'Drop', status: 'cancelled' },
        ],
      },
      ['todo', { todos: [STEPS[0]] }],
    ],
    ['todo_write', { merge: true, todos: [{ id: 'a', content: 'Read', status: 'completed' }] }, /unknown: merge/],
    ['read_lints', { paths: ['a.ts'] }, ['diagnostics', { path: 'a.ts' }]],
    ['read_lints', { paths: ['a.ts', 'b.ts'] }, /one path/],
  ],
  'Cline and Roo Code': [
    ['read_file', { path: 'a.ts', mode: 'slice', offset: 1, limit: 2_000 }, ['read', { file_path: 'a.ts', offset: 1, limit: 2_000 }]],
    ['read_file', { path: 'a.ts', mode: 'indentation' }, /unknown: mode/],
    ['write_to_file', { path: 'new.ts', content: 'x', line_count: 1 }, ['write', { file_path: 'new.ts', content: 'x' }]],
    [
      'replace_in_file',
      { path: 'a.ts', diff: '------- SEARCH\ntwo\n=======\n2\n+++++++ REPLACE' },
      ['edit', { file_path: 'a.ts', edits: [{ old_string: 'two\n', new_string: '2\n' }] }],
    ],
    [
      'apply_diff',
      { path: 'a.ts', diff: '<<<<<<< SEARCH\n:start_line:2\n-------\ntwo\n=======\n2\n>>>>>>> REPLACE\n' },
      ['edit', { file_path: 'a.ts', edits: [{ old_string: 'two\n', new_string: '2\n' }] }],
    ],
    ['apply_diff', { path: 'a.ts', diff: '--- a.ts\n+++ a.ts\n@@ -1 +1 @@' }, /unknown: diff/],
    ['search_files', { path: 'src', regex: 'x', file_pattern: '*.ts' }, ['grep', { path: 'src', pattern: 'x', glob: '*.ts' }]],
    ['list_files', { path: 'src', recursive: false }, ['list', { path: 'src' }]],
    ['list_files', { path: 'src', recursive: true }, /unknown: recursive; the fields are path, offset/],
    ['execute_command', { command: 'npm test', requires_approval: false, timeout: 30 }, ['bash', { command: 'npm test', timeout_ms: 30_000 }]],
    ['execute_command', { command: 'npm test', cwd: 'src', timeout: null }, ['bash', { command: 'npm test', cwd: 'src' }]],
    [
      'ask_followup_question',
      {
        question: 'Which?',
        follow_up: [
          { text: 'A', mode: null },
          { text: 'B', mode: 'code' },
        ],
      },
      ['ask', { question: 'Which?', choices: ['A', 'B'] }],
    ],
    ['ask_followup_question', { question: 'Which?', options: '["A", "B"]' }, ['ask', { question: 'Which?', choices: ['A', 'B'] }]],
    ['update_todo_list', { todos: '[x] Read\n[-] Write\n[ ] Test' }, ['todo', { todos: STEPS }]],
  ],
  'Gemini CLI': [
    ['read_file', { absolute_path: '/ws/a.ts', offset: 0, limit: 10 }, ['read', { file_path: '/ws/a.ts', offset: 1, limit: 10 }]],
    ['read_file', { file_path: 'a.ts', start_line: 2, end_line: 3 }, ['read', { file_path: 'a.ts', offset: 2, limit: 2 }]],
    ['replace', { file_path: 'a.ts', instruction: 'x', old_string: 'two', new_string: '2', expected_replacements: 1 }, ['edit', ONE_EDIT]],
    [
      'replace',
      { file_path: 'b.ts', instruction: 'x', old_string: 'x', new_string: 'y', allow_multiple: true },
      ['edit', { file_path: 'b.ts', edits: [{ old_string: 'x', new_string: 'y', replace_all: true }] }],
    ],
    [
      'replace',
      { file_path: 'b.ts', old_string: 'x', new_string: 'y', expected_replacements: 2 },
      ['edit', { file_path: 'b.ts', edits: [{ old_string: 'x', new_string: 'y', expected_replacements: 2 }] }],
    ],
    [
      'run_shell_command',
      { command: 'ls', description: 'List', dir_path: 'src', is_background: false },
      ['bash', { command: 'ls', description: 'List', cwd: 'src', background: false }],
    ],
    [
      'search_file_content',
      { pattern: 'x', dir_path: 'src', include: '*.ts', fixed_strings: true, no_ignore: true, after: 2 },
      ['grep', { pattern: 'x', path: 'src', glob: '*.ts', '-F': true, no_ignore: true, '-A': 2 }],
    ],
    [
      'grep_search',
      { pattern: 'x', include_pattern: '*.ts', names_only: true, total_max_matches: 50 },
      ['grep', { pattern: 'x', glob: '*.ts', output_mode: 'files_with_matches', head_limit: 50 }],
    ],
    ['glob', { pattern: '*.ts', dir_path: 'src', case_sensitive: true, respect_git_ignore: true }, ['glob', { pattern: '*.ts', path: 'src' }]],
    ['list_directory', { dir_path: 'src', ignore: ['*.log'], file_filtering_options: { respect_git_ignore: true } }, ['list', { path: 'src' }]],
    ['web_fetch', { prompt: 'Summarize https://x.example/a.' }, ['fetch', { url: 'https://x.example/a' }]],
    ['write_todos', { todos: [{ description: 'Read', status: 'completed' }] }, ['todo', { todos: [STEPS[0]] }]],
    ['default_api.read', { file_path: 'a.ts' }, ['read', { file_path: 'a.ts' }]],
  ],
  Copilot: [
    ['read_file', { filePath: '/ws/a.ts', startLine: 1, endLine: 3 }, ['read', { file_path: '/ws/a.ts', offset: 1, limit: 3 }]],
    ['replace_string_in_file', { filePath: 'a.ts', oldString: 'two', newString: '2', explanation: 'x' }, ['edit', ONE_EDIT]],
    ['create_file', { filePath: 'new.ts', content: 'x' }, ['write', { file_path: 'new.ts', content: 'x' }]],
    [
      'run_in_terminal',
      { command: 'npm test', explanation: 'x', goal: 'x', isBackground: true, timeout: 0 },
      ['bash', { command: 'npm test', background: true }],
    ],
    ['run_in_terminal', { command: 'npm start', mode: 'async' }, ['bash', { command: 'npm start', background: true }]],
    [
      'grep_search',
      { query: 'x.y', isRegexp: false, includePattern: 'src/**', maxResults: 20, includeIgnoredFiles: true },
      ['grep', { pattern: 'x.y', '-F': true, glob: 'src/**', head_limit: 20, no_ignore: true }],
    ],
    ['list_dir', { path: '/ws/src' }, ['list', { path: '/ws/src' }]],
    ['get_errors', { filePaths: ['/ws/a.ts'] }, ['diagnostics', { path: '/ws/a.ts' }]],
    ['get_errors', {}, ['diagnostics', {}]],
    [
      'manage_todo_list',
      {
        operation: 'write',
        todoList: [
          { id: 1, title: 'Read', description: 'Read it', status: 'completed' },
          { id: 2, title: 'Write', status: 'in-progress' },
          { id: 3, title: 'Test', status: 'not-started' },
        ],
      },
      ['todo', { todos: STEPS }],
    ],
    ['fetch_webpage', { urls: ['https://x.example/'], query: 'x' }, ['fetch', { url: 'https://x.example/' }]],
    ['fetch_webpage', { urls: ['https://x.example/', 'https://y.example/'] }, /one page/],
    ['multi_replace_string_in_file', { replacements: [] }, /no tool/],
  ],
  'opencode and others': [
    ['todowrite', { todos: [{ content: 'Read', status: 'completed', priority: 'high' }] }, ['todo', { todos: [STEPS[0]] }]],
    ['bash', { command: 'ls', workdir: 'src', description: 'x', timeout: 5_000 }, ['bash', { command: 'ls', cwd: 'src', description: 'x', timeout_ms: 5_000 }]],
    ['webfetch', { url: 'https://x.example/', format: 'markdown', timeout: 30 }, ['fetch', { url: 'https://x.example/' }]],
    ['view', { path: 'a.ts', view_range: [2, 3] }, ['read', { file_path: 'a.ts', offset: 2, limit: 2 }]],
    ['view', { path: 'a.ts', view_range: [2, -1] }, ['read', { file_path: 'a.ts', offset: 2 }]],
    ['str_replace', { path: 'a.ts', old_str: 'two', new_str: '2' }, ['edit', ONE_EDIT]],
    ['edit', { file_path: 'a.ts', edits: [{ search: 'two', replace: '2', explanation: 'x' }] }, ['edit', ONE_EDIT]],
    [
      'edit',
      { file_path: 'a.ts', diff: '<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n\n<<<<<<< SEARCH\ntwo\n=======\n>>>>>>> REPLACE' },
      [
        'edit',
        {
          file_path: 'a.ts',
          edits: [
            { old_string: 'one\n', new_string: '1\n' },
            { old_string: 'two\n', new_string: '' },
          ],
        },
      ],
    ],
    ['read', { arguments: { file_path: 'a.ts' } }, ['read', { file_path: 'a.ts' }]],
    ['lsp', { operation: 'outline', filePath: 'a.ts', character: 1 }, ['symbols', { action: 'outline', path: 'a.ts' }]],
    [
      'todo',
      { todos: ['Read', 'Write'] },
      [
        'todo',
        {
          todos: [
            { text: 'Read', status: 'pending' },
            { text: 'Write', status: 'pending' },
          ],
        },
      ],
    ],
    ['jobs', { action: 'stop', job_id: 'job-1' }, ['jobs', { action: 'kill', id: 'job-1' }]],
    ['read', '\n```\n"{\\"file_path\\": \\"a.ts\\"}"\n```\n', ['read', { file_path: 'a.ts' }]],
  ],
};

/** What could mean something else is refused, with what to do. */
const REFUSED: readonly Row[] = [
  ['read', { file_path: 'a.ts', path: 'b.ts' }, /path and file_path mean the same here and hold different values/],
  ['read', { path: 'a.ts', filename: 'b.ts' }, /filename and file_path mean the same/],
  ['read', { path: 'a.ts', file_path: 'a.ts' }, ['read', { file_path: 'a.ts' }]],
  ['bash', { command: 'ls', cmd: 'rm -r x' }, /cmd and command mean the same/],
  ['bash', { command: 'ls', timeout: 5_000, timeout_ms: 6_000 }, /timeout and timeout_ms mean the same/],
  ['bash', { command: 'ls', env: { PATH: '/x' } }, /unknown: env; the fields are command, /],
  ['bash', { command: 'ls', input: 'y' }, /unknown: input/],
  ['bash', { command: ['ls', 3] }, /command: must be a string, not a list/],
  ['bash', { command: 'ls', unsandboxed: 'yes' }, /unsandboxed: must be a boolean/],
  ['write', { file_path: 'new.ts', content: 'x', append: true }, /unknown: append; the fields are file_path, content/],
  ['write', { file_path: 'new.ts', content: 'x', overwrite: false }, /unknown: overwrite/],
  ['write', { file_path: 'a.ts', content: 'x', overwrite: true }, /exists and has not been read/],
  ['write', { file_path: 'new.json', content: { a: 1 } }, /content: must be a string/],
  ['edit', { file_path: 'a.ts', old_string: '', new_string: 'x' }, /old_string must not be empty: a\.ts exists.*use write/],
  ['edit', { file_path: 'a.ts', edits: ONE_EDIT.edits, old_string: 'one', new_string: '1' }, /unknown: .*old_string/],
  ['edit', { file_path: 'a.ts', old_string: 'two', old_str: 'one', new_string: '2' }, /unknown: old_str/],
  ['edit', { file_path: 'a.ts', old_string: 'two', new_string: '2', dry_run: true }, /unknown: dry_run/],
  ['grep', { pattern: 'x', '-v': true }, /unknown: -v/],
  ['grep', { pattern: 'x', query: 'y' }, /query and pattern mean the same/],
  ['glob', { pattern: '*', max_depth: 1 }, /unknown: max_depth/],
  ['fetch', { url: 'https://x.example/', method: 'POST' }, /unknown: method/],
  ['read', { __proto__x: 1, file_path: 'a.ts' }, /unknown: __proto__x/],
  ['read', '{"__proto__": {"file_path": "a.ts"}}', /file_path: missing/],
  ['read', '[{"file_path": "a.ts"}]', ['read', { file_path: 'a.ts' }]],
  ['read', '{"file_path": "a.ts"} and then', ['read', { file_path: 'a.ts' }]],
  ['read', '```json\n{"file_path": "a.ts"', /not valid JSON/],
  ['read', '"a.ts"', /must be a JSON object/],
  ['cat', { file_path: 'a.ts' }, /no tool/],
];

async function planned(name: string, raw: string | object): Promise<readonly [string, unknown] | string> {
  const tool = findTool(allTools({ files: FILES }), name);
  if (tool === undefined) return 'no tool';
  const parsed = parseArguments(typeof raw === 'string' ? raw : JSON.stringify(raw));
  const args = parsed.ok ? parsed.value : parsed.bare;
  if (!parsed.ok && args === undefined) return parsed.problem;
  try {
    const plan = await settledPlan(tool, args, toolContext());
    return [plan.tool, plan.args];
  } catch (error) {
    return String(error);
  }
}

async function check([name, raw, outcome]: Row): Promise<void> {
  const got = await planned(name, raw);
  if (outcome instanceof RegExp) expect(got).toMatch(outcome);
  else expect(got).toEqual(outcome);
}

const titled = (rows: readonly Row[]): readonly { readonly title: string; readonly row: Row }[] =>
  rows.map((row) => ({ title: `${row[0]} ${typeof row[1] === 'string' ? row[1] : JSON.stringify(row[1])}`.slice(0, 140), row }));

describe('calls as models write them', () => {
  test('there are 39 habits and at least 60 forms of other harnesses', () => {
    expect(HABITS).toHaveLength(39);
    expect(Object.values(HARNESSES).flat().length).toBeGreaterThanOrEqual(60);
  });

  test.each(titled(HABITS))('stream-18: habit: $title', ({ row }) => check(row));
  describe.each(Object.entries(HARNESSES))('%s', (_, rows) => {
    test.each(titled(rows))('$title', ({ row }) => check(row));
  });
  test.each(titled(REFUSED))('stream-18: refused: $title', ({ row }) => check(row));
});

describe('what is judged, shown and run', () => {
  const rows = [...HABITS, ...Object.values(HARNESSES).flat()].filter((row) => !(row[2] instanceof RegExp));

  test.each(titled(rows))('the arguments of a plan make the same plan: $title', async ({ row: [name, raw] }) => {
    const [tool, args] = (await planned(name, raw)) as readonly [string, object];
    expect(await planned(tool, args)).toEqual([tool, args]);
  });

  test('stream-18: any arguments at all are planned or refused in words, and planned alike again', async () => {
    const tools = allTools({ files: FILES });
    const names = fc.constantFrom(
      'file_path',
      'path',
      'filePath',
      'command',
      'cmd',
      'pattern',
      'query',
      'old_string',
      'old_str',
      'new_string',
      'edits',
      'diff',
      'todos',
      'plan',
      'content',
      'id',
      'action',
      'timeout',
      'limit',
      'offset',
      'end_line',
      'view_range',
      'questions',
      'choices',
      'url',
      'urls',
      'paths',
      '-n',
      '-A',
      '__proto__',
      'constructor',
      'toString',
    );
    const values = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom('a.ts', 'x', '', '2', 'true', 'null', '[]', '{}', '["bash","-lc","ls"]', 'https://x.example/', -1, 0, 1e9),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...tools), fc.array(fc.tuple(names, values), { maxLength: 6 }), async (tool, entries) => {
        try {
          const { args } = await tool.plan(
            JSON.parse(`{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`),
            toolContext(),
          );
          expect((await tool.plan(args, toolContext())).args).toEqual(args);
        } catch (error) {
          expect(error).toBeInstanceOf(ToolInputError);
        }
      }),
      { numRuns: runs(1_500) },
    );
  });

  test('the accesses and the preview are those of the arguments in the plan', async () => {
    const tool = findTool(allTools({ files: FILES }), 'Shell');
    const plan = await tool?.plan({ cmd: ['bash', '-lc', 'rm x'], workdir: 'src', timeout: 5 }, toolContext());
    expect(plan).toMatchObject({
      accesses: [
        { kind: 'execute', target: 'rm x' },
        { kind: 'read', target: '/ws/src' },
      ],
      preview: { kind: 'command', command: 'rm x', cwd: '/ws/src', timeoutMs: 5_000 },
    });
  });
});

describe('what the model is told', () => {
  async function told(name: string, args: object): Promise<readonly string[]> {
    const tool = findTool(allTools({ files: FILES }), name);
    const result = await tool?.execute(await tool.plan(args, toolContext()), toolContext());
    return result?.content.map((block) => (block.type === 'text' ? block.text : '')) ?? [];
  }

  test('behind the result, one line each', async () => {
    expect(await told('read', { path: 'read.txt', limit: 0, explanation: 'x', '-q': '' })).toEqual([
      '1\tr',
      '[Arguments: path was taken as file_path.]\n[Arguments: limit 0 was left out.]\n[Arguments: explanation: there is no such field; ignored.]',
    ]);
    expect(await told('read', { file_path: 'read.txt', offset: 0 })).toEqual(['1\tr', '[Arguments: offset 0 is out of range; 1 was used.]']);
  });

  test('nothing where only the way of writing differs', async () => {
    expect(await told('grep', { pattern: 'r', path: 'read.txt', '-n': true, '-i': 'false', glob: null, type: '' })).toEqual(['read.txt\n1:r']);
  });
});
