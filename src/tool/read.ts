import { present } from '../domain/present.js';
import * as z from 'zod/mini';
import { assertNever } from '../domain/assert-never.js';
import type { BinaryFile, FileContent, PdfFile, TextFile } from '../domain/workspace/documents.js';
import { ToolInputError } from '../domain/errors.js';
import type { PdfReader } from '../domain/workspace/pdf.js';
import type { Tool, ToolResult } from '../domain/tool/tool.js';
import type { FileLocation, Workspace } from '../domain/workspace/workspace.js';
import { checkPlaces, fileAccess, locateFile, named } from './calls/places.js';
import { OTHER_FORMS } from './calls/forms.js';
import { defineTool, filled, linesResult } from './calls/define.js';
import type { FileVersions } from './calls/file-versions.js';
import type { RunContext } from './calls/sealed.js';
import { READ_CHARACTERS, READ_LINE_CHARACTERS, READ_LINES, stretchOf } from './reading/numbered-lines.js';
import { type FolderDeps, folderEntries } from './reading/folder-entries.js';
import { missingProblem } from './reading/not-a-file.js';
import { shownPages, shownStretch } from './reading/read-result.js';
import { count, showName, showScaled, showSize } from '../text/show.js';
import { inSlices } from '../concurrency/steps.js';
import { isNotebookPath, parseNotebook } from '../text/notebook/notebook.js';

const schema = z.strictObject({ file_path: filled, offset: z.optional(z.int().check(z.minimum(1))), limit: z.optional(z.int().check(z.minimum(1))) });
type Args = z.infer<typeof schema>;

const spec = {
  name: 'read',
  description:
    `Read a text file, notebook, PDF or image (png, jpeg, gif, webp). Lines come numbered, up to ${READ_LINES} at a time. ` +
    'Unsaved changes in the editor are included.',
  parameters: {
    type: 'object',
    properties: {
      file_path: { type: 'string', description: 'Absolute, or relative to the workspace folder' },
      offset: { type: 'integer', minimum: 1, description: 'First line, from 1' },
      limit: { type: 'integer', minimum: 1, description: 'Number of lines' },
    },
    required: ['file_path'],
    additionalProperties: false,
  },
};

/** Pages of a PDF document that one call returns when the model sets no limit. */
const PDF_PAGES = 50;
/** Characters of one of them; there are seldom more than 5,000. */
const PAGE_CHARACTERS = 20_000;

interface ReadDeps extends FolderDeps {
  readonly workspace: Workspace;
  readonly versions: FileVersions;
  /** Left out where the text of PDF documents cannot be read. */
  readonly pdf?: PdfReader;
}

interface State {
  readonly args: Args;
  readonly location: FileLocation;
}

/** The tool that reads one file, or lists a folder. Its reads go into the ledger, so that later edits can detect stale knowledge. */
export function createReadTool(deps: ReadDeps): Tool {
  return defineTool<Args, State>({
    spec,
    schema,
    forms: OTHER_FORMS.read,
    async plan(args) {
      const location = await locateFile(deps.workspace, args.file_path);
      return { subject: showName(location.display), accesses: fileAccess('read', location), state: { args, location } };
    },
    async execute({ args, location }, _plan, context) {
      await checkPlaces(deps.workspace, [location]);
      const documents = deps.documents.for(context);
      const stat = await named(location, documents.stat(location.real, context.signal));
      if (stat === undefined) throw await missingProblem({ documents, location, mayShow: await deps.readGuard() }, context.signal);
      if (stat.type === 'directory') return linesResult(await folderEntries(deps, { location, first: args.offset ?? 1 }, context));
      const file = await named(location, documents.read(location.real, context.signal));
      return new Reading(deps, { args, location }, context).result(file);
    },
  });
}

/** One call of `read` whose file has been read. */
class Reading {
  private readonly location: FileLocation;
  private readonly args: Args;
  private readonly name: string;

  constructor(
    private readonly deps: ReadDeps,
    { args, location }: State,
    private readonly context: RunContext,
  ) {
    this.location = location;
    this.args = args;
    this.name = showName(location.display);
  }

  async result(file: FileContent): Promise<ToolResult> {
    switch (file.kind) {
      case 'text':
        return this.lines(file);
      case 'large':
        return this.linesOfLarge(file);
      case 'image': {
        const label = `${this.name}: ${file.mimeType}, ${showSize(file.data.length)}${showScaled(file)}`;
        return {
          content: [
            { type: 'text', text: label },
            { type: 'image', data: file.data, mimeType: file.mimeType },
          ],
          isError: false,
        };
      }
      case 'pdf':
        return this.pages(file);
      case 'binary':
        throw binaryProblem(this.name, file);
      default:
        return assertNever(file);
    }
  }

  private async pages({ bytes }: PdfFile): Promise<ToolResult> {
    const { pdf } = this.deps;
    if (pdf === undefined) throw binaryProblem(this.name, { size: bytes.length, type: 'PDF document' });
    const { offset: first = 1, limit: pages = PDF_PAGES } = this.args;
    const found = await pdf.read(bytes, { first, pages, characters: READ_CHARACTERS - PAGE_CHARACTERS, pageCharacters: PAGE_CHARACTERS }, this.context.signal);
    if (first > found.total) throw new ToolInputError(`${this.name} has ${count(found.total, 'page')}, and offset counts pages; ${first} is past the end.`);
    return linesResult(shownPages(this.name, found));
  }

  private get range(): { first: number; lines: number; lineCharacters: number; characters: number } {
    const { offset = 1, limit = READ_LINES } = this.args;
    return { first: offset, lines: limit, lineCharacters: READ_LINE_CHARACTERS, characters: READ_CHARACTERS };
  }

  private async lines(file: TextFile): Promise<ToolResult> {
    const { first } = this.range;
    const stretch = await inSlices(stretchOf(file.text, this.range), this.context.signal);
    const shown = shownStretch({ name: this.name, first, stretch, file });
    const last = first + stretch.lines.length - 1;
    this.deps.versions.saw(this.location.real, file.hash, { first, last, total: stretch.total });
    return linesResult(isNotebookPath(this.location.real) && file.notebook === undefined ? [await this.notebookProblem(file), ...shown] : shown);
  }

  /** Why a notebook comes as the JSON that it is written in. */
  private async notebookProblem({ text }: TextFile): Promise<string> {
    const found = await inSlices(parseNotebook(text), this.context.signal);
    return `[This notebook cannot be shown as cells${'problem' in found ? `: ${found.problem}` : ''}. This is its file as it is written; edit changes that.]`;
  }

  private async linesOfLarge(file: FileContent & { readonly kind: 'large' }): Promise<ToolResult> {
    const stretch = await named(this.location, this.deps.documents.for(this.context).readLines(this.location.real, this.range, this.context.signal));
    return linesResult(shownStretch({ name: this.name, first: this.range.first, stretch, file }));
  }
}

function binaryProblem(name: string, { size, type }: Pick<BinaryFile, 'size' | 'type'>): ToolInputError {
  const extension = /\.([\w-]{1,12})$/.exec(name)?.[1];
  const known = { ...present({ type }), ...(extension === undefined ? {} : { extension: `.${extension}` }) };
  return new ToolInputError({ kind: 'binary', file: name, ...known }, { detail: showSize(size) });
}
