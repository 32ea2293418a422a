import type { InstructionFile } from '../../domain/session/context.js';
import type { Tool } from '../../domain/tool/tool.js';
import type { SessionDeps } from '../agent-session.js';
import type { SessionEvent } from '../events.js';
import type { Transcript } from '../transcript.js';
import { ContextWindow } from './context-window.js';
import { FolderInstructions } from './folder-instructions.js';

/** What a {@link SessionContext} is made from. */
export interface SessionContextDeps extends Pick<SessionDeps, 'open' | 'tools' | 'clock' | 'log' | 'autoCompactPercent' | 'instructions'> {
  readonly transcript: Transcript;
  readonly emit: (event: SessionEvent) => void;
}

/** What fills the context window of one session: its messages and the project's instructions. */
export class SessionContext {
  readonly window: ContextWindow;
  /** The session's tools; their results bring the instructions of folders. */
  readonly tools: readonly Tool[];
  private readonly files: InstructionFile[];
  private readonly emit: (event: SessionEvent) => void;

  constructor({ open, tools, clock, log, transcript, emit, ...options }: SessionContextDeps) {
    const { autoCompactPercent = 0, instructions } = options;
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
      clock,
      log,
      changed: () => folders?.forget(),
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
