import type { ToolCallBlock } from '../../domain/model/content.js';
import { type Message, textContent, toolCalls, type ToolResultMessage } from '../../domain/model/message.js';

/** A tool call of a script. */
export interface Call {
  readonly name: 'bash' | 'read' | 'edit' | 'agent' | 'agents';
  readonly args: Readonly<Record<string, string>>;
  /** Ends the sentence “I would have …” when the call is denied. */
  readonly would: string;
}

/** The result of a call. A `denied` call did not run, a `cancelled` one may have done so in part. */
interface Answer {
  readonly call: string;
  readonly outcome: 'ok' | 'failed' | 'denied' | 'cancelled';
  readonly text: string;
}

const DENIED = /^((this|the) call was )?(permission denied\.|(the (user|person) )?(denied|declined|refused|rejected)\b)/i;
/** A denial that did not come from the user. */
const DENIED_BY_RULE = /^permission denied\./i;
const CANCELLED = /^((this|the) call was )?(cancel+ed|interrupted|aborted|stopped|not (executed|run))\b|\[stopped on request[^\n]*\]\s*$/i;

/** What the calls of a script have shown so far. All of it is in the conversation, so there is no other state. */
export class Seen {
  private readonly answers: readonly Answer[];
  private readonly denied: Answer | undefined;

  constructor(history: readonly Message[]) {
    const calls = new Map(history.flatMap((message) => toolCalls(message)).map((call) => [call.id, keyOfBlock(call)]));
    const results = history.filter((message) => message.role === 'tool_result');
    this.answers = results.map((result) => ({ call: calls.get(result.toolCallId) ?? '', outcome: outcomeOf(result), text: textContent(result) }));
    const last = this.answers.at(-1);
    this.denied = history.at(-1)?.role === 'tool_result' && last?.outcome === 'denied' ? last : undefined;
  }

  /** What denied a call just now: the user, or a rule or mode; `undefined` for nothing. */
  deniedBy(call: Call): 'user' | 'rule' | undefined {
    if (this.denied?.call !== key(call)) return undefined;
    return DENIED_BY_RULE.test(this.denied.text) ? 'rule' : 'user';
  }

  /** When a call last ran, or was about to, as a number that grows; -1 if it never did. */
  at(call: Call): number {
    return this.answers.findLastIndex((answer) => answer.call === key(call) && answer.outcome !== 'denied');
  }

  /** What a call showed when it last ran. Undefined if it has to run (again), also after it was cancelled. */
  textOf(call: Call): string | undefined {
    const answer = this.answers[this.at(call)];
    return answer?.outcome === 'cancelled' ? undefined : answer?.text;
  }

  shows(call: Call, text: string): boolean {
    return this.textOf(call)?.includes(text) === true;
  }

  succeeded(call: Call): boolean {
    return this.answers[this.at(call)]?.outcome === 'ok';
  }

  failures(call: Call): number {
    return this.answers.filter((answer) => answer.call === key(call) && answer.outcome === 'failed').length;
  }
}

function key({ name, args }: Call): string {
  return name + JSON.stringify(args);
}

/** The key of a call in a conversation. Its arguments may have other white space and escapes than they were made with. */
function keyOfBlock({ name, arguments: json }: ToolCallBlock): string {
  try {
    return name + JSON.stringify(JSON.parse(json));
  } catch {
    // Only a call that was cut off is not JSON, and such a call never ran.
    return '';
  }
}

/** Judges a result by its text, since it carries nothing else but the error flag. */
function outcomeOf(result: ToolResultMessage): Answer['outcome'] {
  if (!result.isError) return 'ok';
  const text = textContent(result);
  if (DENIED.test(text)) return 'denied';
  return CANCELLED.test(text) ? 'cancelled' : 'failed';
}
