import type { Clock } from '../../domain/clock.js';
import { text } from '../../domain/model/content.js';
import { errorMessage, ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import { modelKey } from '../../domain/model/model-key.js';
import type { WorkModel } from '../../domain/model/router.js';
import { present } from '../../domain/present.js';
import type { CompactionTrigger } from '../../domain/session/context.js';
import type { EmittedEvent } from '../events.js';
import { hasToolCalls, textContent } from '../../domain/model/message.js';
import type { ModelInfo, Request } from '../../domain/model/provider.js';
import type { RunningModel } from '../turn/turn-scope.js';
import { type AskedModel, errorOf } from '../one-shot/ask-once.js';
import { askPaid, type Payer } from '../one-shot/ask-paid.js';
import { cut } from './result-cap.js';
import { type AskForSummary, SUMMARY_SYSTEM_PROMPT } from './summarize.js';

/** Tokens of a summary at most, with what a model may think on the way; and its share of the context window. */
const MAX_TOKENS = 16_000;
const MAX_SHARE = 0.2;
/** Characters that are kept of a summary, some 10,000 tokens; and for each token of the context window. */
const MAX_CHARACTERS = 40_000;
const CHARACTERS_PER_TOKEN = 0.5;

/** Model that writes a summary, and the payer of its requests. */
export interface SummaryAsker extends AskedModel {
  readonly payer: Payer;
}

/** Chooses the model for a summary of so many tokens, where it need not be that of the session; `undefined`: it is. Does not reject. */
export type SummaryModel = (own: RunningModel, tokens: number, signal: AbortSignal) => Promise<WorkModel | undefined>;

/** One summary to make. */
export interface CompactionOrder extends Pick<SummaryAsker, 'provider' | 'model' | 'signal' | 'payer' | 'reason'> {
  readonly trigger: CompactionTrigger;
  /** The user's instructions for the summary. */
  readonly instructions?: string;
  /** Whether it is made because a refusal that does not say so may be about the length. */
  readonly unclear?: boolean;
  readonly emit: (event: EmittedEvent) => void;
}

/**
 * Has a summary made by the model that was chosen for it; where that fails, by the one that it was ordered with.
 * @param chosen absent: none was
 * @param make makes it, with the model of an order
 */
export async function byChosen(
  order: CompactionOrder,
  chosen: WorkModel | undefined,
  log: Log,
  make: (by: CompactionOrder) => Promise<string>,
): Promise<string> {
  if (chosen === undefined || modelKey(chosen.model) === modelKey(order.model)) return make({ ...order, ...present({ reason: chosen?.reason }) });
  try {
    return await make({ ...order, ...chosen });
  } catch (error) {
    if (order.signal.aborted) throw error;
    log.warn(`${modelKey(chosen.model)} made no summary, so the model of the session is asked: ${errorMessage(error)}`);
    return make(order);
  }
}

/** Lets the model of a conversation write summaries, in requests of their own: no tools, no thinking, no other messages. */
export function askForSummary(asker: SummaryAsker): AskForSummary {
  const { model, clock, payer } = asker;
  return async (words) => {
    const answer = await askPaid(summaryRequestOf(model, words, clock), asker, payer);
    const error = errorOf(answer);
    if (error !== undefined) throw error;
    // What asks for tools, of which it was given none, is no summary.
    const summary = answer.message === undefined || hasToolCalls(answer.message) ? '' : textContent(answer.message).trim();
    if (summary === '') throw new ProviderError('protocol', t('The model did not return a summary. Try again, or choose another model.'));
    return cut(summary, summaryCharacters(model));
  };
}

function summaryRequestOf(model: ModelInfo, words: string, clock: Clock): Request {
  const asked = [model.maxTokens ?? 0, model.maxOutputTokens, model.contextWindow * MAX_SHARE].filter((tokens) => tokens > 0);
  return {
    model: model.id,
    systemPrompt: SUMMARY_SYSTEM_PROMPT,
    messages: [{ role: 'user', content: [text(words.toWellFormed())], timestamp: clock.timestamp() }],
    tools: [],
    maxTokens: Math.floor(Math.min(MAX_TOKENS, ...asked)),
  };
}

/** A summary must leave most of the window free, also when a model writes too much. */
function summaryCharacters({ contextWindow }: ModelInfo): number {
  return contextWindow > 0 ? Math.min(MAX_CHARACTERS, Math.floor(contextWindow * CHARACTERS_PER_TOKEN)) : MAX_CHARACTERS;
}
