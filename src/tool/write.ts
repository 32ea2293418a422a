import * as z from 'zod/mini';
import type { TextFile } from '../domain/workspace/documents.js';
import { ToolInputError } from '../domain/errors.js';
import type { Tool, ToolContext } from '../domain/tool/tool.js';
import type { FileLocation } from '../domain/workspace/workspace.js';
import { type WriteDeps, type WriteState, applyChange, changeOfKnown, checkUnchanged, draftChange, presentProblem } from './editing/change-file.js';
import { OTHER_FORMS } from './calls/forms.js';
import { type Draft, type Unsettled, defineTool, filled, textResult } from './calls/define.js';
import { elisionIn } from './editing/elision.js';
import { hasLineNumbers } from './editing/match-lines.js';
import { countLines } from '../text/lines.js';
import { checkPlaces, fileAccess, locateFile, named, presenceAccess } from './calls/places.js';
import { replaceAll } from './editing/replace.js';
import { rewriteChange } from './editing/rewrite.js';
import type { RunContext } from './calls/sealed.js';
import { count, cutLine, showName } from '../text/show.js';
import { inSlices } from '../concurrency/steps.js';

const schema = z.strictObject({ file_path: filled, content: z.string() });
type Args = z.infer<typeof schema>;

const spec = {
  name: 'write',
  description: 'Create a file, with its folders, or replace the whole content of one that was read before. ' + 'To change part of a file use edit.',
  parameters: {
    type: 'object',
    properties: {
      file_path: { type: 'string', description: 'Absolute, or relative to the workspace folder' },
      content: { type: 'string', description: 'The whole text' },
    },
    required: ['file_path', 'content'],
    additionalProperties: false,
  },
};

/** The tool that writes whole files. A file that exists must have been read, so that nothing is overwritten blindly. */
export function createWriteTool(deps: WriteDeps): Tool {
  return defineTool<Args, WriteState>({
    spec,
    schema,
    forms: OTHER_FORMS.write,
    async plan({ file_path: path, content }, context) {
      return planWrite(deps, { location: await locateFile(deps.workspace, path), content }, context);
    },
    rewrite: (shown, amendment, context) => rewriteChange(deps, { shown, amendment }, context),
    async execute(state, _plan, context) {
      const done = textResult(await applyChange(deps, state, context));
      return state.change.action === 'create' ? { ...done, outcome: { kind: 'created' } } : done;
    },
  });
}

/** A file and the whole text that it is to have. */
export interface WholeText {
  readonly location: FileLocation;
  readonly content: string;
}

/**
 * Plans that a file gets a whole content, be it there already or not. Where that may not be found out, a call that makes a new file
 * and nothing else can be allowed without a look.
 */
export async function planWrite(deps: WriteDeps, whole: WholeText, { signal }: ToolContext): Promise<Unsettled<WriteState>> {
  const { location, content } = whole;
  const open = (context: RunContext): Promise<Draft<WriteState>> => settleWrite(deps, whole, context);
  if (deps.versions.lastSeen(location.real) !== undefined) return changeOfKnown(location, open);
  const presence = presenceAccess(location);
  const { subject, ...blind } = await draftChange({ location, before: undefined, after: content, whole: true, presence }, created(location, content), signal);
  return { subject, reads: presence, accesses: fileAccess('write', location), blind, open };
}

function created(location: FileLocation, content: string): string {
  return `Created ${showName(location.display)}: ${count(countLines(content), 'line')}.`;
}

/** @throws ToolInputError where the text would overwrite what the model does not know, or leave out a part of it. */
async function settleWrite(deps: WriteDeps, { location, content }: WholeText, context: RunContext): Promise<Draft<WriteState>> {
  const name = showName(location.display);
  const before = await presentFile(deps, location, context);
  if (before !== undefined) checkWhole(name, content, before);
  const after = before === undefined ? content : await inPresentForm(content, before.text, context);
  if (after === before?.text) throw new ToolInputError({ kind: 'unchanged', file: name, by: 'write' });
  const done = before === undefined ? created(location, after) : `Replaced ${name}: ${count(countLines(after), 'line')}.`;
  return draftChange({ location, before, after, whole: true }, done, context.signal);
}

async function presentFile(deps: WriteDeps, location: FileLocation, context: RunContext): Promise<TextFile | undefined> {
  await checkPlaces(deps.workspace, [location]);
  const documents = deps.documents.for(context);
  const stat = await named(location, documents.stat(location.real, context.signal));
  if (stat === undefined) return undefined;
  if (stat.type !== 'file' || deps.versions.lastSeen(location.real) === undefined) throw presentProblem(location, stat);
  const name = showName(location.display);
  const file = await named(location, documents.read(location.real, context.signal));
  if (file.kind !== 'text') throw new ToolInputError({ kind: 'not_text', file: name, wanted: 'replace' });
  checkUnchanged(deps, file, location);
  if (!deps.versions.sawWhole(location.real)) {
    throw new ToolInputError({ kind: 'not_read', file: name, why: 'partly' });
  }
  return file;
}

/** @throws ToolInputError for a content that is not meant to be the whole file as it stands. */
function checkWhole(name: string, content: string, before: TextFile): void {
  const elision = elisionIn({ name: before.path, before: before.text, after: content });
  if (elision !== undefined) {
    throw new ToolInputError({ kind: 'text_left_out', file: name, line: elision.line }, { detail: cutLine(elision.text, 100) });
  }
  if (countLines(content) > 1 && hasLineNumbers(content) && !hasLineNumbers(before.text)) {
    throw new ToolInputError('The content has the line numbers that read shows before each line; nothing was written. Send it without them.');
  }
}

/**
 * A content in the form of the file that it replaces. Models do not see carriage returns and byte-order marks, so lines
 * get the endings of those they replace, unless the content has carriage returns of its own.
 */
async function inPresentForm(content: string, present: string, context: ToolContext): Promise<string> {
  const text = content.replace(/^\uFEFF/, '');
  if (text.includes('\r') || !present.includes('\r')) return text;
  return (await inSlices(replaceAll(present, [{ start: 0, end: present.length, text }]), context.signal)).text;
}
