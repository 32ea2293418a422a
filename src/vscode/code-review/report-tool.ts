import * as z from 'zod/mini';
import { ToolInputError } from '../../domain/errors.js';
import type { MayShow } from '../../domain/workspace/search.js';
import type { Tool } from '../../domain/tool/tool.js';
import type { FileLocation, Workspace } from '../../domain/workspace/workspace.js';
import { type Finding, findingWords, refusalOf, SEVERITIES } from '../../code-review/finding.js';
import { defineTool, textResult } from '../../tool/calls/define.js';
import { locateFile } from '../../tool/calls/places.js';
import { count, showName } from '../../text/show.js';

/** Name of the tool that reports what a review found. */
export const REPORT_TOOL = 'report_finding';

const line = z.number().check(z.int(), z.minimum(1));
const schema = z.strictObject({
  path: z.string().check(z.minLength(1)),
  line,
  end_line: z.optional(line),
  severity: z.enum(SEVERITIES),
  title: z.string().check(z.minLength(1)),
  explanation: z.string(),
  suggestion: z.optional(z.string()),
});
type Args = z.infer<typeof schema>;

const spec = {
  name: REPORT_TOOL,
  description:
    'Show the user a problem at lines of a file. title is one short line, ' +
    'explanation says why it is one, suggestion what to do about it. Plain words; code in `backticks`.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1 },
      line: { type: 'integer', minimum: 1 },
      end_line: { type: 'integer', minimum: 1 },
      severity: { type: 'string', enum: SEVERITIES },
      title: { type: 'string', minLength: 1 },
      explanation: { type: 'string' },
      suggestion: { type: 'string' },
    },
    required: ['path', 'line', 'severity', 'title', 'explanation'],
    additionalProperties: false,
  },
};

/** Where findings are reported to. */
export interface FindingDesk {
  readonly workspace: Pick<Workspace, 'locate' | 'folders' | 'cwd'>;
  /** Makes the check of which files may be shown to a model, with the rules in effect. */
  readonly readGuard: () => Promise<MayShow>;
  /** Line count of the file at a real path. @throws ToolInputError when there is no text file. */
  readonly lineCount: (path: string) => Promise<number>;
  /** Findings reported so far. */
  readonly known: () => readonly Finding[];
  /** Shows a finding. */
  readonly report: (finding: Finding) => void;
}

/** Makes the tool. It affects only what the user sees; its input is untrusted. */
export function createReportTool(desk: FindingDesk): Tool {
  return defineTool<Args, { readonly finding: Finding }>({
    spec,
    schema,
    async plan(args) {
      const location = await placeOf(desk, args.path);
      const finding = await findingAt(desk, location, args);
      const subject = `${showName(location.display)}:${finding.start + 1} ${finding.title}`;
      return { subject, accesses: [{ kind: 'interact', target: 'findings' }], state: { finding } };
    },
    execute({ finding }) {
      desk.report(finding);
      return Promise.resolve(textResult('The user sees it.'));
    },
  });
}

async function placeOf({ workspace, readGuard }: FindingDesk, path: string): Promise<FileLocation> {
  const location = await locateFile(workspace, path);
  if (!location.inside) throw new ToolInputError(`${showName(path)} is outside the workspace. Findings are about files in it.`);
  if (!(await readGuard())(location.real)) throw new ToolInputError(`${showName(path)} may not be shown, so nothing can be reported there.`);
  return location;
}

async function findingAt(desk: FindingDesk, { real, display }: FileLocation, args: Args): Promise<Finding> {
  const lines = await desk.lineCount(real);
  const last = args.end_line ?? args.line;
  if (args.line > lines)
    throw new ToolInputError(`${showName(display)} has ${count(lines, 'line')}; there is no line ${args.line}. Read the file for the right one.`);
  if (last < args.line) throw new ToolInputError(`end_line ${last} comes before line ${args.line}.`);
  const words = findingWords({ title: args.title, explanation: args.explanation, suggestion: args.suggestion ?? '' });
  const finding = { ...words, path: real, start: args.line - 1, end: Math.min(last, lines), severity: args.severity };
  const refusal = refusalOf(finding, desk.known());
  if (refusal !== undefined) throw new ToolInputError(refusal);
  return finding;
}
