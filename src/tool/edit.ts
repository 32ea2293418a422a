import * as z from 'zod/mini';
import type { TextFile } from '../domain/workspace/documents.js';
import { ToolInputError } from '../domain/errors.js';
import type { Tool, ToolContext } from '../domain/tool/tool.js';
import type { FileLocation } from '../domain/workspace/workspace.js';
import { type EditedText, type RequestedEdit, applyEdits } from './editing/apply-edits.js';
import { changedLines } from './editing/changed-lines.js';
import { elisionIn } from './editing/elision.js';
import { type WriteDeps, type WriteState, applyChange, changeOfKnown, checkUnchanged, draftChange } from './editing/change-file.js';
import { OTHER_FORMS } from './calls/forms.js';
import { type Draft, type Unsettled, defineTool, filled, textResult } from './calls/define.js';
import { lineNumbersAt } from '../text/lines.js';
import { checkPlaces, fileAccess, locateFile, named } from './calls/places.js';
import { missingProblem } from './reading/not-a-file.js';
import { rewriteChange } from './editing/rewrite.js';
import type { RunContext } from './calls/sealed.js';
import { count, cutLine, showName, showSize } from '../text/show.js';
import { type Steps, inSlices } from '../concurrency/steps.js';
import { type WholeText, planWrite } from './write.js';

const schema = z.strictObject({
  file_path: filled,
  edits: z
    .array(
      z.strictObject({ old_string: z.string(), new_string: z.string(), replace_all: z.optional(z.boolean()), expected_replacements: z.optional(z.number()) }),
    )
    .check(z.minLength(1)),
});
type Args = z.infer<typeof schema>;

const spec = {
  name: 'edit',
  description:
    'Replace text in a file: all edits in order, or none. old_string, without line numbers, must occur once (add lines ' + 'until it does) unless replace_all.',
  parameters: {
    type: 'object',
    properties: {
      file_path: { type: 'string', description: 'Absolute, or relative to the workspace folder' },
      edits: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            old_string: { type: 'string', description: 'Text of the file to replace' },
            new_string: { type: 'string', description: 'Text in its place' },
            replace_all: { type: 'boolean', description: 'Wherever it occurs' },
            expected_replacements: { type: 'number' },
          },
          required: ['old_string', 'new_string'],
          additionalProperties: false,
        },
      },
    },
    required: ['file_path', 'edits'],
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
export function createEditTool(deps: WriteDeps): Tool {
  const tool = defineTool<Args, WriteState>({
    spec,
    schema,
    forms: OTHER_FORMS.edit,
    async plan(args, context) {
      const location = await locateFile(deps.workspace, args.file_path);
      const content = createdText(args.edits);
      return content === undefined ? planEdit(deps, { location, edits: args.edits }) : planNewFile(deps, { location, content }, context);
    },
    rewrite: (shown, amendment, context) => rewriteChange(deps, { shown, amendment }, context),
    async execute(state, _plan, context) {
      return textResult(await applyChange(deps, state, context));
    },
  });
  return { ...tool, editing: 'replacements' };
}

interface Editing {
  readonly location: FileLocation;
  readonly edits: readonly RequestedEdit[];
}

/**
 * Plans edits of a file that exists; what they change depends on what is in it.
 * @throws ToolInputError for one outside the workspace that has not been read, be it there or not.
 */
export function planEdit(deps: WriteDeps, editing: Editing): Unsettled<WriteState> {
  const { location } = editing;
  const open = (context: RunContext): Promise<Draft<WriteState>> => settleEdit(deps, editing, context);
  if (deps.versions.lastSeen(location.real) !== undefined) return changeOfKnown(location, open);
  const subject = showName(location.display);
  if (!location.inside) throw new ToolInputError({ kind: 'not_read', file: subject, why: 'outside' });
  return { subject, reads: fileAccess('read', location), accesses: fileAccess('write', location), open };
}

/** @throws ToolInputError where the edits cannot be made, would change nothing, or the file is not known well enough. */
async function settleEdit(deps: WriteDeps, { location, edits }: Editing, context: RunContext): Promise<Draft<WriteState>> {
  const before = await readForEdit(deps, location, context);
  const { edited, shown } = await editText(deps, { location, edits }, before.text, context);
  const done = await inSlices(editSummary(showName(location.display), edited), context.signal);
  const draft = await draftChange({ location, before, after: edited.text, whole: false }, done, context.signal);
  return { ...draft, state: { ...draft.state, shown } };
}

/** A text with all edits in it, and the lines that were changed. */
interface MadeEdits {
  readonly edited: EditedText;
  readonly shown: readonly string[];
}

/** Makes edits in the text of a file. @throws ToolInputError where they cannot be made, would change nothing, or leave text out. */
export async function editText(deps: WriteDeps, { location, edits }: Editing, text: string, context: RunContext): Promise<MadeEdits> {
  const file = { name: showName(location.display), quote: deps.versions.lastSeen(location.real) !== undefined };
  const edited = await inSlices(applyEdits(text, edits, file), context.signal);
  if (edited.text === text) {
    throw new ToolInputError({ kind: 'unchanged', file: file.name, by: 'edit' });
  }
  checkEdits(edits, { name: file.name, before: text, after: edited.text });
  // What the model has not read stays unread: it may be what reading is not allowed for.
  const shown = file.quote ? await inSlices(changedLines(edited.text, edited.regions), context.signal) : [];
  return { edited, shown };
}

/** @throws ToolInputError for edits that put a line in place of text that they leave out. */
function checkEdits(edits: readonly RequestedEdit[], file: { readonly name: string; readonly before: string; readonly after: string }): void {
  const elision = edits.map(({ new_string: written }) => elisionIn({ ...file, written })).find((found) => found !== undefined);
  if (elision === undefined) return;
  throw new ToolInputError({ kind: 'text_left_out', file: file.name }, { detail: cutLine(elision.text, 100) });
}

/**
 * The text of a file that does not exist yet, when the only edit replaces nothing: other tools create files so.
 * @throws ToolInputError when one of several edits replaces nothing.
 */
function createdText(edits: readonly RequestedEdit[]): string | undefined {
  if (edits.every(({ old_string }) => old_string !== '')) return undefined;
  const [only, ...others] = edits;
  if (only !== undefined && others.length === 0) return only.new_string;
  throw new ToolInputError('old_string must not be empty; nothing was changed. Give the text to replace; to create a file use write, or one edit alone.');
}

/** Plans a new file. When it is there and was read, the edit was to replace something in it. */
async function planNewFile(deps: WriteDeps, whole: WholeText, context: ToolContext): Promise<Unsettled<WriteState>> {
  const planned = await planWrite(deps, whole, context);
  const { location } = whole;
  const open = async (running: RunContext): Promise<Draft<WriteState>> => {
    await checkPlaces(deps.workspace, [location]);
    const exists = (await named(location, deps.documents.for(running).stat(location.real, running.signal))) !== undefined;
    if (!exists) return planned.open(running);
    throw new ToolInputError(
      `old_string must not be empty: ${showName(location.display)} exists; nothing was changed. Give the text to replace; to replace the whole file use write.`,
    );
  };
  return { ...planned, open };
}

async function readForEdit(deps: WriteDeps, location: FileLocation, context: RunContext): Promise<TextFile> {
  await checkPlaces(deps.workspace, [location]);
  const name = showName(location.display);
  const documents = deps.documents.for(context);
  const stat = await named(location, documents.stat(location.real, context.signal));
  if (stat === undefined) throw await missingProblem({ documents, location, mayShow: await deps.readGuard() }, context.signal);
  const file = await named(location, documents.read(location.real, context.signal));
  if (file.kind === 'large') {
    const sizes = `${showSize(file.size)}; files of at most ${showSize(file.limit)} can be edited`;
    throw new ToolInputError({ kind: 'too_large', file: name, wanted: 'edit' }, { detail: sizes });
  }
  if (file.kind !== 'text') throw new ToolInputError({ kind: 'not_text', file: name, wanted: 'edit' });
  checkUnchanged(deps, file, location);
  return file;
}

/** What to tell the model of edits in a file. */
export function* editSummary(name: string, { text, replacements, regions, notes }: EditedText): Steps<string> {
  const lines = [
    ...new Set(
      yield* lineNumbersAt(
        text,
        regions.map(({ start }) => start),
      ),
    ),
  ];
  const more = replacements > regions.length ? ', …' : '';
  const where = `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`;
  return [`Edited ${name}: ${count(replacements, 'replacement')} at ${where}.`, ...notes].join('\n');
}
