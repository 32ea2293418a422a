import { isAbsolute, join } from 'node:path';

/** A tool call as programs for Claude Code know it. */
export interface ForeignCall {
  /** What hooks are told, and what their matchers are compared with first. */
  readonly name: string;
  /** Further names under which matchers mean the same call, Gnomon's own among them. */
  readonly others: readonly string[];
  readonly input: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** How the calls of one tool are told, and how arguments come back. */
interface Translation {
  readonly name: string;
  readonly others?: readonly string[];
  /** Names of fields that differ: Gnomon's, then the other. */
  readonly fields?: readonly (readonly [string, string])[];
}

/**
 * Gnomon's tools by the names and fields that hooks for Claude Code expect (code.claude.com/docs/en/hooks and .../tools-reference,
 * November 2026). Fields that are the same are not listed.
 */
const TOOLS: Readonly<Record<string, Translation>> = {
  bash: { name: 'Bash', others: ['Shell'], fields: [['timeout_ms', 'timeout'], ['background', 'run_in_background'], ['unsandboxed', 'dangerouslyDisableSandbox']] },
  read: { name: 'Read', others: ['NotebookRead'] },
  edit: { name: 'Edit', others: ['MultiEdit', 'NotebookEdit'] },
  apply_patch: { name: 'Edit', others: ['Write', 'MultiEdit', 'apply_patch'] },
  write: { name: 'Write' },
  grep: { name: 'Grep' },
  glob: { name: 'Glob' },
  list: { name: 'LS' },
  fetch: { name: 'WebFetch' },
  web_search: { name: 'WebSearch' },
  todo: { name: 'TodoWrite' },
  ask: { name: 'AskUserQuestion' },
  jobs: { name: 'BashOutput', others: ['KillShell', 'KillBash', 'TaskOutput', 'TaskStop'] },
};

/** Fields with a path, which hooks expect to be absolute. */
const PATHS: readonly string[] = ['file_path', 'path'];

/** What hooks are told of a call. @param cwd absolute path that relative ones start from */
export function toForeign(tool: string, args: unknown, cwd: string): ForeignCall {
  const translation = TOOLS[tool];
  if (translation === undefined) return { name: tool, others: [], input: args };
  const { name, others = [], fields = [] } = translation;
  if (!isFields(args)) return { name, others: [...others, tool], input: args };
  const renamed = Object.entries(args).map(([field, value]) => [fields.find(([ours]) => ours === field)?.[1] ?? field, absolute(field, value, cwd)] as const);
  const input = Object.fromEntries(renamed);
  if (tool !== 'edit') return { name, others: [...others, tool], input };
  return editInput(input, [...others, tool]);
}

/** Arguments for a tool of Gnomon, of what a hook has made of those that it was told. */
export function fromForeign(tool: string, input: unknown): unknown {
  const fields = TOOLS[tool]?.fields ?? [];
  if (!isFields(input)) return input;
  const args = Object.fromEntries(Object.entries(input).map(([field, value]) => [fields.find(([, theirs]) => theirs === field)?.[0] ?? field, value]));
  if (tool !== 'edit' || 'edits' in args) return args;
  const { file_path, old_string, new_string, replace_all, ...rest } = args;
  return { file_path, ...rest, edits: [{ old_string, new_string, ...(replace_all === undefined ? {} : { replace_all }) }] };
}

/** One replacement is an `Edit`, several are a `MultiEdit`. */
function editInput({ edits, ...rest }: Fields, others: readonly string[]): ForeignCall {
  const [only, ...more] = Array.isArray(edits) ? (edits as unknown[]) : [];
  if (more.length > 0 || !isFields(only)) return { name: 'MultiEdit', others: ['Edit', ...others.filter((name) => name !== 'MultiEdit')], input: { ...rest, edits } };
  return { name: 'Edit', others, input: { ...rest, ...only } };
}

function absolute(field: string, value: unknown, cwd: string): unknown {
  return PATHS.includes(field) && typeof value === 'string' && value !== '' && !isAbsolute(value) ? join(cwd, value) : value;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
