import * as z from 'zod/mini';
import type { TextFile } from '../domain/documents.js';
import { ToolInputError } from '../domain/errors.js';
import type { Tool, ToolContext } from '../domain/tool.js';
import type { FileLocation } from '../domain/workspace.js';
import type { WritePorts, WriteState } from './change-file.js';
import { applyChange, checkUnchanged, draftChange } from './change-file.js';
import { defineTool, textResult } from './define.js';
import { lineNumberAt } from './lines.js';
import type { Matches } from './match.js';
import { findMatches } from './match.js';
import { candidateLines, nearMiss } from './near-misses.js';
import { replaceAll } from './replace.js';
import { count, showName } from './show.js';

const schema = z.strictObject({
  file_path: z.string().check(z.minLength(1)),
  old_string: z.string().check(z.minLength(1)),
  new_string: z.string(),
  replace_all: z.optional(z.boolean()),
});
type Args = z.infer<typeof schema>;

const spec = {
  name: 'edit',
  description:
    'Replace text in a file. old_string must occur exactly once (add surrounding lines until it does) unless ' +
    'replace_all is true. Give the text as in the file, without line numbers. Line endings and encoding are kept.',
  parameters: {
    type: 'object',
    properties: {
      file_path: { type: 'string', minLength: 1 },
      old_string: { type: 'string', minLength: 1, description: 'Text to replace' },
      new_string: { type: 'string', description: 'Taken literally' },
      replace_all: { type: 'boolean', description: 'Replace every occurrence' },
    },
    required: ['file_path', 'old_string', 'new_string'],
    additionalProperties: false,
  },
};

/**
 * The tool that replaces text in a file.
 *
 * A file that the model has not read may be edited inside the workspace when `old_string` matches once: the match
 * proves knowledge of it. Errors quote the file only where the model has read it, since planning comes before
 * permission.
 */
export function createEditTool(ports: WritePorts): Tool {
  return defineTool<Args, WriteState>({
    spec,
    schema,
    async plan(args, context) {
      const location = await ports.workspace.locate(args.file_path);
      const file = await readForEdit(ports, location, context);
      const matches = uniqueMatch(file, args, { location, quote: ports.versions.lastSeen(location.real) !== undefined });
      const after = replaceAll(file.text, matches.replacements);
      if (after === file.text) {
        throw new ToolInputError(`The edit would change nothing in ${showName(location.display)}: old and new are the same.`);
      }
      return draftChange({ location, before: file, after }, summary(file, location, matches));
    },
    async execute(state, _plan, context) {
      return textResult(await applyChange(ports, state, context));
    },
  });
}

async function readForEdit(ports: WritePorts, location: FileLocation, context: ToolContext): Promise<TextFile> {
  const name = showName(location.display);
  if (!location.inside && ports.versions.lastSeen(location.real) === undefined) {
    throw new ToolInputError(`${name} is outside the workspace and has not been read. Read it first.`);
  }
  const file = await ports.documents.read(location.real, context.signal);
  if (file.kind !== 'text') throw new ToolInputError(`${name} is not a text file and cannot be edited.`);
  checkUnchanged(file, location, ports.versions);
  return file;
}

function uniqueMatch(file: TextFile, args: Args, where: { location: FileLocation; quote: boolean }): Matches {
  const matches = findMatches(file.text, args.old_string, args.new_string);
  if (matches === undefined) throw notFound(file, args, where);
  if (matches.replacements.length === 1 || args.replace_all === true) return matches;
  throw new ToolInputError(
    `old_string occurs ${matches.replacements.length} times in ${showName(where.location.display)}; nothing was changed. ` +
      'Add surrounding lines until it is unique, or set replace_all.\n' +
      candidateLines(file.text, matches.replacements, where.quote),
  );
}

function notFound(file: TextFile, args: Args, where: { location: FileLocation; quote: boolean }): ToolInputError {
  const message = `old_string was not found in ${showName(where.location.display)}; nothing was changed.`;
  if (!where.quote) return new ToolInputError(`${message} Read the file first.`);
  const hints = [nearMiss(file.text, args.old_string)];
  if (args.new_string.length > 0 && file.text.includes(args.new_string)) {
    hints.push(`new_string is there already, at line ${lineNumberAt(file.text, file.text.indexOf(args.new_string))}.`);
  }
  const known = hints.filter((hint) => hint !== undefined);
  return new ToolInputError([message, ...(known.length > 0 ? known : ['Nothing in it comes near.'])].join('\n'));
}

function summary(file: TextFile, location: FileLocation, matches: Matches): string {
  const lines = matches.replacements.slice(0, 10).map(({ start }) => lineNumberAt(file.text, start));
  const more = matches.replacements.length > lines.length ? ', …' : '';
  const where = `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`;
  const note = matches.note === undefined ? '' : `\nNot an exact match: ${matches.note}.`;
  return `Edited ${showName(location.display)}: ${count(matches.replacements.length, 'replacement')} at ${where}.${note}`;
}
