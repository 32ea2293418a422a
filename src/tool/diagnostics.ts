import * as z from 'zod/mini';
import type { Diagnostic, Diagnostics } from '../domain/workspace/code-intelligence.js';
import { mayShowFile } from '../domain/workspace/search.js';
import type { Tool } from '../domain/tool/tool.js';
import type { FileLocation } from '../domain/workspace/workspace.js';
import { checkPlaces, fileAccess, type FileDeps } from './calls/places.js';
import { OTHER_FORMS } from './calls/forms.js';
import { defineTool, filled, textResult } from './calls/define.js';
import type { RunContext, Sealed } from './calls/sealed.js';
import { displayBelow, searchRoots } from './searching/search-roots.js';
import { count, cutLine, showName } from '../text/show.js';

/** Problems that one call shows at most; the rest is counted. */
const SHOWN_PROBLEMS = 100;
/** Characters of one message; the rest is cut with a notice. */
const MESSAGE_CHARACTERS = 400;
const SEVERITIES = ['error', 'warning', 'info', 'hint'] as const;

const schema = z.strictObject({ path: z.optional(filled) });
type Args = z.infer<typeof schema>;

const spec = {
  name: 'diagnostics',
  description: 'List problems in a file, folder or the workspace.',
  parameters: { type: 'object', properties: { path: { type: 'string', description: 'Default: the workspace' } }, additionalProperties: false },
};

interface State {
  readonly roots: readonly FileLocation[];
}

interface Problem extends Diagnostic {
  readonly display: string;
}

/** What the tool works through. Messages quote files, so those that may not be shown are left out of a folder's. */
interface DiagnosticsDeps extends FileDeps {
  readonly diagnostics: Sealed<Diagnostics>;
}

/** The tool that lists problems found by language servers, linters, and compilers. */
export function createDiagnosticsTool(deps: DiagnosticsDeps): Tool {
  return defineTool<Args, State>({
    spec,
    schema,
    forms: OTHER_FORMS.diagnostics,
    async plan({ path }) {
      const roots = await searchRoots(deps.workspace, path);
      const accesses = roots.flatMap((root) => fileAccess('read', root));
      return { subject: path === undefined ? 'workspace' : showName(path), accesses, state: { roots } };
    },
    async execute({ roots }, _plan, context) {
      await checkPlaces(deps.workspace, roots);
      await settle(deps, roots, context);
      const found = roots.flatMap((root) => problemsBelow(deps.diagnostics.for(context), root));
      return textResult(report(await shownOf(found, roots, deps)));
    },
  });
}

/** One file is looked at again; for a folder that would take too long, so there what is known counts. */
async function settle(deps: DiagnosticsDeps, roots: readonly FileLocation[], context: RunContext): Promise<void> {
  const [root, ...others] = roots;
  if (root === undefined || others.length > 0) return;
  const stat = await deps.documents.for(context).stat(root.real, context.signal);
  if (stat?.type === 'file') await deps.diagnostics.for(context).settled(root.real, context.signal);
}

/** The problems of files that were named, and of those that may be shown by every name that they have. */
async function shownOf(found: readonly Problem[], roots: readonly FileLocation[], { workspace, readGuard }: DiagnosticsDeps): Promise<readonly Problem[]> {
  const mayShow = await readGuard();
  const named = new Set(roots.flatMap(({ path, real }) => [path, real]));
  const paths = [...new Set(found.map(({ path }) => path))];
  const isShown = async (path: string): Promise<boolean> => named.has(path) || mayShowFile(await workspace.locate(path), mayShow);
  const shown = new Map(await Promise.all(paths.map(async (path) => [path, await isShown(path)] as const)));
  return found.filter(({ path }) => shown.get(path) === true);
}

/** The problems of a root; an editor may know it by the path that was named or by the one that it leads to. */
function problemsBelow(diagnostics: Diagnostics, root: FileLocation): readonly Problem[] {
  const named = diagnostics.current(root.path).map((problem) => ({ ...problem, display: displayBelow({ ...root, real: root.path }, problem.path) }));
  if (root.real === root.path) return named;
  return [...named, ...diagnostics.current(root.real).map((problem) => ({ ...problem, display: displayBelow(root, problem.path) }))];
}

function report(found: readonly Problem[]): string {
  const lines = new Set([...found].sort(worstFirst).map(lineOf));
  if (lines.size === 0) return 'No problems are known.';
  const shown = [...lines].slice(0, SHOWN_PROBLEMS);
  const more = lines.size - shown.length;
  return [summary(found), ...shown, ...(more > 0 ? [`[PARTIAL: and ${more} more. Ask for a file or folder.]`] : [])].join('\n');
}

function summary(found: readonly Problem[]): string {
  const counts = SEVERITIES.map((severity) => [severity, found.filter((problem) => problem.severity === severity).length] as const);
  return counts.flatMap(([severity, amount]) => (amount === 0 ? [] : [count(amount, severity)])).join(', ');
}

function lineOf({ display, line, column, severity, source, code, message }: Problem): string {
  const origin = [source, code].flatMap((part) => (part === undefined || part === '' ? [] : [showName(part)])).join(' ');
  const words = cutLine(showName(message.trim().replace(/\s*[\r\n]+\s*/g, ' ')), MESSAGE_CHARACTERS);
  return `${display}:${line}:${column} ${severity}: ${words}${origin === '' ? '' : ` (${origin})`}`;
}

function worstFirst(a: Problem, b: Problem): number {
  const bySeverity = SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
  return bySeverity || (a.display < b.display ? -1 : Number(a.display > b.display)) || a.line - b.line || a.column - b.column;
}
