import * as z from 'zod/mini';
import type { TextFile } from '../domain/documents.js';
import { ToolInputError } from '../domain/errors.js';
import type { Tool, ToolContext } from '../domain/tool.js';
import type { FileLocation } from '../domain/workspace.js';
import type { WritePorts, WriteState } from './change-file.js';
import { applyChange, checkUnchanged, draftChange } from './change-file.js';
import { defineTool, textResult } from './define.js';
import { linesOf } from './lines.js';
import { count, showName } from './show.js';

const schema = z.strictObject({
  file_path: z.string().check(z.minLength(1)),
  content: z.string(),
});
type Args = z.infer<typeof schema>;

const spec = {
  name: 'write',
  description:
    'Create a file, with its folders, or replace the whole content of one that was read before. ' +
    'To change part of a file use edit.',
  parameters: {
    type: 'object',
    properties: {
      file_path: { type: 'string', minLength: 1 },
      content: { type: 'string' },
    },
    required: ['file_path', 'content'],
    additionalProperties: false,
  },
};

/** The tool that writes whole files. A file that exists must have been read, so that nothing is overwritten blindly. */
export function createWriteTool(ports: WritePorts): Tool {
  return defineTool<Args, WriteState>({
    spec,
    schema,
    async plan(args, context) {
      const location = await ports.workspace.locate(args.file_path);
      const before = await presentFile(ports, location, context);
      const after = before === undefined ? args.content : withPresentEndings(args.content, before.text);
      if (after === before?.text) {
        throw new ToolInputError(`${showName(location.display)} has exactly this content already; nothing to write.`);
      }
      const verb = before === undefined ? 'Created' : 'Replaced';
      const done = `${verb} ${showName(location.display)}: ${count(linesOf(after).length, 'line')}.`;
      return draftChange({ location, before, after }, done);
    },
    async execute(state, _plan, context) {
      return textResult(await applyChange(ports, state, context));
    },
  });
}

async function presentFile(ports: WritePorts, location: FileLocation, context: ToolContext): Promise<TextFile | undefined> {
  const stat = await ports.documents.stat(location.real, context.signal);
  if (stat === undefined) return undefined;
  const name = showName(location.display);
  if (stat.type !== 'file') throw new ToolInputError(`${name} is a ${stat.type === 'directory' ? 'folder' : 'device'}, not a file.`);
  if (ports.versions.lastSeen(location.real) === undefined) {
    throw new ToolInputError(`${name} exists and has not been read. Read it first, or choose another name.`);
  }
  const file = await ports.documents.read(location.real, context.signal);
  if (file.kind !== 'text') throw new ToolInputError(`${name} is not a text file and cannot be replaced by text.`);
  checkUnchanged(file, location, ports.versions);
  return file;
}

/** Content with LF only takes over CRLF from a file that has nothing else: the model does not see carriage returns. */
function withPresentEndings(content: string, present: string): string {
  const onlyCrlf = present.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(present);
  return onlyCrlf && !content.includes('\r') ? content.replaceAll('\n', '\r\n') : content;
}
