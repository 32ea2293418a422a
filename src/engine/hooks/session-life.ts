import { BlockedByHookError } from '../../domain/errors.js';
import type { HookBlock, HookOutcome } from '../../domain/hook/outcome.js';
import { t } from '../../domain/l10n.js';
import { text, type TextBlock } from '../../domain/model/content.js';
import type { Timestamp, UserMessage } from '../../domain/model/message.js';
import { hookOutputBlock } from '../../domain/session/attached.js';
import type { CompactionTrigger } from '../../domain/session/context.js';
import type { SessionHooks } from './session-hooks.js';

/** Milliseconds that hooks have at the end of a session: a window that is being closed does not wait for long. */
const END_MS = 1_500;

/** Result of UserPromptSubmit hooks: they block a message, or add a note to it. */
export type HookedPrompt = { readonly block: HookBlock } | { readonly note: TextBlock | undefined };

/** The hooks for the life of a session: its start, its messages, its summaries, and its end. */
export class SessionLife {
  private started = false;
  /** Context that hooks have added for the model since the last message. */
  private said: HookOutcome['context'] = [];

  /** @param source how it starts; `agent` for a session that works for another one, which has events of its own and none for its prompt and its end */
  constructor(
    private readonly hooks: SessionHooks,
    private readonly source: 'startup' | 'resume' | 'clear' | 'agent',
  ) {}

  /** Runs the hooks for the start of the session, once. Never rejects. */
  async start(signal: AbortSignal): Promise<void> {
    if (this.started) return;
    this.started = true;
    const { source } = this;
    const { context } = await this.hooks.run(source === 'agent' ? this.hooks.agentStart() : { hook_event_name: 'SessionStart', source }, signal);
    this.said = [...this.said, ...context];
  }

  /** Runs the hooks for a message of the user, before the first those for the start of the session. Never rejects. */
  async prompt(words: string, signal: AbortSignal): Promise<HookedPrompt> {
    await this.start(signal);
    const submitted = this.source === 'agent' ? undefined : await this.hooks.run({ hook_event_name: 'UserPromptSubmit', prompt: words }, signal);
    if (submitted?.block !== undefined) return { block: submitted.block };
    if (submitted?.stop !== undefined) return { block: { kind: 'denied', ...submitted.stop } };
    const said = [...this.said, ...(submitted?.context ?? [])];
    this.said = [];
    return { note: said.length === 0 ? undefined : hookOutputBlock(said.map(({ by, text }) => `[${by}]\n${text}`).join('\n\n')) };
  }

  /** Runs the hooks before a summary is made. @throws BlockedByHookError when one blocks it. */
  async beforeSummary(trigger: CompactionTrigger, instructions: string | undefined, signal: AbortSignal): Promise<void> {
    const { block } = await this.hooks.run({ hook_event_name: 'PreCompact', trigger: triggerFor(trigger), custom_instructions: instructions ?? '' }, signal);
    if (block !== undefined) throw new BlockedByHookError(t('The hook {0} blocked summarizing: {1}', block.by, block.reason));
  }

  /** Runs the hooks after a summary was made: what they say goes with the next message. */
  async afterSummary(trigger: CompactionTrigger, signal: AbortSignal): Promise<void> {
    const { context } = await this.hooks.run({ hook_event_name: 'PostCompact', trigger: triggerFor(trigger) }, signal);
    const started = await this.hooks.run({ hook_event_name: 'SessionStart', source: 'compact' }, signal);
    this.said = [...this.said, ...context, ...started.context];
  }

  /** Runs the hooks for the end of a session that has begun. */
  async end(reason: 'clear' | 'other'): Promise<void> {
    if (this.started && this.source !== 'agent') await this.hooks.run({ hook_event_name: 'SessionEnd', reason }, AbortSignal.timeout(END_MS));
  }
}

/** A conversation that the model finds too long is summarized without the user having asked for it. */
function triggerFor(trigger: CompactionTrigger): 'manual' | 'auto' {
  return trigger === 'manual' ? 'manual' : 'auto';
}

/** Limit for Stop hooks that keep one turn from ending: a hook that always blocks must not run up a bill. Claude Code has the same number. */
export const MAX_STOP_BLOCKS = 8;

/** Message with the reason of a Stop hook, which makes the model continue. */
export function continueMessage({ by, reason }: HookBlock, times: number, timestamp: Timestamp): UserMessage {
  const last = times < MAX_STOP_BLOCKS ? '' : '\n\nThis is the last time that hooks are asked in this turn.';
  return { role: 'user', content: [text(`[The hook ${by} asks you to go on]\n${reason}${last}`)], timestamp };
}
