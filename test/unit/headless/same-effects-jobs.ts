import type { PermissionMode } from '../../../src/domain/tool/permission.js';
import { reply, type StreamReply } from '../../support/model-server/index.js';

/** Work that a model does by a script, and what has to come of it. */
export interface Job {
  /** Files that are there, by their paths in the folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** What the model answers, one request after the other. */
  readonly answers: readonly StreamReply[];
  readonly mode?: PermissionMode;
  /** What the user answers when asked. Default: allow. */
  readonly answer?: 'deny';
  /** Whether the user stops the turn when the file `begun` is there. */
  readonly stops?: true;
  /** What is said after the session was ended and opened again. */
  readonly then?: string;
  /** How often the user is asked. */
  readonly asked: number;
  /** The files of the folder afterwards; absent for those that were there. */
  readonly after?: Readonly<Record<string, string>>;
  /** What the model is told of its calls. */
  readonly told: RegExp;
}

const DONE = reply().text('Done.');
const call = (tool: string, input: object): StreamReply => reply().toolCall(tool, input);
const bash = (command: string): StreamReply => call('bash', { command });
const patch = (...lines: readonly string[]): StreamReply => call('apply_patch', { patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });
const A = { 'a.txt': 'one\ntwo\n' };
/** A notebook with one cell. */
function cell(source: string): string {
  const code = { cell_type: 'code', execution_count: null, id: 'c1', metadata: {}, outputs: [], source: [source] };
  return `${JSON.stringify({ cells: [code], metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, 1)}\n`;
}

/** The user’s own settings for all jobs. */
export const SETTINGS = {
  permissions: { allow: ['Bash(touch by-rule.txt)'], deny: ['Bash(touch denied.txt)'] },
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: hookScript() }] }] },
};

/** Denies commands with one word in them, and makes another one of those with another. */
function hookScript(): string {
  const says = (more: object): string => JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...more } });
  const denies = says({ permissionDecision: 'deny', permissionDecisionReason: 'A hook says no.' });
  const rewrites = says({ updatedInput: { command: 'touch rewritten.txt' } });
  return `case "$(cat)" in *by-hook*) echo '${denies}' ;; *to-rewrite*) echo '${rewrites}' ;; esac`;
}

export const JOBS: Readonly<Record<string, Job>> = {
  'reads a file, and edits it': {
    files: A,
    answers: [call('read', { file_path: 'a.txt' }), call('edit', { file_path: 'a.txt', old_string: 'two', new_string: 'TWO' }), DONE],
    asked: 1,
    after: { 'a.txt': 'one\nTWO\n' },
    told: /a\.txt/,
  },
  'creates a file in a folder that is not there': {
    answers: [call('write', { file_path: 'src/made.txt', content: 'made\n' }), DONE],
    asked: 1,
    after: { 'src/made.txt': 'made\n' },
    told: /made\.txt/,
  },
  'deletes a file': { files: A, answers: [call('read', { file_path: 'a.txt' }), patch('*** Delete File: a.txt'), DONE], asked: 1, after: {}, told: /deleted/i },
  'moves a file, where edits need no question': {
    files: A,
    answers: [call('read', { file_path: 'a.txt' }), patch('*** Update File: a.txt', '*** Move to: b.txt', '@@', ' one', '-two', '+2'), DONE],
    mode: 'acceptEdits',
    asked: 0,
    after: { 'b.txt': 'one\n2\n' },
    told: /b\.txt/,
  },
  'runs a command that the user allows': { answers: [bash('touch made.txt; echo so'), DONE], asked: 1, after: { 'made.txt': '' }, told: /so/ },
  'does not run a command that the user denies': { answers: [bash('touch made.txt'), DONE], answer: 'deny', asked: 1, told: /denied/i },
  'runs without a question what only prints, and what a rule allows': {
    answers: [bash('echo two'), bash('touch by-rule.txt'), DONE],
    asked: 0,
    after: { 'by-rule.txt': '' },
    told: /two/,
  },
  'does not run what a rule or a hook denies': {
    answers: [bash('touch denied.txt'), bash('touch by-hook.txt'), DONE],
    asked: 0,
    told: /deny rule[^]*A hook says no\./,
  },
  'is told of tools that fail, that there are not, and of arguments that are wrong': {
    answers: [call('read', { file_path: 'none.txt' }), bash('exit 3'), call('nonsense', {}), call('read', { file: 1 }), DONE],
    asked: 0,
    told: /none\.txt[^]*exit code 3[^]*nonsense/,
  },
  'asks for a protected path, also where edits need no question': {
    answers: [call('write', { file_path: '.vscode/settings.json', content: '{}\n' }), DONE],
    mode: 'acceptEdits',
    answer: 'deny',
    asked: 1,
    told: /denied/i,
  },
  'asks for a file with secrets': {
    files: { '.env': 'PASSWORD=CANARY\n' },
    answers: [call('read', { file_path: '.env' }), DONE],
    answer: 'deny',
    asked: 1,
    told: /^(?!.*CANARY)[^]*denied/i,
  },
  'changes nothing where it plans': {
    answers: [call('write', { file_path: 'made.txt', content: '' }), bash('touch made.txt'), DONE],
    mode: 'plan',
    asked: 0,
    told: /plan/i,
  },
  'runs what a hook makes of a command': { answers: [bash('touch to-rewrite.txt'), DONE], asked: 1, after: { 'rewritten.txt': '' }, told: /rewritten/ },
  'goes on with an answer that was cut': { answers: [reply().text('One, ').stop('max_tokens'), reply().text('two.')], asked: 0, told: /^$/ },
  'is stopped in a command': { answers: [bash('touch begun; sleep 30; touch ended'), DONE], stops: true, asked: 1, after: { begun: '' }, told: /^$/ },
  'makes several calls at once': {
    files: { ...A, 'b.txt': 'three\n' },
    answers: [
      reply()
        .toolCall('read', { file_path: 'a.txt' })
        .toolCall('read', { file_path: 'b.txt' })
        .toolCall('write', { file_path: 'c.txt', content: 'four\n' })
        .toolCall('bash', { command: 'echo five' }),
      DONE,
    ],
    asked: 1,
    after: { ...A, 'b.txt': 'three\n', 'c.txt': 'four\n' },
    told: /two[^]*three[^]*five/,
  },
  'edits a cell of a notebook': {
    files: { 'n.ipynb': cell('x = 1') },
    answers: [call('read', { file_path: 'n.ipynb' }), call('edit', { file_path: 'n.ipynb', old_string: 'x = 1', new_string: 'x = 2' }), DONE],
    asked: 1,
    after: { 'n.ipynb': cell('x = 2') },
    told: /x = 1/,
  },
  'does not fetch a page that the user denies': { answers: [call('fetch', { url: 'https://example.com/' }), DONE], answer: 'deny', asked: 1, told: /denied/i },
  'keeps a list of what is to do': {
    answers: [call('todo', { todos: [{ text: 'Look', status: 'in_progress' }] }), call('todo', { todos: [{ text: 'Look', status: 'done' }] }), DONE],
    asked: 0,
    told: /./,
  },
  'goes on in a session that was ended': {
    files: A,
    answers: [call('read', { file_path: 'a.txt' }), DONE, call('edit', { file_path: 'a.txt', old_string: 'one', new_string: 'ONE' }), DONE],
    then: 'And now?',
    asked: 1,
    after: { 'a.txt': 'ONE\ntwo\n' },
    told: /two/,
  },
};
