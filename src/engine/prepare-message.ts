import type { UserContent } from '../domain/model/content.js';
import type { HookBlock } from '../domain/hook/outcome.js';
import type { Clock } from '../domain/clock.js';
import type { UserMessage } from '../domain/model/message.js';
import { withoutNotes, withWords, wordsOf } from '../domain/session/attached.js';
import { ranCommandIn } from '../domain/session/ran-command.js';
import { scriptAsWritten, type ScriptedText } from '../domain/session/scripted-text.js';
import type { Choices } from './choices.js';
import type { SessionContext } from './context/session-context.js';
import type { SessionHooks } from './hooks/session-hooks.js';
import type { SessionLife } from './hooks/session-life.js';
import { userMessage } from './transcript.js';
import type { ScriptRun } from './turn/script-run.js';
import type { PreparedMessage } from './turn/steering.js';

/** The parts of a session that take part in preparing a message of the user. */
export interface MessageParts {
  readonly hooks: SessionHooks;
  readonly life: SessionLife;
  readonly room: SessionContext;
  readonly choices: Choices;
  readonly clock: Clock;
}

/**
 * A message as the model gets it: with what it has to know of where it works, what hooks say, and the skills of the agent.
 * Hooks can block it.
 * @throws InvalidDataError when it is invalid or empty
 */
export async function prepareMessage(
  content: readonly UserContent[],
  { hooks, life, room, choices, clock }: MessageParts,
  signal: AbortSignal,
): Promise<PreparedMessage<HookBlock>> {
  const time = clock.timestamp();
  const message = hooks.noted(userMessage(withoutNotes(content), time));
  const hooked = await life.prompt(wordsOf(message), signal);
  if ('block' in hooked) return hooked;
  const notes = await room.notes({ mode: choices.effectiveMode, model: choices.activeModel.model.label, time }, signal);
  const skills = await room.preloaded(choices.activeAgent?.skills ?? [], signal);
  return { message: hooks.noted({ ...message, content: [...notes, ...(hooked.note === undefined ? [] : [hooked.note]), ...skills, ...message.content] }) };
}

/** A message as the user wrote it, with the commands in its text as they stand there. @throws InvalidDataError when it is invalid or empty */
export function messageAsWritten(content: readonly UserContent[], script: ScriptedText | undefined, { clock }: Pick<MessageParts, 'clock'>): UserMessage {
  return userMessage(script === undefined ? withoutNotes(content) : withWords(content, scriptAsWritten(script)), clock.timestamp());
}

/** The same as {@link prepareMessage} for one that may have commands in its text, which are run before. @param run runs them, once */
export async function prepareScripted(
  content: readonly UserContent[],
  script: ScriptedText | undefined,
  parts: MessageParts,
  run: () => ScriptRun,
  signal: AbortSignal,
): Promise<PreparedMessage> {
  if (script === undefined) return prepareMessage(content, parts, signal);
  const command = ranCommandIn({ content: withWords(content, scriptAsWritten(script)) });
  const outcome = await run().run(script, command?.name.replace(/^\//, '') ?? '');
  return 'block' in outcome ? outcome : prepareMessage(withWords(content, outcome.words), parts, signal);
}
