import { ToolInputError } from '../../domain/errors.js';
import type { RequestedEdit } from './apply-edits.js';

/** What a patch does to one file. */
export type FilePatch =
  | { readonly kind: 'add'; readonly path: string; readonly content: string }
  | { readonly kind: 'update'; readonly path: string; readonly edits: readonly RequestedEdit[] };

/** The line that begins what is done to a file. */
const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = '*** Move to: ';
const END_OF_FILE = '*** End of File';
/** A heading of a hunk; unified diffs give line numbers there, which say nothing here. */
const HEADING = /^@@(?: -\d[\d,]* \+\d[\d,]* @@)? ?(.*)$/;

/**
 * Reads a patch for one file, in the format that OpenAI's models are trained on: `*** Begin Patch`, `*** Update File: PATH` or
 * `*** Add File: PATH`, hunks that begin with `@@` and a line that they are below, lines that stay, go and come with ` `, `-`
 * and `+`, `*** End Patch`. Source: openai/codex, `apply_patch_tool_instructions.md`. The marks at both ends may be missing,
 * and a here-document or a code fence may be around them.
 * @throws ToolInputError when it is no such patch, is for several files, or deletes or moves one.
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
  if (kind === 'Delete') throw new ToolInputError(`Files are not deleted by patches; nothing was changed. Use bash: rm ${path}`);
  const body = bodyOf(lines.slice(start + 1));
  const [moved] = body;
  if (moved?.startsWith(MOVE) === true)
    throw new ToolInputError(
      `Files are not moved by patches; nothing was changed. Use bash: mv ${path} ${moved.slice(MOVE.length)}, and then patch the file there.`,
    );
  return kind === 'Add' ? { kind: 'add', path, content: addedText(body) } : { kind: 'update', path, edits: hunksOf(body, path).map(editOf) };
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

function hunksOf(body: readonly string[], path: string): readonly Hunk[] {
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
  const changed = hunks.filter((hunk) => hunk.lines.some((line) => /^[+-]/.test(line)));
  if (changed.length === 0) throw new ToolInputError(`The patch changes nothing in ${path}: no line begins with + or -.`);
  return changed;
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
