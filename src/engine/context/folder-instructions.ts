import { text } from '../../domain/model/content.js';
import type { InstructionFile, Instructions } from '../../domain/session/context.js';
import { errorMessage } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';
import type { Plan, Tool, ToolContext, ToolResult } from '../../domain/tool/tool.js';

/** Characters of instructions that one session adds to results at most, between two summaries. */
const MAX_CHARACTERS = 120_000;

/** Dependencies of {@link FolderInstructions}. */
export interface FolderInstructionsDeps {
  readonly instructions: Instructions;
  /** What the model has anyway. */
  readonly known: readonly InstructionFile[];
  readonly log: Log;
  /** Notified of files that the model gets for the first time. */
  readonly loaded: (files: readonly InstructionFile[]) => void;
}

/**
 * Gives the model the instructions of a folder with the result of the first call that reads or writes a file below it.
 * Each file is given once; again only after a summary took the place of the result that held it.
 */
export class FolderInstructions {
  private readonly deps: FolderInstructionsDeps;
  /** Paths of instruction files that the model has. */
  private readonly given = new Set<string>();
  /** Folders that were looked into. */
  private readonly visited = new Set<string>();
  private readonly announced = new Set<string>();
  private characters = 0;

  constructor(deps: FolderInstructionsDeps) {
    this.deps = deps;
    this.forget();
  }

  /** Tools whose results bring the instructions. */
  around(tools: readonly Tool[]): readonly Tool[] {
    return tools.map((tool) => ({
      ...tool,
      plan: (args, context) => tool.plan(args, context),
      execute: async (plan, context) => this.add(await tool.execute(plan, context), plan, context),
    }));
  }

  /** The model may have lost what it was given. */
  forget(): void {
    this.given.clear();
    for (const { path } of this.deps.known) this.given.add(path);
    this.visited.clear();
    this.characters = 0;
  }

  private async add(result: ToolResult, plan: Plan, { signal }: ToolContext): Promise<ToolResult> {
    if (result.isError) return result;
    const files = plan.accesses.filter(({ kind }) => kind === 'read' || kind === 'write').map(({ target }) => target);
    const found: InstructionFile[] = [];
    for (const file of files) found.push(...(await this.find(file, signal)));
    if (found.length === 0) return result;
    this.announce(found);
    return { ...result, content: [...result.content, ...found.map((file) => text(folderInstructionText(file)))] };
  }

  /** Failing to find instructions is no failure of the call, which was made. */
  private async find(path: string, signal: AbortSignal): Promise<readonly InstructionFile[]> {
    const folder = path.replace(/[\\/][^\\/]*$/, '');
    if (this.visited.has(folder)) return [];
    this.visited.add(folder);
    try {
      const files = await this.deps.instructions.ofFile(path, signal);
      return files.filter((file) => this.take(file));
    } catch (error) {
      this.visited.delete(folder);
      if (!signal.aborted) this.deps.log.warn(`Instructions for a file could not be read: ${errorMessage(error)}`);
      return [];
    }
  }

  /** Of calls that run side by side one gets the file. */
  private take({ path, text: words }: InstructionFile): boolean {
    if (this.given.has(path) || this.characters + words.length > MAX_CHARACTERS) return false;
    this.given.add(path);
    this.characters += words.length;
    return true;
  }

  private announce(files: readonly InstructionFile[]): void {
    const fresh = files.filter(({ path }) => !this.announced.has(path));
    for (const { path } of fresh) this.announced.add(path);
    if (fresh.length > 0) this.deps.loaded(fresh);
  }
}

/** Formats instructions of a folder for a tool result. The system prompt explains them. */
function folderInstructionText({ display, text: words }: InstructionFile): string {
  return `[Instructions of ${display}:\n${words}\n]`;
}
