import type { Clock } from '../../domain/clock.js';
import { errorMessage } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';
import { hasToolCalls, textContent } from '../../domain/model/message-helpers.js';
import type { Message } from '../../domain/model/message.js';
import type { ModelInfo, Provider } from '../../domain/model/provider.js';
import type { Usage } from '../../domain/model/usage.js';
import type { Answer } from '../turn/answer.js';
import { askOnce } from './ask-once.js';
import type { SessionEvent } from '../events.js';
import { cleanTitle } from './clean-title.js';
import { titleRequest } from './title-request.js';

/** A session, as far as its title is improved. */
export interface TitledSession {
  readonly messages: readonly Message[];
  onEvent(listener: (event: SessionEvent) => void): () => void;
  /** Counts what a request beside the turns used. */
  charge(usage: Usage, model: ModelInfo): void;
}

/** What {@link improveTitle} works with. */
export interface TitlePorts {
  /** Whether a better title is wanted now: the person has given none and the setting is on. */
  readonly wanted: () => boolean;
  /** Who is asked; `undefined` for a model that is never asked for titles. */
  readonly asked: () => Promise<{ readonly provider: Provider; readonly model: ModelInfo } | undefined>;
  readonly apply: (title: string) => void;
  readonly clock: Clock;
  readonly log: Log;
}

const BEGINNINGS: ReadonlySet<SessionEvent['type']> = new Set(['turn_started', 'round_started', 'compaction_started']);

/**
 * Asks a model once for a title, after the first whole answer of a session. A turn that starts meanwhile ends that; what
 * goes wrong is only logged.
 * @returns what ends it.
 */
export function improveTitle(session: TitledSession, ports: TitlePorts): () => void {
  let asking: AbortController | undefined;
  const stop = session.onEvent((event) => {
    // A turn without a message of its own begins with a round, and a session that is summarised is at work too.
    if (BEGINNINGS.has(event.type)) asking?.abort();
    if (event.type !== 'turn_ended' || event.turn.end !== 'end_turn' || !isFirst(session.messages) || !ports.wanted()) return;
    asking = new AbortController();
    // Errors of the request are dealt with; what is left is a port that fails.
    ask(session, ports, asking.signal).catch((error: unknown) => ports.log.warn(`No title was made: ${errorMessage(error)}`));
  });
  return () => {
    stop();
    asking?.abort();
  };
}

function isFirst(messages: readonly Message[]): boolean {
  return messages.filter(({ role }) => role === 'user').length === 1;
}

async function ask(session: TitledSession, ports: TitlePorts, signal: AbortSignal): Promise<void> {
  const asked = await ports.asked();
  const request = asked === undefined ? undefined : titleRequest(session.messages, asked.model);
  if (asked === undefined || request === undefined || signal.aborted) return;
  const { log, clock } = ports;
  const answer = await askOnce(request, { provider: asked.provider, signal, clock, log });
  session.charge(answer.usage, asked.model);
  const title = titleIn(answer);
  // The person may have given one meanwhile, or said more.
  if (title !== undefined && !isAborted(signal) && ports.wanted()) ports.apply(title);
  if (answer.error !== undefined && !isAborted(signal)) log.warn(`No title was made: ${errorMessage(answer.error)}`);
}

/** The title in a whole answer without calls. */
function titleIn({ message, error }: Answer): string | undefined {
  if (message === undefined || error !== undefined || hasToolCalls(message)) return undefined;
  return cleanTitle(textContent(message), message.stopReason === 'length');
}

/** Whether it is so by now. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
