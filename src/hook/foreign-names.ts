import { present } from '../domain/present.js';
import { isAbsolute, resolve } from 'node:path';
import type { HookEvent } from '../domain/hook/event.js';
import { namesOfServersTool } from '../domain/mcp/tool-name.js';
import type { ServersTool } from '../domain/tool/tool.js';
import { PATCH } from './foreign-patch.js';
import { JOBS, type NamedCall, QUESTIONS, TODOS, type ToolShape, edits, named, renamed } from './foreign-shapes.js';
import { type JsonObject, isObject } from './plain-json.js';

/** A program whose names of tools are known. Copilot CLI and VS Code read the same files and have different tools. */
export type ToolVocabulary = 'claude' | 'cursor' | 'copilot-cli' | 'vscode';

const EDIT = edits({ single: 'Edit', several: 'MultiEdit', path: 'file_path', before: 'old_string', after: 'new_string', all: 'replace_all', list: 'edits' });
const BASH = { timeout_ms: 'timeout', background: 'run_in_background', unsandboxed: 'dangerouslyDisableSandbox' };
const GREP_OWN = ['-w', '-F', 'no_ignore'];

/** `Agent` was `Task` before 2.1.63, by which files still name it. */
const AGENT = { ...renamed('Agent', { agent_type: 'subagent_type' }), names: ['Agent', 'Task'] };

/** Source: code.claude.com/docs/en/tools-reference, and the inputs of `@anthropic-ai/claude-agent-sdk` 0.3. */
const CLAUDE: Readonly<Record<string, ToolShape>> = {
  bash: renamed('Bash', BASH, ['cwd']),
  read: renamed('Read'),
  write: renamed('Write'),
  edit: EDIT,
  apply_patch: PATCH,
  grep: renamed('Grep', {}, GREP_OWN),
  glob: renamed('Glob'),
  list: renamed('LS', {}, ['offset']),
  fetch: renamed('WebFetch', {}, ['offset']),
  web_search: renamed('WebSearch'),
  todo: TODOS,
  ask: QUESTIONS,
  jobs: JOBS,
  agent: AGENT,
};

/** Source: cursor.com/docs/agent/hooks, `preToolUse`. All changes of files are `Write` there. */
const CURSOR: Readonly<Record<string, ToolShape>> = {
  ...CLAUDE,
  bash: renamed('Shell', { cwd: 'working_directory', timeout_ms: 'timeout' }, ['background', 'unsandboxed']),
  edit: named('Write', EDIT),
  apply_patch: named('Write', PATCH),
};

/** Source: docs.github.com, Copilot CLI hooks reference, `toolName` and `toolArgs` of Copilot CLI 1.0. */
const COPILOT_CLI: Readonly<Record<string, ToolShape>> = {
  ...CLAUDE,
  bash: renamed('bash', {}, ['cwd', 'timeout_ms', 'background', 'unsandboxed']),
  read: renamed('view', { file_path: 'path' }, ['offset', 'limit']),
  write: renamed('create', { file_path: 'path', content: 'file_text' }),
  edit: edits({ single: 'edit', several: 'edit', path: 'path', before: 'old_str', after: 'new_str', all: 'replace_all', list: 'edits' }),
  apply_patch: renamed('apply_patch', { patch: 'input' }),
  grep: renamed('grep', {}, GREP_OWN),
  glob: renamed('glob'),
  list: renamed('view', {}, ['offset']),
  fetch: renamed('web_fetch', {}, ['offset']),
  web_search: renamed('web_search'),
};

/** Source: code.visualstudio.com/docs/copilot/customization/hooks, and the tools in `package.json` of microsoft/vscode-copilot-chat. */
const VSCODE: Readonly<Record<string, ToolShape>> = {
  ...CLAUDE,
  bash: renamed('run_in_terminal', { description: 'explanation', background: 'isBackground' }, ['cwd', 'timeout_ms', 'unsandboxed']),
  read: renamed('read_file', { file_path: 'filePath' }),
  write: renamed('create_file', { file_path: 'filePath' }),
  edit: edits({
    single: 'replace_string_in_file',
    several: 'multi_replace_string_in_file',
    path: 'filePath',
    before: 'oldString',
    after: 'newString',
    all: 'replaceAll',
    list: 'replacements',
    pathInEach: true,
  }),
  apply_patch: renamed('apply_patch', { patch: 'input' }),
  grep: renamed('grep_search', { pattern: 'query', glob: 'includePattern' }, GREP_OWN),
  glob: renamed('file_search', { pattern: 'query' }),
  list: renamed('list_dir', {}, ['offset']),
  web_search: renamed('web_search'),
};

const VOCABULARIES: Readonly<Record<ToolVocabulary, Readonly<Record<string, ToolShape>>>> = {
  claude: CLAUDE,
  cursor: CURSOR,
  'copilot-cli': COPILOT_CLI,
  vscode: VSCODE,
};

/** Fields that are paths in the tools for files. Hooks compare them with the folder of the workspace, so they get them absolute. */
const PATHS: Readonly<Record<string, string>> = { read: 'file_path', write: 'file_path', edit: 'file_path', grep: 'path', glob: 'path', list: 'path' };
/** The tool that calls deferred tools (src/mcp/tools/meta-tools.ts). Hooks get the call that it makes. */
const CALL_TOOL = 'call_tool';

/** The call that an event is about. */
export function callIn({ tool_name, tool_input, of_server }: Extract<HookEvent, { readonly tool_name: string }>): NamedCall {
  return { name: tool_name, input: tool_input, ...present({ named: of_server }) };
}

/** A call as a program makes it. @param cwd absolute; for relative paths in the call */
export function toForeign(call: NamedCall, vocabulary: ToolVocabulary, cwd: string): NamedCall {
  const { name, input, named: servers = shortNamed(name) } = calledTool(call);
  const shape = shapeOf(name, vocabulary);
  if (shape === undefined || !isObject(input)) return { name: shape?.names[0] ?? (servers === undefined ? name : toldName(servers, vocabulary)), input };
  const made = shape.to(withAbsolutePath(name, input, cwd));
  // A patch names its files within its text.
  if (name !== 'apply_patch' || !isObject(made.input) || typeof made.input['file_path'] !== 'string') return made;
  const { move_to: to } = made.input;
  return { ...made, input: { ...withAbsolutePath('edit', made.input, cwd), ...(typeof to === 'string' ? { move_to: resolve(cwd, to) } : {}) } };
}

/** Arguments that a hook gave in place of those of a call, with Gnomon’s names. What is no object stays, and the tool refuses it. */
export function toGnomon(rewritten: unknown, call: NamedCall, vocabulary: ToolVocabulary): unknown {
  const { name, input } = calledTool(call);
  const shape = shapeOf(name, vocabulary);
  const ours = shape === undefined || !isObject(rewritten) ? rewritten : shape.from(rewritten, isObject(input) ? input : {});
  return name === call.name ? ours : { name, arguments: ours };
}

/** All names by which matchers may mean a call: Gnomon’s and Claude Code’s, and those of the program that a hook was written for. */
export function namesOf(call: NamedCall, vocabulary: ToolVocabulary): readonly string[] {
  const { name, input, named: servers } = calledTool(call);
  const shapes = [shapeOf(name, 'claude'), shapeOf(name, vocabulary)];
  // A file may have the whole names, and one that was written for the short ones goes on to guard.
  const ofServer = [servers, shortNamed(name)].flatMap((each) => (each === undefined ? [] : [...namesOfServersTool(each), toldName(each, vocabulary)]));
  const path = isObject(input) ? input['file_path'] : undefined;
  const isNotebook = typeof path === 'string' && path.endsWith('.ipynb');
  const notebook = isNotebook && name === 'edit' ? ['NotebookEdit'] : isNotebook && name === 'read' ? ['NotebookRead'] : [];
  return [...new Set([name, ...shapes.flatMap((shape) => shape?.names ?? []), ...ofServer, ...notebook])];
}

/** The call that is made through {@link CALL_TOOL}; any other as it is. */
export function calledTool(call: NamedCall): NamedCall {
  if (call.name !== CALL_TOOL || !isObject(call.input)) return call;
  const { name, arguments: input } = call.input;
  return typeof name === 'string' && name.trim() !== '' ? { name: name.trim(), input: input ?? {} } : call;
}

function shapeOf(name: string, vocabulary: ToolVocabulary): ToolShape | undefined {
  const shapes = VOCABULARIES[vocabulary];
  return Object.hasOwn(shapes, name) ? shapes[name] : undefined;
}

/** A tool of a server of which no more is known than its name in the session. */
function shortNamed(name: string): ServersTool | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server === undefined || tool === undefined ? undefined : { server, tool };
}

/** The name of a server's tool that a program gives hooks. */
function toldName(servers: ServersTool, vocabulary: ToolVocabulary): string {
  const { server, tool } = servers;
  switch (vocabulary) {
    case 'claude':
      return namesOfServersTool(servers)[0];
    case 'cursor':
      return `MCP:${tool}`;
    case 'copilot-cli':
      return `${server}-${tool}`;
    case 'vscode':
      return `mcp_${server}_${tool}`;
  }
}

function withAbsolutePath(tool: string, input: JsonObject, cwd: string): JsonObject {
  const field = PATHS[tool];
  const path = field === undefined ? undefined : input[field];
  if (field !== undefined && tool === 'list' && path === undefined) return { ...input, [field]: cwd };
  return field === undefined || typeof path !== 'string' || path === '' || isAbsolute(path) ? input : { ...input, [field]: resolve(cwd, path) };
}
