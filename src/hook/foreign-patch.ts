import type { NamedCall, ToolShape } from './foreign-shapes.js';
import { type JsonObject, isObject } from './plain-json.js';

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
/** Characters of a patch that are read for hooks. */
const MAX_PATCH = 2_000_000;

/** A patch as the edits that it makes, as far as it can be read: for hooks that know edits and no patches. */
interface PatchedFile {
  readonly path: string;
  readonly adds: boolean;
  readonly hunks: readonly { readonly before: readonly string[]; readonly after: readonly string[] }[];
}

/**
 * `apply_patch` as the tool of Claude Code that makes the same change: `Write` for a new file, `Edit` for one hunk, `MultiEdit` for several.
 * Its hooks look for the path and for the new text, which they would not find in a patch.
 * Source of the format: openai/codex, `apply_patch_tool_instructions.md`.
 */
export const PATCH: ToolShape = {
  names: ['Edit', 'MultiEdit', 'Write'],
  to: (input) => {
    const file = typeof input['patch'] === 'string' ? readPatch(input['patch']) : undefined;
    return file === undefined ? { name: 'Edit', input } : callOf(file);
  },
  from: (input) => {
    const patch = patchOf(input);
    return patch === undefined ? input : { patch };
  },
};

function callOf({ path, adds, hunks }: PatchedFile): NamedCall {
  if (adds) return { name: 'Write', input: { file_path: path, content: hunks.flatMap(({ after }) => after.map((line) => `${line}\n`)).join('') } };
  const edits = hunks.map(({ before, after }) => ({ old_string: before.join('\n'), new_string: after.join('\n') }));
  const [only, ...others] = edits;
  return only !== undefined && others.length === 0
    ? { name: 'Edit', input: { file_path: path, ...only } }
    : { name: 'MultiEdit', input: { file_path: path, edits } };
}

/** `undefined` for a patch of none or of several files, which the tool refuses. */
function readPatch(patch: string): PatchedFile | undefined {
  if (patch.length > MAX_PATCH) return undefined;
  const lines = patch.replaceAll('\r\n', '\n').split('\n');
  const files = lines.flatMap((line, index) => {
    const [, kind = '', path = ''] = FILE.exec(line.trimEnd()) ?? [];
    return kind === '' ? [] : [{ kind, path, index }];
  });
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) return undefined;
  const end = lines.findIndex((line, index) => index > file.index && line.trim() === '*** End Patch');
  const body = lines.slice(file.index + 1, end === -1 ? undefined : end);
  return { path: file.path, adds: file.kind === 'Add', hunks: hunksOf(body) };
}

function hunksOf(body: readonly string[]): PatchedFile['hunks'] {
  const hunks: { before: string[]; after: string[] }[] = [];
  let current: { before: string[]; after: string[] } | undefined;
  for (const line of body) {
    if (line.startsWith('@@') || line.startsWith('*** ')) {
      current = undefined;
      continue;
    }
    if (line === '' && current === undefined) continue;
    if (current === undefined) hunks.push((current = { before: [], after: [] }));
    const sign = line.charAt(0);
    const text = /^[ +-]/.test(line) ? line.slice(1) : line;
    if (sign !== '+') current.before.push(text);
    if (sign !== '-') current.after.push(text);
  }
  return hunks;
}

/** A patch that does what changed arguments say; `undefined` when they cannot be one. */
function patchOf(input: JsonObject): string | undefined {
  const { file_path: path, content } = input;
  if (typeof path !== 'string' || /[\r\n]/.test(path)) return undefined;
  if (typeof content === 'string')
    return framed(
      `*** Add File: ${path}`,
      content
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => `+${line}`),
    );
  const edits = Array.isArray(input['edits']) ? (input['edits'] as readonly unknown[]) : [input];
  const hunks = edits.map((edit) => {
    if (!isObject(edit) || typeof edit['old_string'] !== 'string' || typeof edit['new_string'] !== 'string') return undefined;
    return ['@@', ...signed('-', edit['old_string']), ...signed('+', edit['new_string'])];
  });
  return hunks.includes(undefined)
    ? undefined
    : framed(
        `*** Update File: ${path}`,
        hunks.flatMap((lines) => lines ?? []),
      );
}

function signed(sign: string, text: string): readonly string[] {
  return text === '' ? [] : text.split('\n').map((line) => `${sign}${line}`);
}

function framed(heading: string, lines: readonly string[]): string {
  return ['*** Begin Patch', heading, ...lines, '*** End Patch'].join('\n');
}
