import { THINKING_EFFORTS } from '../domain/model/effort.js';
import { PERMISSION_MODES } from '../domain/tool/permission.js';

/** How what the program says is written: sentences, one JSON object at the end, or one object a line. */
export const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
/** Where sessions can be kept. */
export const STORAGES = ['own', 'vscode'] as const;

/**
 * A flag. Names and meanings are those of Claude Code where it has the same (code.claude.com/docs, “CLI reference”), so that scripts and Agent
 * SDKs can use either.
 */
export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** Other spellings. */
  readonly also?: readonly string[];
  /** What stands for its value in the help; absent for a switch. */
  readonly value?: string;
  /** Whether it may be given more than once. */
  readonly many?: true;
  /** Whether a word behind its value is another value, and no part of the prompt. */
  readonly continues?: (word: string) => boolean;
  /** What it does, for the help; absent for one that the Agent SDKs give and users need not know. */
  readonly help?: string;
}

/** Says where sessions are. */
export const STORAGE_FLAG: Flag = { name: 'session-storage', value: 'PLACE', help: 'own (default), or vscode: where the chats of this folder are in VS Code' };

/** Whether a word is a file with servers or JSON of them: a prompt has spaces, and begins with no brace. */
function isListOfServers(word: string): boolean {
  return /^\s*\{/.test(word) || /^\S+\.json$/.test(word);
}

/** The flags that Gnomon follows. */
export const FLAGS: readonly Flag[] = [
  { name: 'print', short: 'p', help: 'Run the prompt and exit. This is what happens without it, too.' },
  { name: 'output-format', value: 'FORMAT', help: 'text (default), json (one object at the end), or stream-json (one object a line)' },
  { name: 'input-format', value: 'FORMAT', help: 'text (default), or stream-json (the protocol of the Agent SDKs)' },
  { name: 'model', value: 'MODEL', help: 'provider/model, such as anthropic/claude-sonnet-5-5 or demo/demo' },
  { name: 'effort', value: 'EFFORT', help: `How much the model thinks: ${THINKING_EFFORTS.join(', ')}` },
  { name: 'permission-mode', value: 'MODE', help: `What may be done without a question: ${PERMISSION_MODES.join(', ')}` },
  { name: 'allowedTools', also: ['allowed-tools'], value: 'RULES', many: true, help: 'Rules of what needs no question, such as "Bash(npm test:*),Edit"' },
  { name: 'disallowedTools', also: ['disallowed-tools'], value: 'RULES', many: true, help: 'Rules of what is denied' },
  { name: 'tools', value: 'NAMES', many: true, help: 'The only tools that there are; "" for none, "default" for all' },
  { name: 'max-turns', value: 'N', help: 'Requests to the model for one message at most' },
  { name: 'max-budget-usd', value: 'USD', help: 'Ends the run before the request that would cost more; the first one is always sent' },
  { name: 'add-dir', value: 'PATH', many: true, help: 'Another folder to work in' },
  { name: 'continue', short: 'c', help: 'Go on with the newest session of this folder' },
  { name: 'resume', short: 'r', value: 'ID', help: 'Go on with a session, named by its id or the beginning of it' },
  { name: 'take-over', help: 'Have the window release the session that is gone on with, if one has it open' },
  { name: 'fork-session', help: 'Leave the session that is gone on with as it is, and go on in a copy' },
  { name: 'session-id', value: 'ID', help: 'The id of a new session' },
  { name: 'no-session-persistence', help: 'Do not store the session' },
  STORAGE_FLAG,
  { name: 'json-schema', value: 'SCHEMA', help: 'JSON Schema of the answer, which is in structured_output then' },
  { name: 'agent', value: 'NAME', help: 'The agent that works (default: that of the session that is gone on with; none for none)' },
  { name: 'system-prompt', value: 'TEXT', help: 'Takes the place of the system prompt' },
  { name: 'append-system-prompt', value: 'TEXT', help: 'Is added to the system prompt' },
  { name: 'settings', value: 'FILE', help: 'A settings file, or JSON: counts before those of the project and yours' },
  { name: 'setting-sources', value: 'LIST', help: 'Layers that files are read of: user,project,local (default: all; "" for none)' },
  { name: 'mcp-config', value: 'FILES', many: true, continues: isListOfServers, help: 'Files with MCP servers, or JSON, as in .mcp.json' },
  { name: 'strict-mcp-config', help: 'Start no other servers than those of --mcp-config' },
  {
    name: 'trust-project',
    help: 'Use what the folder brings, and those of --add-dir: hooks, servers, allow rules, instructions. Only for code that you trust',
  },
  { name: 'dangerously-skip-permissions', help: 'The same as --permission-mode bypassPermissions; only in a container or virtual machine' },
  { name: 'allow-dangerously-skip-permissions', help: 'Lets the program that drives this one change to that mode later' },
  { name: 'include-partial-messages', help: 'With stream-json: report answers while they come' },
  { name: 'help', short: 'h', help: 'Show this' },
  { name: 'version', short: 'v', help: 'Show the version' },
  { name: 'max-thinking-tokens', value: 'N' },
  { name: 'thinking', value: 'KIND' },
  { name: 'verbose' },
  { name: 'await-initialize' },
  { name: 'permission-prompts', value: 'WHO' },
  { name: 'replay-user-messages' },
  { name: 'permission-prompt-tool', value: 'NAME' },
];

/** A flag that has no effect, with the reason, for users. */
export interface NeutralFlag extends Flag {
  readonly why: string;
}

/**
 * Flags of Claude Code that Gnomon has no use for, and that neither restrict nor loosen what may be done: they are ignored with a warning.
 * Any other that is not known is refused, as it could be one that restricts.
 */
export const NEUTRAL: readonly NeutralFlag[] = [
  { name: 'betas', value: '', why: 'what a model can do is asked for without them' },
  { name: 'debug', value: '', why: 'standard error has what matters' },
  { name: 'debug-file', value: '', why: 'standard error has what matters' },
  { name: 'fallback-model', value: '', why: 'a request that fails is made again with the same model' },
  { name: 'include-hook-events', why: 'hooks are not reported while they run' },
  { name: 'thinking-display', value: '', why: 'thinking is shown as a summary' },
  { name: 'ide', why: 'it is part of VS Code, or runs without an editor' },
];

/** Variables by which Agent SDKs give options that have no effect, with the reason. */
export const NEUTRAL_VARIABLES: Readonly<Record<string, string>> = { CLAUDE_CODE_QUESTION_PREVIEW_FORMAT: 'questions have no previews' };

/** Flags whose value can be left out: only what follows a `=` is one, as the next word may be another flag. */
export const ANY_VALUE: readonly string[] = ['debug'];

/** The lines of the help about some flags. */
export function flagLines(flags: readonly Flag[]): readonly string[] {
  return flags.flatMap(({ name, short, value, help }) => {
    if (help === undefined) return [];
    const names = `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
    return [names.length < 32 ? `  ${names.padEnd(32)}${help}` : `  ${names}\n${' '.repeat(34)}${help}`];
  });
}

/** The help, in lines of at most 100 characters. */
export function helpText(program: string): string {
  return [
    `Usage: ${program} [OPTION …] [-p] PROMPT`,
    `       ${program} acp [OPTION …]`,
    `       ${program} mcp serve [OPTION …]`,
    `       ${program} sessions [list | show ID | rename ID TITLE | fork ID | export ID | delete ID | restore ID]`,
    '',
    'Gnomon works on the folder it is started in. What stands in a pipe goes with the prompt.',
    'With acp, it is an agent of the Agent Client Protocol for editors, over standard input and output.',
    'With mcp serve, it is a server of the Model Context Protocol: other programs use its tools.',
    '',
    ...flagLines(FLAGS),
    '',
    'Exit codes: 0 done, 1 it failed or was stopped, 2 the command line is wrong, 130 interrupted, 143 terminated.',
    '',
  ].join('\n');
}
