import { assertNever } from '../domain/assert-never.js';
import { attachedBlock } from '../domain/session/attached.js';
import type { UserContent } from '../domain/model/content.js';
import type { FileContent, LineWindow } from '../domain/workspace/documents.js';
import { ToolInputError } from '../domain/errors.js';
import { mayShowFile } from '../domain/workspace/search.js';
import type { FileLocation } from '../domain/workspace/workspace.js';
import { stretchOf, READ_CHARACTERS, READ_LINE_CHARACTERS, READ_LINES } from '../tool/reading/numbered-lines.js';
import { notedText } from '../domain/tool/model-notes.js';
import { shownStretch } from '../tool/reading/read-result.js';
import { showName, showScaled, showSize, count, headOf } from '../text/show.js';
import { inSlices } from '../concurrency/steps.js';
import type { LineRange } from '../text/text-edit.js';
import type { FileLookup, Lookup } from './mention-deps.js';
import type { Diagnostic } from '../domain/workspace/code-intelligence.js';

/** Names of a folder that are attached. */
const MAX_NAMES = 300;

/** A file that was named. */
export interface NamedFile {
  readonly path: string;
  readonly lines?: LineRange | undefined;
}

/** Attaches lines of a file, the names in a folder or an image; of what may not be shown without asking only the path. */
export async function attachFile({ path, lines }: NamedFile, lookup: FileLookup): Promise<readonly UserContent[]> {
  try {
    const location = await lookup.workspace.locate(path);
    const stat = await lookup.documents.stat(location.real, lookup.signal);
    if (stat === undefined) return [notAttached(path, 'not found', `There is no file ${showName(path)}.`)];
    const refusal = keptBack(location, lookup);
    if (refusal !== undefined) return [pathOnly(location, refusal)];
    if (stat.type === 'directory') return [await folder(location, lookup)];
    return await contentOf(location, lines, lookup);
  } catch (error) {
    if (!(error instanceof ToolInputError)) throw error;
    return [notAttached(path, 'not attached', error.message)];
  }
}

/** Whether a path leads to something. */
export async function exists(path: string, { workspace, documents, signal }: FileLookup): Promise<boolean> {
  try {
    return (await documents.stat((await workspace.locate(path)).real, signal)) !== undefined;
  } catch (error) {
    // What is no path at all leads nowhere.
    if (error instanceof ToolInputError) return false;
    throw error;
  }
}

/** Name of a range of lines in a file. */
export function namedLines(display: string, lines: LineRange | undefined): string {
  const name = showName(display);
  if (lines === undefined) return name;
  return lines.first === lines.last ? `${name}:${lines.first}` : `${name}:${lines.first}-${lines.last}`;
}

/** Why a file is not read for a mention; `undefined` when it is. */
export function keptBack(location: FileLocation, { mayShow }: Pick<FileLookup, 'mayShow'>): string | undefined {
  if (!location.inside) return 'it is outside the workspace';
  return mayShowFile(location, mayShow) ? undefined : 'it can hold passwords or keys, or a rule is about it';
}

/** A note with the path of a file whose content is not attached. */
export function pathOnly({ display }: Pick<FileLocation, 'display'>, why: string): UserContent {
  const name = showName(display);
  const text = `Attached file: ${name}\nOnly its path is given, since ${why}. Read it when it is needed; the user may be asked then.`;
  return attachedBlock({ name: `${name} (only the path)`, text });
}

function notAttached(path: string, what: string, why: string): UserContent {
  return attachedBlock({ name: `${showName(path)} (${what})`, text: why });
}

async function folder({ display, real }: FileLocation, { documents, signal }: FileLookup): Promise<UserContent> {
  const { names, more } = await documents.list(real, MAX_NAMES, signal);
  const name = `${showName(display).replace(/\/$/, '')}/`;
  const rest = more ? [`[PARTIAL: the first ${MAX_NAMES} names. List more with glob.]`] : [];
  return attachedBlock({ name, text: names.length === 0 ? 'The folder is empty.' : [...names.map(showName), ...rest].join('\n') });
}

async function contentOf(location: FileLocation, lines: LineRange | undefined, lookup: FileLookup): Promise<readonly UserContent[]> {
  const file = await lookup.documents.read(location.real, lookup.signal);
  const name = namedLines(location.display, lines);
  switch (file.kind) {
    case 'text':
    case 'large':
      return [attachedBlock({ name, text: await shownLines(file, rangeOf(lines), { name, lookup }) })];
    case 'image':
      return [
        attachedBlock({ name, text: `An image (${file.mimeType}${showScaled(file)}), which follows.` }),
        { type: 'image', data: file.data, mimeType: file.mimeType },
      ];
    case 'pdf':
      return [pathOnly(location, `it is a PDF document of ${showSize(file.bytes.length)}`)];
    case 'binary':
      return [pathOnly(location, `it is no text but ${file.type ?? 'a binary file'} of ${showSize(file.size)}`)];
    default:
      return assertNever(file);
  }
}

async function shownLines(
  file: Extract<FileContent, { kind: 'text' | 'large' }>,
  range: LineWindow,
  { name, lookup }: { name: string; lookup: FileLookup },
): Promise<string> {
  const { documents, signal } = lookup;
  const stretch = file.kind === 'text' ? await inSlices(stretchOf(file.text, range), signal) : await documents.readLines(file.path, range, signal);
  const lines = shownStretch({ name, first: range.first, stretch, file });
  const last = range.first + stretch.lines.length - 1;
  const whole = stretch.lines.length === range.lines || last === stretch.total;
  // Lines that were not asked for are not missing.
  return notedText(whole && typeof lines.at(-1) === 'object' ? lines.slice(0, -1) : lines).block.text;
}

function rangeOf(lines: LineRange | undefined): LineWindow {
  const limits = { lineCharacters: READ_LINE_CHARACTERS, characters: READ_CHARACTERS };
  if (lines === undefined) return { first: 1, lines: READ_LINES, ...limits };
  return { first: lines.first, lines: Math.min(READ_LINES, lines.last - lines.first + 1), ...limits };
}

/** Problems that are notified of. */
const MAX_PROBLEMS = 100;
/** Characters of one problem. */
const MAX_MESSAGE = 500;
/** Editors that are notified of. */
const MAX_EDITORS = 200;
/** Characters of what is selected in a terminal; the end counts. */
const MAX_SELECTION = 40_000;

const ORDER: Readonly<Record<Diagnostic['severity'], number>> = { error: 0, warning: 1, info: 2, hint: 3 };

/** Where problems are notified of. */
interface ProblemPlace {
  readonly path?: string;
  readonly lines?: LineRange;
}

/** Attaches the problems of the workspace, of a file or folder, or of lines of a file. Hints are left out. */
export async function attachProblems({ path, lines: among }: ProblemPlace, lookup: Lookup): Promise<readonly UserContent[]> {
  const place = path === undefined ? undefined : await lookup.workspace.locate(path);
  const isMeant = ({ severity, line }: Diagnostic): boolean => severity !== 'hint' && (among === undefined || (line >= among.first && line <= among.last));
  const known = lookup.diagnostics.current(place?.path).filter(isMeant);
  const found = (await Promise.all(known.map((problem) => visible(problem, lookup)))).flat();
  const where = place === undefined ? '' : ` in ${namedLines(place.display, among)}`;
  if (found.length === 0) return [attachedBlock({ name: `no problems${where}`, text: `The editor knows of no problems${where}.` })];
  const lines = found
    .sort((a, b) => ORDER[a.severity] - ORDER[b.severity])
    .slice(0, MAX_PROBLEMS)
    .map(lineOf);
  const more = found.length > MAX_PROBLEMS ? [`[and ${count(found.length - MAX_PROBLEMS, 'problem')} more]`] : [];
  return [attachedBlock({ name: `${count(found.length, 'problem')}${where}`, text: [...lines, ...more].join('\n') })];
}

interface ShownProblem extends Diagnostic {
  readonly display: string;
}

async function visible(problem: Diagnostic, lookup: Lookup): Promise<readonly ShownProblem[]> {
  const location = await lookup.workspace.locate(problem.path);
  return keptBack(location, lookup) === undefined ? [{ ...problem, display: showName(location.display) }] : [];
}

function lineOf({ display, line, column, severity, message, source, code }: ShownProblem): string {
  const by = [source, code].filter((part) => part !== undefined).join(' ');
  return `${display}:${line}:${column} ${severity}: ${headOf(message, MAX_MESSAGE).replace(/\s*\n\s*/g, ' ')}${by === '' ? '' : ` [${by}]`}`;
}

/** Attaches the names of what is open in editors, not what is in it. */
export async function attachEditors({ editors, workspace }: Lookup): Promise<readonly UserContent[]> {
  const open = editors();
  const names = await Promise.all(
    open.slice(0, MAX_EDITORS).map(async ({ path, active, unsaved }) => {
      const notes = [...(active ? ['active'] : []), ...(unsaved ? ['unsaved changes'] : [])].join(', ');
      return `${showName((await workspace.locate(path)).display)}${notes === '' ? '' : ` (${notes})`}`;
    }),
  );
  return [
    attachedBlock({
      name: open.length === 0 ? 'no open editors' : count(open.length, 'open editor'),
      text: names.length === 0 ? 'No editor is open.' : names.join('\n'),
    }),
  ];
}

/** Attaches what is selected in the active terminal. */
export async function attachTerminal({ terminal }: Lookup): Promise<readonly UserContent[]> {
  const selection = await terminal();
  if (selection === undefined) return [attachedBlock({ name: 'terminal (nothing selected)', text: 'Nothing is selected in the terminal.' })];
  const { text, terminal: name } = selection;
  const cut = text.length > MAX_SELECTION ? `[PARTIAL: the last ${MAX_SELECTION} characters]\n${text.slice(-MAX_SELECTION)}` : text;
  return [attachedBlock({ name: `selection in the terminal ${showName(name)}`, text: cut })];
}
