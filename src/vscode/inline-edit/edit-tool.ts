import * as z from 'zod/mini';
import { ToolInputError } from '../../domain/errors.js';
import { text as textBlock } from '../../domain/model/content.js';
import type { UserContent } from '../../domain/model/content.js';
import { attachedBlock } from '../../domain/session/attached.js';
import type { Tool } from '../../domain/tool/tool.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';
import { NEW_TEXT } from '../../inline-edit/change-stream.js';
import type { LineRegion } from '../../inline-edit/line-edit.js';
import { fileAccess } from '../../tool/calls/access.js';
import { defineTool, textResult } from '../../tool/calls/define.js';
import { showName } from '../../text/show.js';
import { unifiedDiff } from '../../text/unified-diff.js';

/** Name of the tool that replaces the code that the person pointed at. */
export const EDIT_TOOL = 'edit_selection';

const schema = z.strictObject({ [NEW_TEXT]: z.string() });

const spec = {
  name: EDIT_TOOL,
  description: 'Replace the lines that the person pointed at. new_text takes the place of all of them: whole lines with their indentation, unchanged ones included, nothing around them.',
  parameters: { type: 'object', properties: { [NEW_TEXT]: { type: 'string' } }, required: [NEW_TEXT], additionalProperties: false },
  streamed: true,
} as const;

/** The code that is replaced. */
export interface EditTarget {
  /** Where the file is. @throws ToolInputError when the user closed it. */
  locate(): Promise<FileLocation>;
  /** The whole file with other code in that place, and as it was before. */
  versions(text: string): { readonly before: string; readonly after: string };
  /** Puts it there. @returns what the model is told. */
  replace(text: string, callId: string): Promise<string>;
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
      return { subject: name, accesses: fileAccess('write', location), preview: { kind: 'diff', path: location.path, diff, created: false }, state: { text } };
    },
    async execute({ text }, _plan, { callId }) {
      return textResult(await target.replace(text, callId));
    },
  });
}

/** Lines of the file before and after the code that go with it. */
const CONTEXT_LINES = 150;
/** Characters of them at most, on each side. */
const MAX_CONTEXT = 12_000;

/** The code that a message asks to change. */
export interface CodeInFile {
  /** Path as people read it. */
  readonly path: string;
  readonly lines: readonly string[];
  readonly region: LineRegion;
}

/** What is said to the model: the code, what stands around it, and the person's words. */
export function editMessage({ path, lines, region }: CodeInFile, words: string): readonly UserContent[] {
  const code = lines.slice(region.start, region.end);
  const before = lines.slice(Math.max(0, region.start - CONTEXT_LINES), region.start).join('\n').slice(-MAX_CONTEXT);
  const after = lines.slice(region.end, region.end + CONTEXT_LINES).join('\n').slice(0, MAX_CONTEXT);
  const place = `${path}:${region.start + 1}-${region.end}`;
  return [
    attachedBlock({ name: `edit of ${place}`, text: `${taskOf(place, code)}\n\nBefore it:\n${before}\n\nBehind it:\n${after}` }),
    attachedBlock({ name: place, text: code.join('\n') }),
    textBlock(words),
  ];
}

/** What is said when the person wants the change to be another one. */
export function followUpMessage({ path, lines, region }: CodeInFile, words: string): readonly UserContent[] {
  const place = `${path}:${region.start + 1}-${region.end}`;
  return [attachedBlock({ name: place, text: lines.slice(region.start, region.end).join('\n') }), textBlock(words)];
}

function taskOf(place: string, code: readonly string[]): string {
  const what = code.every((line) => line.trim() === '')
    ? `The person wants code written at ${place}, which is blank now.`
    : `The person wants the code at ${place} changed; it is attached whole.`;
  return `${what} Call edit_selection once with the whole new text of those lines, and say nothing beside it. Lines that stay must stay as they are, character by character. Read other files only where the change depends on them.`;
}
