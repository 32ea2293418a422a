import { type FoundInstructions, NO_INSTRUCTIONS } from '../../domain/session/context.js';
import type { TextBlock } from '../../domain/model/content.js';
import type { PermissionMode } from '../../domain/tool/permission.js';
import type { ReadTurnSettings } from '../turn/turn-settings.js';
import type { Tool } from '../../domain/tool/tool.js';
import type { SessionDeps } from '../agent-session.js';
import type { EmittedEvent } from '../events.js';
import type { SessionLife } from '../hooks/session-life.js';
import type { Transcript } from '../transcript.js';
import { EnvironmentNotes } from './environment-notes.js';
import type { SummaryModel } from './ask-for-summary.js';
import { ContextWindow } from './context-window.js';
import { toldInstructions } from './instruction-text.js';
import { keptFrom } from './overlay.js';
import { SessionInstructions } from './session-instructions.js';
import { SessionSkills } from './session-skills.js';

/** The session's transcript, hooks, and events, with the options of the session for context and compaction. */
export interface SessionContextDeps extends Pick<
  SessionDeps,
  'open' | 'tools' | 'clock' | 'log' | 'autoCompactPercent' | 'autoCompactTokens' | 'instructions' | 'environment' | 'skills'
> {
  readonly transcript: Transcript;
  readonly life: SessionLife;
  readonly emit: (event: EmittedEvent) => void;
  /** What chooses the models of the session, once that is there. */
  readonly auto: () => { readonly forSummary: SummaryModel };
}

/** Content of one session's context window: its messages, the project's instructions, and skills. */
export class SessionContext {
  readonly window: ContextWindow;
  /** The session's tools; their results bring the instructions of folders. */
  readonly tools: readonly Tool[];
  /** Tells where the agent works. */
  private readonly environment: EnvironmentNotes;
  private readonly project: SessionInstructions | undefined;
  private readonly skills: SessionSkills | undefined;

  constructor({ open, tools, clock, log, transcript, emit, life, auto, ...options }: SessionContextDeps) {
    const { autoCompactPercent = 0, autoCompactTokens = 0, instructions, environment, skills } = options;
    const { systemPrompt } = open.session;
    this.environment = new EnvironmentNotes(environment);
    this.window = new ContextWindow({
      systemPrompt,
      tools: tools.map(({ spec }) => spec),
      transcript,
      life,
      summaryModel: (...wish) => auto().forSummary(...wish),
      compactions: open.meta.compactions ?? [],
      autoPercent: autoCompactPercent,
      autoTokens: autoCompactTokens,
      clock,
      log,
      underWay: () => this.environment.underWay,
      changed: () => {
        this.project?.forget();
        this.environment.forget();
      },
    });
    const told = (): Map<string, string> =>
      toldInstructions(systemPrompt, transcript.sent.slice(keptFrom(transcript.messages, this.window.compactions.at(-1))));
    const changed = (found: FoundInstructions): void => emit({ type: 'instructions_found', found });
    this.project = instructions && new SessionInstructions({ finder: instructions.finder, found: instructions.workspace, told, log, changed });
    this.skills = skills && new SessionSkills({ ...skills, messages: () => transcript.sent, compaction: () => this.window.overlay, log });
    this.tools = this.project?.around(tools) ?? tools;
  }

  /** The instructions that there are, those of folders since a call touched a file there. */
  get instructions(): FoundInstructions {
    return this.project?.all ?? NO_INSTRUCTIONS;
  }

  /** The settings of a turn with the tool that loads skills, once the model has seen a list of them. */
  withSkills(read: ReadTurnSettings): ReadTurnSettings {
    return async (asked, signal) => {
      const { skillTools } = this;
      const settings = await read(asked, signal);
      return { ...settings, moreTools: [...skillTools, ...settings.moreTools] };
    };
  }

  /** The tool that loads skills, once the model has seen any in the list. */
  private get skillTools(): readonly Tool[] {
    return this.skills?.tools ?? [];
  }

  /** The texts of skills that an agent has from the start, as far as the model does not have them. Never rejects. */
  async preloaded(names: readonly string[], signal: AbortSignal): Promise<readonly TextBlock[]> {
    return (await this.skills?.preloaded(names, signal)) ?? [];
  }

  /** Hidden notes for the next message: changes of the environment, the instructions, and the skills. Never rejects. */
  async notes(now: { readonly mode: PermissionMode; readonly model: string; readonly time: string }, signal: AbortSignal): Promise<readonly TextBlock[]> {
    const environment = this.environment.next(now);
    const [instructions, skills] = await Promise.all([this.project?.note(signal), this.skills?.note(signal)]);
    return [environment, instructions, skills].filter((note) => note !== undefined);
  }
}
