import { assertNever } from '../../domain/assert-never.js';
import type { AssistantContent, ToolCallBlock } from '../../domain/model/content.js';
import type { AssistantMessage, Message, ToolResultMessage } from '../../domain/model/message.js';
import { attachedNames, wordsOf } from '../../domain/session/attached.js';
import { shown, shownLine } from '../shown.js';
import { type Desk, readSession } from './desk.js';
import { ageOf, costOf } from './words.js';

/** Characters of what a call is about. */
const MAX_SUBJECT = 160;
/** The arguments that say what a call is about, by habit of the built-in tools. */
const SUBJECT_KEYS = ['file_path', 'command', 'pattern', 'query', 'url', 'question', 'name', 'path'];

type Results = ReadonlyMap<string, ToolResultMessage>;

/** How a text looks. */
type Look = (look: 'bold' | 'quiet', text: string) => string;

/** Writes what was said in a session as text, with its calls in one line each. */
export async function showSession(beginning: string, desk: Desk): Promise<void> {
  const { found, stored } = await readSession(beginning, desk);
  const { terminal, streams } = desk;
  const look: Look = (kind, text) => (streams.output.isTTY === true ? terminal.look(kind, text) : text);
  const { id, title, model, costUsd, messageCount, updatedAt, elsewhere } = found;
  const facts = [
    id,
    ...(model === undefined ? [] : [shownLine(model)]),
    `${messageCount} messages`,
    ...(costUsd === undefined ? [] : [costOf(costUsd)]),
    ageOf(updatedAt, Date.now()),
    ...(elsewhere === true ? ['open elsewhere'] : []),
  ];
  const parts = [`${look('bold', shownLine(title))}\n${look('quiet', facts.join(' · '))}`, ...partsOf(stored.session.messages, look)];
  streams.output.write(`${parts.join('\n\n')}\n`);
}

function partsOf(messages: readonly Message[], look: Look): readonly string[] {
  const parts: string[] = [];
  let speaker: Message['role'] | undefined;
  messages.forEach((message, index) => {
    if (message.role === 'tool_result') return;
    const lines = message.role === 'user' ? saidLines(message, look) : answerLines(message, resultsBehind(messages, index), look);
    if (lines.length === 0) return;
    // What an agent says between its calls is one answer.
    parts.push([...(message.role === speaker ? [] : [look('bold', message.role === 'user' ? 'You' : 'Gnomon')]), ...lines].join('\n'));
    speaker = message.role;
  });
  return parts;
}

/** The results by the ids of their calls. Some servers give the same ids in each round, so only those right behind an answer count. */
function resultsBehind(messages: readonly Message[], index: number): Results {
  const results = new Map<string, ToolResultMessage>();
  for (let at = index + 1; ; at += 1) {
    const message = messages[at];
    if (message?.role !== 'tool_result') return results;
    if (!results.has(message.toolCallId)) results.set(message.toolCallId, message);
  }
}

function saidLines(message: Extract<Message, { role: 'user' }>, look: Look): readonly string[] {
  const words = shown(wordsOf(message)).trimEnd();
  return [...(words === '' ? [] : [words]), ...attachedNames(message).map((name) => look('quiet', `  + ${shownLine(name)}`))];
}

function answerLines(message: AssistantMessage, results: Results, look: Look): readonly string[] {
  const lines = message.content.flatMap((block) => blockLines(block, results, look));
  switch (message.stopReason) {
    case 'aborted':
      return [...lines, look('quiet', '  (stopped)')];
    case 'error':
      return [...lines, look('quiet', '  (ended with an error)')];
    case 'length':
      return [...lines, look('quiet', '  (cut off at the maximum length)')];
    case 'end_turn':
    case 'tool_use':
    case 'unknown':
      return lines;
    default:
      return assertNever(message.stopReason);
  }
}

function blockLines(block: AssistantContent, results: Results, look: Look): readonly string[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [shown(block.text).trimEnd()];
    case 'tool_call':
      return [look('quiet', callLine(block, results.get(block.id)))];
    case 'thinking':
      return [];
    default:
      return assertNever(block);
  }
}

function callLine({ name, arguments: json }: ToolCallBlock, result: ToolResultMessage | undefined): string {
  const subject = shownLine(subjectOf(json));
  const short = subject.length <= MAX_SUBJECT ? subject : `${subject.slice(0, MAX_SUBJECT - 1).toWellFormed()}…`;
  const end = result === undefined ? ' (no result)' : result.outcome?.kind === 'denied' ? ' (denied)' : result.isError ? ' (failed)' : '';
  return `  > ${shownLine(name)}${short === '' ? '' : ` ${short}`}${end}`;
}

function subjectOf(json: string): string {
  try {
    const parsed: unknown = JSON.parse(json);
    const args = new Map<string, unknown>(typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : []);
    const found = SUBJECT_KEYS.map((key) => args.get(key)).find((value) => typeof value === 'string');
    return typeof found === 'string' ? found : args.size === 0 ? '' : json;
  } catch {
    // Arguments that were cut off are no JSON.
    return json;
  }
}
