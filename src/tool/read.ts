import * as z from 'zod/mini';
import { assertNever } from '../domain/assert-never.js';
import type { ImageMimeType } from '../domain/content.js';
import type { Documents, TextFile } from '../domain/documents.js';
import { ToolInputError } from '../domain/errors.js';
import type { Tool, ToolResult } from '../domain/tool.js';
import type { FileLocation, Workspace } from '../domain/workspace.js';
import { fileAccess } from './access.js';
import { defineTool, textResult } from './define.js';
import type { FileVersions } from './file-versions.js';
import type { Line } from './lines.js';
import { contentOf, linesOf } from './lines.js';
import { count, cutLine, showName } from './show.js';

/** Lines that one call returns when the model sets no limit. */
const READ_LINES = 2_000;
/** Characters of one line; the rest is cut with a notice. */
const READ_LINE_CHARACTERS = 2_000;
/** Characters that one call returns at most, some 20,000 tokens. */
const READ_CHARACTERS = 80_000;

const schema = z.strictObject({
  file_path: z.string().check(z.minLength(1)),
  offset: z.optional(z.int().check(z.minimum(1))),
  limit: z.optional(z.int().check(z.minimum(1))),
});
type Args = z.infer<typeof schema>;

const spec = {
  name: 'read',
  description:
    `Read a text file or image (png, jpeg, gif, webp). Text comes as numbered lines, up to ${READ_LINES} at a time. ` +
    'Unsaved changes in the editor are included.',
  parameters: {
    type: 'object',
    properties: {
      file_path: { type: 'string', minLength: 1, description: 'Absolute, or relative to the workspace folder' },
      offset: { type: 'integer', minimum: 1, description: 'First line, from 1' },
      limit: { type: 'integer', minimum: 1, description: 'Number of lines' },
    },
    required: ['file_path'],
    additionalProperties: false,
  },
};

/** The tool that reads one file. Its reads go into the ledger, so that later edits can tell stale knowledge. */
export function createReadTool(ports: { documents: Documents; workspace: Workspace; versions: FileVersions }): Tool {
  return defineTool<Args, { args: Args; location: FileLocation }>({
    spec,
    schema,
    async plan(args) {
      const location = await ports.workspace.locate(args.file_path);
      return { subject: showName(location.display), accesses: fileAccess('read', location), state: { args, location } };
    },
    async execute({ args, location }, _plan, context) {
      const file = await ports.documents.read(location.real, context.signal);
      const shown = showName(location.display);
      switch (file.kind) {
        case 'text':
          ports.versions.saw(location.real, file.hash);
          return textResult(numberedLines(file, args, shown));
        case 'image':
          return imageResult(shown, file.data, file.mimeType);
        case 'binary':
          throw new ToolInputError(`${shown} is a binary file${typeOf(shown)} of ${count(file.size, 'byte')}, not text.`);
        default:
          return assertNever(file);
      }
    },
  });
}

function imageResult(name: string, data: Uint8Array, mimeType: ImageMimeType): ToolResult {
  const label = { type: 'text' as const, text: `${name}: ${mimeType}, ${count(data.length, 'byte')}` };
  return { content: [label, { type: 'image', data, mimeType }], isError: false };
}

function typeOf(name: string): string {
  const extension = /\.([\w-]{1,12})$/.exec(name)?.[1];
  return extension === undefined ? '' : ` (.${extension})`;
}

function numberedLines(file: TextFile, args: Args, name: string): string {
  const lines = linesOf(file.text);
  const offset = args.offset ?? 1;
  if (lines.length === 0) return `${name} is empty.`;
  if (offset > lines.length) {
    throw new ToolInputError(`${name} has ${count(lines.length, 'line')}; offset ${offset} is past the end.`);
  }
  const shown = takeLines(file.text, lines, offset, args.limit ?? READ_LINES);
  const last = offset + shown.length - 1;
  return [...notes(file), ...shown, ...continuation(offset, last, lines.length)].join('\n');
}

/** Numbered lines from an offset until the limit of lines or characters is reached; at least one. */
function takeLines(text: string, lines: readonly Line[], offset: number, limit: number): readonly string[] {
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    const numbered = `${offset + shown.length}\t${cutLine(contentOf(text, line), READ_LINE_CHARACTERS)}`;
    characters += numbered.length + 1;
    if (characters > READ_CHARACTERS && shown.length > 0) break;
    shown.push(numbered);
  }
  return shown;
}

function notes(file: TextFile): readonly string[] {
  return [
    ...(file.unsaved ? ['[The editor has unsaved changes; this is the text in the editor.]'] : []),
    ...(file.encoding === 'windows1252' ? ['[Not UTF-8: read as windows-1252, which may show wrong characters.]'] : []),
  ];
}

function continuation(offset: number, last: number, total: number): readonly string[] {
  if (last === total) return [];
  return [`[PARTIAL: lines ${offset}-${last} of ${total}. Continue with offset ${last + 1}.]`];
}
