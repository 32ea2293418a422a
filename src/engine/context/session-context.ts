import type { InstructionFile, Instructions } from '../../domain/session/context.js';
import type { Tool, Plan, ToolContext, ToolResult } from '../../domain/tool/tool.js';
import type { SessionDeps } from '../agent-session.js';
import type { SessionEvent } from '../events.js';
import type { Transcript } from '../transcript.js';
import { EnvironmentNotes } from './environment-notes.js';
import { ContextWindow } from './context-window.js';
import { text } from '../../domain/model/content.js';
import { errorMessage } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';

/** Dependencies of {@link SessionContext}. */
export interface SessionContextDeps extends Pick<SessionDeps, 'open' | 'tools' | 'clock' | 'log' | 'autoCompactPercent' | 'autoCompactTokens' | 'instructions' | 'environment'> {
  readonly transcript: Transcript;
  readonly emit: (event: SessionEvent) => void;
}

/** What fills the context window of one session: its messages and the project's instructions. */
export class SessionContext {
  readonly window: ContextWindow;
  /** The session's tools; their results bring the instructions of folders. */
  readonly tools: readonly Tool[];
  /** Tells where the agent works. */
  readonly notes: EnvironmentNotes;
  private readonly files: InstructionFile[];
  private readonly emit: (event: SessionEvent) => void;

  constructor({ open, tools, clock, log, transcript, emit, ...options }: SessionContextDeps) {
    const { autoCompactPercent = 0, autoCompactTokens = 0, instructions, environment } = options;
    this.notes = new EnvironmentNotes(environment);
    this.emit = emit;
    this.files = [...(instructions?.workspace ?? [])];
    const loaded = (files: readonly InstructionFile[]): void => this.load(files);
    const folders = instructions && new FolderInstructions({ instructions: instructions.finder, known: instructions.workspace, log, loaded });
    this.tools = folders?.around(tools) ?? tools;
    this.window = new ContextWindow({
      systemPrompt: open.session.systemPrompt,
      tools: tools.map(({ spec }) => spec),
      transcript,
      compactions: open.meta.compactions ?? [],
      autoPercent: autoCompactPercent,
      autoTokens: autoCompactTokens,
      clock,
      log,
      changed: () => {
        folders?.forget();
        this.notes.forget();
      },
    });
    // Listeners come right after the session is made.
    const known = this.instructions;
    if (known.length > 0) queueMicrotask(() => this.emit({ type: 'instructions_loaded', files: known }));
  }

  /** Every file with instructions that the model got, in the order in which it got them. */
  get instructions(): readonly InstructionFile[] {
    return [...this.files];
  }

  private load(files: readonly InstructionFile[]): void {
    this.files.push(...files);
    this.emit({ type: 'instructions_loaded', files });
  }
}

/** Characters of instructions that one session adds to results at most, between two summaries. */
const MAX_CHARACTERS = 120_000;

/** Dependencies of {@link FolderInstructions}. */
interface FolderInstructionsDeps {
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
class FolderInstructions {
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
