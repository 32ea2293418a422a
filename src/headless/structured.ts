import { AbortError, NothingToCompactError } from '../domain/errors.js';
import { text, type UserContent } from '../domain/model/content.js';
import { textContent } from '../domain/model/message.js';
import type { JsonSchema } from '../domain/tool/tool.js';
import { addFigures, addUsage, costSince, figuresSince, usageSince } from '../domain/model/usage.js';
import { present } from '../domain/present.js';
import type { AgentSession } from '../engine/agent-session.js';
import { mayRestAfter, type Turn } from '../engine/events.js';
import type { TurnOptions } from '../engine/turn/turn-scope.js';
import type { CheckedData } from '../engine/one-shot/data-check.js';
import { AGENTS_ENDED } from '../domain/session/elf.js';
import { type RunFacts, subtypeOf } from './ndjson/messages.js';
import type { Asked } from './prompt-text.js';

/** How often a model is asked again for an answer that is not in the form that was asked for. */
const MOST_RETRIES = 2;

/** Checks what a model wrote. */
type Check = (written: string) => CheckedData;

/** What a message came to, as one turn, with the data that was asked for. */
export interface Answered {
  readonly turn: Turn;
  readonly facts: RunFacts;
}

/**
 * Makes the check of answers by a schema.
 * @throws InvalidDataError for one that cannot be read
 */
export async function checkBy(schema: JsonSchema | undefined): Promise<Check | undefined> {
  // What checks by a schema is large, and few runs ask for data.
  return schema === undefined ? undefined : (await import('../engine/one-shot/data-check.js')).dataCheck(schema);
}

/** The form of an answer. */
export interface AnswerForm {
  readonly schema: JsonSchema | undefined;
  readonly check: Check | undefined;
}

/**
 * Carries out what was asked for, with what agents do for it in the background. With a form of the answer, the model is asked again where it did not
 * keep to it.
 * @param signal ends the wait for those agents
 */
export async function answerTo(asked: Asked, session: AgentSession, { schema, check }: AnswerForm, signal: AbortSignal): Promise<Answered> {
  if (asked.kind === 'compact') return { turn: await summarized(session, asked.keep), facts: {} };
  const options = schema === undefined ? {} : { answers: { output: schema } };
  let turn = await withBackground(session, { ...asked.options, ...options }, asked.content, signal);
  if (check === undefined) return { turn, facts: {} };
  for (let retry = 0; ; retry += 1) {
    if (turn.end !== 'end_turn')
      return { turn, facts: subtypeOf(turn) === 'success' ? { structuredProblem: 'The answer was cut off before it was whole.' } : {} };
    const answer = turn.messages.findLast((message) => message.role === 'assistant');
    const checked = check(answer === undefined ? '' : textContent(answer));
    if (checked.ok) return { turn, facts: { structured: checked.value } };
    if (retry === MOST_RETRIES) return { turn, facts: { structuredProblem: `The answer is not in the form that was asked for:\n${checked.problem}` } };
    turn = together(turn, await withBackground(session, options, [text(corrected(checked.problem, schema))], signal));
  }
}

/** A turn, and those that follow because agents that worked in the background have ended: nobody else would wait for them. */
async function withBackground(session: AgentSession, options: TurnOptions, content: readonly UserContent[], signal: AbortSignal): Promise<Turn> {
  const { usage, costUsd, byModel } = session;
  const first = await session.send(content, options).turn;
  let turn = first;
  while (session.childState !== 'idle' && subtypeOf(turn) === 'success') {
    await untilAlone(session, signal);
    if (signal.aborted || session.closed) break;
    turn = together(turn, await session.send([text(AGENTS_ENDED)], againWith(options)).turn);
  }
  // What they used while no turn ran is in no turn.
  return { ...turn, usage: usageSince(usage, session.usage), costUsd: costSince(costUsd, session.costUsd), byModel: figuresSince(byModel, session.byModel) };
}

/** The options of a turn for another one, whose message has no commands in it. */
function againWith({ grants, agent, model, effort, answers }: TurnOptions): TurnOptions {
  return present({ grants, agent, model, effort, answers });
}

/** Resolves when nobody works for a session any more, or the signal is aborted. */
function untilAlone(session: AgentSession, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (session.childState !== 'idle' && !signal.aborted) return;
      stop();
      signal.removeEventListener('abort', look);
      resolve();
    };
    const stop = session.onEvent((event) => {
      if (mayRestAfter(event)) look();
    });
    signal.addEventListener('abort', look);
    look();
  });
}

/** What is wrong with an answer, for the model. The schema is repeated, for servers that took its field and did nothing with it. */
function corrected(problem: string, schema: JsonSchema | undefined): string {
  return [
    `This answer is not valid against the JSON Schema:\n${problem}`,
    `<schema>\n${JSON.stringify(schema)}\n</schema>`,
    'Answer again, with the corrected JSON value and nothing else.',
  ].join('\n\n');
}

/** Two turns as one: how the second ended, and what both took. */
function together(first: Turn, second: Turn): Turn {
  return {
    ...second,
    messages: [...first.messages, ...second.messages],
    rounds: first.rounds + second.rounds,
    durationMs: first.durationMs + second.durationMs,
    modelMs: first.modelMs + second.modelMs,
    denials: [...first.denials, ...second.denials],
    usage: addUsage(first.usage, second.usage),
    costUsd: first.costUsd === undefined || second.costUsd === undefined ? undefined : first.costUsd + second.costUsd,
    byModel: addFigures(first.byModel, second.byModel),
  };
}

/** A summary of the conversation as a turn: nothing is said in it, and it is paid for. */
async function summarized(session: AgentSession, keep: string): Promise<Turn> {
  const { usage, costUsd, byModel } = session;
  const start = performance.now();
  let error: unknown;
  const forget = session.onEvent((event) => {
    if (event.type === 'compaction_ended') error = event.error;
  });
  try {
    await session.compact(keep);
  } catch (nothing) {
    if (!(nothing instanceof NothingToCompactError)) throw nothing;
    error = nothing;
  }
  forget();
  const durationMs = performance.now() - start;
  return {
    end: error === undefined ? 'end_turn' : error instanceof AbortError ? 'aborted' : 'error',
    messages: [],
    rounds: 0,
    ...{ durationMs, modelMs: durationMs, denials: [] },
    usage: usageSince(usage, session.usage),
    costUsd: costSince(costUsd, session.costUsd),
    byModel: figuresSince(byModel, session.byModel),
    ...present({ error }),
  };
}
