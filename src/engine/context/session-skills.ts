import { skillsBlock, skillsNote } from '../../domain/session/attached.js';
import { text, type TextBlock } from '../../domain/model/content.js';
import { errorMessage } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';
import { type Message, unansweredToolCalls } from '../../domain/model/message.js';
import type { Compaction } from '../../domain/session/context.js';
import { type SkillCatalogSource, skillIn, type SkillTexts } from '../../domain/session/skills.js';
import type { Tool, ToolContext, ToolResult } from '../../domain/tool/tool.js';
import { abortable } from '../tool-call/abort.js';
import { skillChanges, skillsOnWire } from './kept-skills.js';

/** Milliseconds after which a message goes out without a look at the skills, as on a disk that does not answer. */
const WAIT_MS = 5_000;
/** Skills that an agent has from the start. */
const MAX_PRELOADED = 20;

/** The skill catalog and skill texts, and the messages and summary that show which of them the model already has. */
interface SessionSkillsDeps {
  readonly source: SkillCatalogSource;
  /** Loads those that an agent has from the start. */
  readonly texts: Pick<SkillTexts, 'load'>;
  /** Loads skills. */
  readonly tool: Tool;
  readonly messages: () => readonly Message[];
  readonly compaction: () => Compaction | undefined;
  readonly log: Log;
}

/**
 * Keeps the model up with the skills that there are, and gives it the text of each only once. What it has is found out from what is sent to
 * it, so that this is right also for a stored conversation, a branch, and behind a summary. What was sent before never changes.
 */
export class SessionSkills {
  private readonly loader: Tool;
  /** Texts that calls got whose results are not recorded yet, by the ids of the calls. */
  private readonly underway = new Map<string, string>();

  constructor(private readonly deps: SessionSkillsDeps) {
    const { tool } = deps;
    this.loader = { ...tool, execute: async (plan, context) => this.once(await tool.execute(plan, context), context) };
  }

  /**
   * The tool that loads skills, which says no text again that the model has; none as long as the model knows of no skills. From then on it
   * stays, also when they are gone, since other tools would be another beginning of requests.
   */
  get tools(): readonly Tool[] {
    return this.deps.messages().some((message) => message.role === 'user' && skillsNote(message) !== '') ? [this.loader] : [];
  }

  /** Note about changed skills for the next message; `undefined` for no change, or if that is unknown. Never rejects. */
  async note(stopped: AbortSignal): Promise<TextBlock | undefined> {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(WAIT_MS)]);
    try {
      const catalog = await abortable(this.deps.source.catalog(signal), signal);
      const changes = skillChanges(this.onWire.told, catalog);
      return changes === undefined ? undefined : skillsBlock(changes);
    } catch (error) {
      if (!stopped.aborted)
        this.deps.log.warn(`Whether skills have changed could not be found out: ${signal.aborted ? 'it took too long' : errorMessage(error)}`);
      return undefined;
    }
  }

  /**
   * The texts of skills that an agent has from the start, as far as the model does not have them; they go with the next message. One that
   * cannot be loaded is left out. Never rejects.
   */
  async preloaded(names: readonly string[], stopped: AbortSignal): Promise<readonly TextBlock[]> {
    if (names.length === 0) return [];
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(WAIT_MS)]);
    const { loaded } = this.onWire;
    const blocks = await Promise.all(
      names.slice(0, MAX_PRELOADED).map(async (name): Promise<readonly TextBlock[]> => {
        try {
          const { text: content } = await abortable(this.deps.texts.load(name, signal), signal);
          return loaded.get(skillIn(content) ?? '') === content ? [] : [text(content)];
        } catch (error) {
          if (!stopped.aborted)
            this.deps.log.warn(`The skill ${name} of the agent could not be loaded: ${signal.aborted ? 'it took too long' : errorMessage(error)}`);
          return [];
        }
      }),
    );
    return blocks.flat();
  }

  private once(result: ToolResult, { callId }: ToolContext): ToolResult {
    const [first] = result.content;
    const name = first?.type === 'text' && !result.isError ? skillIn(first.text) : undefined;
    if (first?.type !== 'text' || name === undefined) return result;
    const open = new Set(unansweredToolCalls(this.deps.messages()).map(({ id }) => id));
    for (const id of this.underway.keys()) if (!open.has(id)) this.underway.delete(id);
    const isThere = this.onWire.loaded.get(name) === first.text || [...this.underway.values()].includes(first.text);
    if (isThere)
      return {
        ...result,
        content: [text(`The skill ${name} is loaded already, and has not changed since. Follow its text above.`), ...result.content.slice(1)],
      };
    this.underway.set(callId, first.text);
    return result;
  }

  private get onWire(): ReturnType<typeof skillsOnWire> {
    return skillsOnWire(this.deps.messages(), this.deps.compaction());
  }
}
