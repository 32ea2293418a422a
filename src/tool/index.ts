import type { Diagnostics, Symbols } from '../domain/workspace/code-intelligence.js';
import type { CommandAnalyzer } from '../domain/tool/command-analysis.js';
import type { Documents } from '../domain/workspace/documents.js';
import type { Jobs } from '../domain/workspace/jobs.js';
import type { PdfReader } from '../domain/workspace/pdf.js';
import type { Processes } from '../domain/workspace/processes.js';
import type { Questions } from '../domain/tool/interaction.js';
import type { MayShow, Search } from '../domain/workspace/search.js';
import type { Tool } from '../domain/tool/tool.js';
import type { WebPages } from '../domain/workspace/web-pages.js';
import type { WebSearch } from '../domain/workspace/web-search.js';
import type { Workspace } from '../domain/workspace/workspace.js';
import { createApplyPatchTool } from './apply-patch.js';
import { createAskTool } from './ask.js';
import { createBashTool } from './bash.js';
import { createDiagnosticsTool } from './diagnostics.js';
import { createEditTool } from './edit.js';
import { createFetchTool } from './fetch.js';
import { type FileVersions, createFileVersions } from './calls/file-versions.js';
import { createGlobTool } from './glob.js';
import { createGrepTool } from './grep.js';
import { createJobsTool } from './jobs.js';
import { createListTool } from './list.js';
import { createReadTool } from './read.js';
import { type SkillDeps, createSkillTool } from './skill.js';
import { createSymbolsTool } from './symbols.js';
import { createTodoTool } from './todo.js';
import { createWebSearchTool } from './web-search.js';
import { createWriteTool } from './write.js';
import type { SharedWrites } from './calls/shared-writes.js';
import { otherNames } from './calls/tool-names.js';
import { Sealed } from './calls/sealed.js';

/** Everything that the built-in tools work through. Without a port that is optional its tools are left out. */
export interface ToolDeps {
  readonly documents: Documents;
  readonly workspace: Workspace;
  readonly search: Search;
  readonly processes: Processes;
  readonly questions?: Questions;
  readonly diagnostics?: Diagnostics;
  readonly symbols?: Symbols;
  readonly webPages?: WebPages;
  readonly jobs?: Jobs;
  /** Left out: PDF documents cannot be read. */
  readonly pdf?: PdfReader;
  /** What all sessions have written. Left out: who has changed a file is not said. */
  readonly writes?: SharedWrites;
  /** Analyzes command lines, to distinguish a negative answer from a failure by the exit code. */
  readonly analyzer?: () => Promise<CommandAnalyzer>;
  /** Makes what says which files may be shown where a call did not name them. */
  readonly readGuard: () => Promise<MayShow>;
}

/**
 * The built-in tools of one session, in the stable order in which a model is notified of them.
 * @param versions what the session's model has seen; a new ledger unless one is handed on.
 */
export function createTools(ports: ToolDeps, versions: FileVersions = createFileVersions()): readonly Tool[] {
  const deps = sealed(ports);
  const files = { ...deps, versions };
  const tools = [
    createReadTool(files),
    createWriteTool(files),
    createEditTool(files),
    createApplyPatchTool(files),
    createGrepTool(deps),
    createGlobTool(deps),
    createListTool(deps),
    createBashTool(deps),
    ...(deps.jobs === undefined ? [] : [createJobsTool({ jobs: deps.jobs })]),
    createTodoTool(),
    ...(deps.questions === undefined ? [] : [createAskTool({ questions: deps.questions })]),
    ...(deps.diagnostics === undefined ? [] : [createDiagnosticsTool({ ...deps, diagnostics: deps.diagnostics })]),
    ...(deps.symbols === undefined ? [] : [createSymbolsTool({ ...deps, symbols: deps.symbols })]),
    ...(deps.webPages === undefined ? [] : [createFetchTool({ ...deps, webPages: deps.webPages })]),
  ];
  return tools.map(withOtherNames);
}

/** The ports, with those sealed that reveal the content of files: planning a call cannot use them. */
function sealed({ documents, search, diagnostics, symbols, ...others }: ToolDeps) {
  return {
    ...others,
    documents: new Sealed(documents),
    search: new Sealed(search),
    ...(diagnostics === undefined ? {} : { diagnostics: new Sealed(diagnostics) }),
    ...(symbols === undefined ? {} : { symbols: new Sealed(symbols) }),
  };
}

/** The tool that searches the web. It is not among the others because who searches depends on settings and on the session's model. */
export function createSearchTool(webSearch: WebSearch): Tool {
  return withOtherNames(createWebSearchTool({ webSearch }));
}

/** The tool that loads skills. It is not among the others because most sessions have no skills. */
export function createSkillLoader(deps: SkillDeps): Tool {
  return withOtherNames(createSkillTool(deps));
}

function withOtherNames(tool: Tool): Tool {
  return { ...tool, otherNames: otherNames(tool.spec.name) };
}
