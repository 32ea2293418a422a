import type { AgentFile } from '../../domain/config/agent.js';
import type { Tool } from '../../domain/tool/tool.js';
import type { PromptAdditions } from '../system-prompt.js';
import type { RunningModel } from './turn-scope.js';

/** The turn that settings are read for. */
export interface TurnAsked extends RunningModel {
  /** The agent of the turn; `undefined`: none. */
  readonly agent: AgentFile | undefined;
}

/** Settings that can change between turns; they stay the same while one runs. */
export interface TurnSettings {
  /** Tools that come and go, in a stable order, so that the provider's prompt cache stays valid. */
  readonly moreTools: readonly Tool[];
  /** Additions to the system prompt. */
  readonly additions: PromptAdditions;
}

/** Reads them at the start of a turn, once the user's message is recorded. It may wait a little for tools that are about to come. Does not reject. */
export type ReadTurnSettings = (asked: TurnAsked, signal: AbortSignal) => Promise<TurnSettings>;

/** Where nothing comes and goes. */
export const NOTHING_MORE: TurnSettings = { moreTools: [], additions: { text: '' } };
