import type { TextBlock } from '../../domain/model/content.js';
import { text } from '../../domain/model/content.js';
import { instructionsBlock } from '../../domain/session/attached.js';
import type { FoundInstructions, InstructionFile, Instructions } from '../../domain/session/context.js';
import type { Tool, Plan, ToolContext, ToolResult } from '../../domain/tool/tool.js';
import { errorMessage } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';
import { abortable } from '../tool-call/abort.js';
import { goneText, instructionText } from './instruction-text.js';

/** Characters of instructions that one session adds to results at most, between two summaries. */
const MAX_CHARACTERS = 120_000;
/** Milliseconds after which a message goes out without a look at the instructions, as on a disk that does not answer. */
const WAIT_MS = 5_000;

const CHANGED = 'Instructions that were added or have changed. Each takes the place of what was said of the same file before.';

/** The finder of instruction files, and what the model already has of each, to send only changes. */
interface SessionInstructionsDeps {
  readonly finder: Instructions;
  /** Instructions when the session was opened. */
  readonly found: FoundInstructions;
  /** The instructions that the model has: by display name, the last text of each file. */
  readonly told: () => Map<string, string>;
  readonly log: Log;
  /** Notified of what there is, when that has changed. */
  readonly changed: (found: FoundInstructions) => void;
}

/**
 * Keeps the model up with the project's instructions. What was sent before never changes: a message of the user brings what
 * has changed since, and the result of the first call that reads or writes a file brings those for that file. Each is given
 * once; again only when it has changed, or when a summary took the place of what held it.
 */
export class SessionInstructions {
  private found: FoundInstructions;
  /** As {@link SessionInstructionsDeps.told}, with what is on its way. */
  private told: Map<string, string>;
  /** Files that were looked for. */
  private readonly visited = new Set<string>();
  /** Display names of what messages brought. */
  private readonly noted = new Set<string>();
  /** Those of them that the next result brings again, as the model may have lost them. */
  private lost: readonly string[] = [];
  private characters = 0;

  constructor(private readonly deps: SessionInstructionsDeps) {
    this.found = deps.found;
    this.told = deps.told();
  }

  /** All instructions, in the order in which they apply. */
  get all(): FoundInstructions {
    return this.found;
  }

  /** Tools whose results bring the instructions. */
  around(tools: readonly Tool[]): readonly Tool[] {
    return tools.map((tool) => ({
      ...tool,
      plan: (args, context) => tool.plan(args, context),
      execute: async (plan, context) => this.add(await tool.execute(plan, context), plan, context),
    }));
  }

  /** The model may have lost what it was given. What messages brought it needs at once: a turn can go on for long. */
  forget(): void {
    this.told = this.deps.told();
    this.lost = [...this.noted];
    this.visited.clear();
    this.characters = 0;
  }

  /** Note about changed instructions for the next message; `undefined` for no change, or if that is unknown. Never rejects. */
  async note(stopped: AbortSignal): Promise<TextBlock | undefined> {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(WAIT_MS)]);
    const told = this.deps.told();
    const names = [...told].filter(([display, words]) => words !== goneText(display)).map(([display]) => display);
    try {
      const now = await abortable(this.deps.finder.ofWorkspace(signal, names), signal);
      this.told = told;
      this.visited.clear();
      this.show(now);
      const changed = this.changesOf([...now.files.map(({ display }) => display), ...names]);
      return changed.length === 0 ? undefined : instructionsBlock([CHANGED, ...changed].join('\n\n'));
    } catch (error) {
      if (!stopped.aborted)
        this.deps.log.warn(`Whether instructions have changed could not be found out: ${signal.aborted ? 'it took too long' : errorMessage(error)}`);
      return undefined;
    }
  }

  private async add(result: ToolResult, plan: Plan, { signal }: ToolContext): Promise<ToolResult> {
    if (result.isError) return result;
    const files = plan.accesses.filter(({ kind }) => kind === 'read' || kind === 'write').map(({ target }) => target);
    const given = [...this.changesOf(this.lost)];
    this.lost = [];
    for (const file of files) given.push(...(await this.giveFor(file, signal)));
    return given.length === 0 ? result : { ...result, content: [...result.content, ...given.map((words) => text(words))] };
  }

  /** Failing to find instructions is no failure of the call, which was made. */
  private async giveFor(path: string, signal: AbortSignal): Promise<readonly string[]> {
    if (this.visited.has(path)) return [];
    this.visited.add(path);
    try {
      const { files, leftOut } = await this.deps.finder.ofFile(path, signal);
      // Of calls that run side by side one gets the file.
      const fresh = files.filter((file) => this.isNew(file) && this.fits(file)).map((file) => this.tell(file.display, instructionText(file)));
      this.show({
        files: merged(
          this.found.files,
          files.filter(({ display }) => this.told.has(display)),
        ),
        leftOut: merged(this.found.leftOut, leftOut),
      });
      return fresh;
    } catch (error) {
      this.visited.delete(path);
      if (!signal.aborted) this.deps.log.warn(`Instructions for a file could not be read: ${errorMessage(error)}`);
      return [];
    }
  }

  /** The texts for the model about files that it does not know yet, in the order of their names. */
  private changesOf(names: readonly string[]): readonly string[] {
    return names.flatMap((name) => {
      const file = this.found.files.find(({ display }) => display === name);
      const told = this.told.get(name);
      const words = file === undefined ? goneText(name) : instructionText(file);
      if (told === words || (told === undefined && file === undefined)) return [];
      this.noted.add(name);
      return [this.tell(name, words)];
    });
  }

  private isNew(file: InstructionFile): boolean {
    return this.told.get(file.display) !== instructionText(file);
  }

  private fits({ text: words }: InstructionFile): boolean {
    if (this.characters + words.length > MAX_CHARACTERS) return false;
    this.characters += words.length;
    return true;
  }

  private tell(display: string, words: string): string {
    this.told.set(display, words);
    return words;
  }

  private show(found: FoundInstructions): void {
    if (JSON.stringify(found) === JSON.stringify(this.found)) return;
    this.found = found;
    this.deps.changed(found);
  }
}

/** Adds what is not there yet, and replaces what is there under the same name. */
function merged<Item extends { readonly display: string }>(items: readonly Item[], more: readonly Item[]): readonly Item[] {
  const replaced = items.map((item) => more.find(({ display }) => display === item.display) ?? item);
  return [...replaced, ...more.filter(({ display }) => !items.some((item) => item.display === display))];
}
