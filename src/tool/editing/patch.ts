import { ToolInputError } from '../../domain/errors.js';
import type { RequestedEdit } from './apply-edits.js';

/** What a patch does to one file. */
export type FilePatch =
  | { readonly kind: 'add'; readonly path: string; readonly content: string }
  | { readonly kind: 'update'; readonly path: string; readonly edits: readonly RequestedEdit[] }
  /** No edits: only its place changes. */
  | { readonly kind: 'move'; readonly path: string; readonly to: string; readonly edits: readonly RequestedEdit[] }
  | { readonly kind: 'delete'; readonly path: string };

/** The line that begins what is done to a file. */
const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;
const END_OF_FILE = '*** End of File';
/** A heading of a hunk; unified diffs give line numbers there, which say nothing here. */
const HEADING = /^@@(?: -\d[\d,]* \+\d[\d,]* @@)? ?(.*)$/;

/**
 * Reads a patch for one file, in the format that OpenAI's models are trained on: `*** Begin Patch`; `*** Update File: PATH`, which
 * `*** Move to: PATH` may follow, `*** Add File: PATH`, or `*** Delete File: PATH`; hunks that begin with `@@` and a line that they are
 * below, lines that stay, go and come with ` `, `-` and `+`; `*** End Patch`. Source: openai/codex, `apply_patch_tool_instructions.md`. The
 * marks at both ends may be missing, and a here-document or a code fence may be around them.
 * @throws ToolInputError when it is no such patch, or is for several files.
 */
export function readPatch(patch: string): FilePatch {
  const lines = patch.replaceAll('\r\n', '\n').split('\n');
  const start = lines.findIndex((line) => FILE.test(line.trimEnd()));
  const first = FILE.exec(lines[start]?.trimEnd() ?? '');
  if (first === null)
    throw new ToolInputError('The patch names no file; nothing was changed. Begin it with *** Begin Patch and *** Update File: PATH or *** Add File: PATH.');
  const others = lines
    .slice(start + 1)
    .map((line) => FILE.exec(line.trimEnd())?.[2])
    .filter((path) => path !== undefined);
  const [, kind = '', path = ''] = first;
  if (others.length > 0)
    throw new ToolInputError(
      `The patch is for several files (${[path, ...others].join(', ')}); nothing was changed. Send one call for each file, all in one answer.`,
    );
  return partOf(kind, path, bodyOf(lines.slice(start + 1)));
}

function partOf(kind: string, path: string, body: readonly string[]): FilePatch {
  if (kind === 'Add') return { kind: 'add', path, content: addedText(body) };
  if (kind === 'Delete') {
    checkEmpty(body, path);
    return { kind: 'delete', path };
  }
  const [first = '', ...rest] = body;
  const to = MOVE.exec(first.trimEnd())?.[1];
  const hunks = changesOf(to === undefined ? body : rest).map(editOf);
  if (to !== undefined) return { kind: 'move', path, to, edits: hunks };
  if (hunks.length === 0) throw new ToolInputError(`The patch changes nothing in ${path}: no line begins with + or -.`);
  return { kind: 'update', path, edits: hunks };
}

/** Lines below a file that is deleted show that something else was meant. */
function checkEmpty(body: readonly string[], path: string): void {
  const line = body.find((each) => each.trim() !== '');
  if (line === undefined) return;
  throw new ToolInputError(
    `Nothing can follow *** Delete File: ${path} in a patch, unlike “${line.slice(0, 100)}”; nothing was changed. To change the file, use *** Update File.`,
  );
}

/** The lines of a file's part, without what follows it. */
function bodyOf(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => line.trim() === '*** End Patch');
  const body = end === -1 ? lines : lines.slice(0, end);
  const last = body.findLastIndex((line) => line.trim() !== '' && line !== 'EOF' && !line.startsWith('```'));
  return end === -1 ? body.slice(0, last + 1) : body;
}

function addedText(body: readonly string[]): string {
  const wrong = body.find((line) => line !== '' && !line.startsWith('+'));
  if (wrong !== undefined) throw new ToolInputError(`Every line of a new file begins with +, unlike “${wrong.slice(0, 100)}”; nothing was changed.`);
  return body
    .filter((line) => line !== '')
    .map((line) => `${line.slice(1)}\n`)
    .join('');
}

interface Hunk {
  /** Lines of the file above it, outermost first. */
  readonly below: readonly string[];
  readonly lines: readonly string[];
  readonly last: boolean;
}

/** The hunks that change something. */
function changesOf(body: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let below: string[] = [];
  let lines: string[] = [];
  const close = (last: boolean): void => {
    // Blank lines between hunks are not of the file.
    const used = lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
    if (used.length > 0) hunks.push({ below, lines: used, last });
    if (used.length > 0) below = [];
    lines = [];
  };
  for (const line of body) {
    const heading = HEADING.exec(line);
    if (heading === null && line !== END_OF_FILE) lines.push(line);
    else close(line === END_OF_FILE);
    if (heading?.[1] !== undefined && heading[1].trim() !== '') below.push(heading[1]);
  }
  close(false);
  return hunks.filter((hunk) => hunk.lines.some((line) => /^[+-]/.test(line)));
}

/** A hunk as a replacement of whole lines. A line without a mark is one that stays: models leave out the blank before empty ones. */
function editOf({ below, lines, last }: Hunk): RequestedEdit {
  const side = (mark: '-' | '+'): string =>
    lines
      .filter((line) => !line.startsWith(mark === '-' ? '+' : '-'))
      .map((line) => `${/^[ +-]/.test(line) ? line.slice(1) : line}\n`)
      .join('');
  return { old_string: side('-'), new_string: side('+'), place: { below, last } };
}
