import { attachedBlock } from '../../domain/session/attached.js';
import type { UserContent } from '../../domain/model/content.js';
import type { Diagnostic } from '../../domain/workspace/diagnostics.js';
import { count, headOf, showName } from '../../text/show.js';
import { keptBack, namedLines } from './attach-file.js';
import type { LineRange } from '../../text/text-edit.js';
import type { Lookup } from './mention-deps.js';

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
  const lines = found.sort((a, b) => ORDER[a.severity] - ORDER[b.severity]).slice(0, MAX_PROBLEMS).map(lineOf);
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
  return [attachedBlock({ name: open.length === 0 ? 'no open editors' : count(open.length, 'open editor'), text: names.length === 0 ? 'No editor is open.' : names.join('\n') })];
}

/** Attaches what is selected in the active terminal. */
export async function attachTerminal({ terminal }: Lookup): Promise<readonly UserContent[]> {
  const selection = await terminal();
  if (selection === undefined) return [attachedBlock({ name: 'terminal (nothing selected)', text: 'Nothing is selected in the terminal.' })];
  const { text, terminal: name } = selection;
  const cut = text.length > MAX_SELECTION ? `[PARTIAL: the last ${MAX_SELECTION} characters]\n${text.slice(-MAX_SELECTION)}` : text;
  return [attachedBlock({ name: `selection in the terminal ${showName(name)}`, text: cut })];
}
