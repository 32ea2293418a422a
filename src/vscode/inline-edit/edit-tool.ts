import * as z from 'zod/mini';
import { ToolInputError } from '../../domain/errors.js';
import type { Tool } from '../../domain/tool/tool.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';
import { fileAccess } from '../../tool/calls/access.js';
import { defineTool, textResult } from '../../tool/calls/define.js';
import { showName } from '../../text/show.js';
import { unifiedDiff } from '../../text/unified-diff.js';

/** Name of the tool that replaces the code that the person pointed at. */
export const EDIT_TOOL = 'edit_selection';
/** Its argument. */
export const NEW_TEXT = 'new_text';

const schema = z.strictObject({ [NEW_TEXT]: z.string() });

const spec = {
  name: EDIT_TOOL,
  description: 'Replace the lines that the person pointed at. new_text takes the place of all of them: whole lines with their indentation, unchanged ones included, nothing around them.',
  parameters: { type: 'object', properties: { [NEW_TEXT]: { type: 'string' } }, required: [NEW_TEXT], additionalProperties: false },
  streamed: true,
} as const;

/** The code that is replaced. */
export interface EditTarget {
  /** Where the file is. @throws ToolInputError when the code is not there any more. */
  readonly locate: () => Promise<FileLocation>;
  /** The whole file with other code in that place, and as it was before. */
  readonly versions: (text: string) => { readonly before: string; readonly after: string };
  /** Puts it there. @returns what the model is told. */
  readonly replace: (text: string, callId: string) => Promise<string>;
}

/** Makes the tool. Its plan names no file to be written: the target records what it changes itself, as that comes bit by bit. */
export function createSelectionTool(target: EditTarget): Tool {
  return defineTool<z.infer<typeof schema>, { readonly text: string }>({
    spec,
    schema,
    async plan({ [NEW_TEXT]: text }, context) {
      const location = await target.locate();
      const name = showName(location.display);
      const versions = target.versions(text);
      if (versions.before === versions.after) throw new ToolInputError('The new text is the same as the old one; nothing was changed.');
      const diff = await unifiedDiff(name, versions, context.signal);
      return { subject: name, accesses: fileAccess('write', location), preview: { kind: 'diff', path: location.path, diff, created: false }, state: { text: text } };
    },
    async execute({ text }, _plan, { callId }) {
      return textResult(await target.replace(text, callId));
    },
  });
}
