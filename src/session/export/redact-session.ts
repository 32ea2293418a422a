import { assertNever } from '../../domain/assert-never.js';
import type { AssistantContent, UserContent } from '../../domain/model/content.js';
import type { Message } from '../../domain/model/message.js';
import type { Session } from '../../domain/session/session.js';

/** Replaces what looks like a secret in a text. */
export type Redact = (text: string) => string;

/** A copy of a session without what looks like a secret: in what was said, thought, asked of tools and answered by them. */
export function redactSession(session: Session, redact: Redact): Session {
  return { ...session, systemPrompt: redact(session.systemPrompt), messages: session.messages.map((message) => redactMessage(message, redact)) };
}

function redactMessage(message: Message, redact: Redact): Message {
  switch (message.role) {
    case 'user':
      return { ...message, content: message.content.map((block) => redactBlock(block, redact)) };
    case 'assistant':
      return { ...message, content: message.content.map((block) => redactAnswer(block, redact)) };
    case 'tool_result': {
      // The outcome of the call is left out: it has texts of its own, and places in those of the result.
      const { role, toolCallId, toolName, isError, timestamp } = message;
      return { role, toolCallId, toolName, content: message.content.map((block) => redactBlock(block, redact)), isError, timestamp };
    }
    default:
      return assertNever(message);
  }
}

function redactBlock<Block extends UserContent>(block: Block, redact: Redact): Block {
  return block.type === 'text' ? { ...block, text: redact(block.text) } : block;
}

function redactAnswer(block: AssistantContent, redact: Redact): AssistantContent {
  switch (block.type) {
    case 'text':
      return { ...block, text: redact(block.text) };
    case 'thinking': {
      const thinking = redact(block.thinking);
      if (thinking === block.thinking) return block;
      // The signature is only valid for the text before redaction.
      return { type: 'thinking', thinking };
    }
    case 'tool_call':
      return { ...block, arguments: redactArguments(block.arguments, redact) };
    default:
      return assertNever(block);
  }
}

/** Arguments that could be read must stay so: where replacing in the whole breaks them, each text is redacted on its own. */
function redactArguments(raw: string, redact: Redact): string {
  const value = parsed(raw);
  const redacted = redact(raw);
  if (value === undefined || parsed(redacted) !== undefined) return redacted;
  return JSON.stringify(value.json, (_key, each: unknown) => (typeof each === 'string' ? redact(each) : each));
}

function parsed(raw: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(raw) };
  } catch {
    // Arguments that were cut off are no JSON; they are kept as they are.
    return undefined;
  }
}
