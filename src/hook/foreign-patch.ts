import type { NamedCall, ToolShape } from './foreign-shapes.js';
import { type JsonObject, isObject } from './plain-json.js';

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;
/** Characters of a patch that are read for hooks. */
const MAX_PATCH = 2_000_000;

/** A patch as the edits that it makes, as far as it can be read: for hooks that know edits and no patches. */
interface PatchedFile {
  readonly path: string;
  readonly kind: 'Add' | 'Update' | 'Delete';
  /** Where it is moved to. */
  readonly to: string | undefined;
  readonly hunks: readonly { readonly before: readonly string[]; readonly after: readonly string[] }[];
}

/**
 * `apply_patch` as the tool of Claude Code that makes the same change: `Write` for a new file, `Edit` for one hunk, `MultiEdit` for several.
 * Its hooks look for the path and for the new text, which they would not find in a patch. It has no tool that deletes or moves a file: that is
 * presented as an `Edit` of the file that goes, with the patch, and with the other path as `move_to`.
 * Source of the format: openai/codex, `apply_patch_tool_instructions.md`.
 */
export const PATCH: ToolShape = {
  names: ['Edit', 'MultiEdit', 'Write'],
  to: (input) => {
    const patch = typeof input['patch'] === 'string' ? input['patch'] : '';
    const file = readPatch(patch);
    if (file === undefined) return { name: 'Edit', input };
    if (file.kind === 'Delete') return { name: 'Edit', input: { file_path: file.path, patch } };
    return file.to === undefined ? callOf(file) : { name: 'Edit', input: { file_path: file.path, move_to: file.to, patch } };
  },
  from: (input) => {
    const patch = typeof input['patch'] === 'string' ? withPaths(input['patch'], input) : patchOf(input);
    return patch === undefined ? input : { patch };
  },
};

function callOf({ path, kind, hunks }: PatchedFile): NamedCall {
  if (kind === 'Add') return { name: 'Write', input: { file_path: path, content: hunks.flatMap(({ after }) => after.map((line) => `${line}\n`)).join('') } };
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
    const [, named, path = ''] = FILE.exec(line.trimEnd()) ?? [];
    const kind = (['Add', 'Update', 'Delete'] as const).find((each) => each === named);
    return kind === undefined ? [] : [{ kind, path, index }];
  });
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) return undefined;
  const end = lines.findIndex((line, index) => index > file.index && line.trim() === '*** End Patch');
  const body = lines.slice(file.index + 1, end === -1 ? undefined : end);
  const to = file.kind === 'Update' ? MOVE.exec((body[0] ?? '').trimEnd())?.[1] : undefined;
  return { path: file.path, kind: file.kind, to, hunks: hunksOf(body) };
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

/** A patch that deletes or moves a file, for the paths that are given beside it. */
function withPaths(patch: string, { file_path: path, move_to: to }: JsonObject): string | undefined {
  if ([path, to].some((each) => typeof each === 'string' && /[\r\n]/.test(each))) return undefined;
  const lines = patch.split('\n').map((line) => {
    const kind = FILE.exec(line.trimEnd())?.[1];
    if (kind !== undefined && typeof path === 'string') return `*** ${kind} File: ${path}`;
    return MOVE.test(line.trimEnd()) && typeof to === 'string' ? `*** Move to: ${to}` : line;
  });
  return lines.join('\n');
}

function signed(sign: string, text: string): readonly string[] {
  return text === '' ? [] : text.split('\n').map((line) => `${sign}${line}`);
}

function framed(heading: string, lines: readonly string[]): string {
  return ['*** Begin Patch', heading, ...lines, '*** End Patch'].join('\n');
}
