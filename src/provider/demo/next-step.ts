import { type Message, textContent, type UserMessage } from '../../domain/model/message.js';
import type { Request } from '../../domain/model/provider.js';
import { wordsOf } from '../../domain/session/attached.js';
import { anyOf } from '../../text/any-of.js';
import { denied, EXPLANATION, giveUp, INTRODUCTION, type Script, SCRIPTS } from './scripts.js';
import { type Call, Seen } from './seen.js';

/** One answer of the demo, and the calls it makes if the task continues. */
export interface Answer {
  readonly thinking?: string | undefined;
  readonly text: string;
  readonly calls: readonly Call[];
}

const CARRY_ON = new RegExp(
  String.raw`^\W*((please|bitte)\s+)?(${anyOf(
    'continue|carry on|go on|go ahead|keep going|proceed|resume|retry|(try|do (it|that)) again|yes|ok(ay)?|sure',
    'fortsetzen|fortfahren|mache? weiter|weiter(machen)?|fahre? fort|noch einmal|erneut versuchen|ja',
  )})\b`,
  'i',
);
const ASKS_NOT_TO = [
  /\b(do not|don['’]?t|never|without)\s+(try to\s+)?(fix|repair|make|chang|explain)/i,
  /\b(nicht|keine?n?|nie|ohne)\b[^.!?]*\b(behebe|reparier|korrigier|löse|änder|erklär)/i,
];

/** The next answer: a pure function of the conversation. */
export function nextStep(request: Pick<Request, 'messages' | 'tools' | 'systemPrompt'>): Answer {
  const { messages, tools, systemPrompt } = request;
  // Nothing but a summary is asked for without tools and under a prompt of its own.
  if (tools.length === 0 && /^You summari[sz]e/.test(systemPrompt)) return { text: summary(messages), calls: [] };
  const given = messages.findLastIndex((message) => message.role === 'user' && !carriesOn(message));
  const task = messages[given];
  const script = task?.role === 'user' ? scriptFor(wordsOf(task)) : undefined;
  if (script === undefined) return { text: EXPLANATION, calls: [] };
  const missing = script.steps.flatMap(({ calls = [] }) => calls.map(({ name }) => name)).filter((name) => !tools.some((tool) => tool.name === name));
  if (missing.length > 0) return { text: giveUp(`I need the tools ${[...new Set(missing)].join(', ')} for this, and do not have them here.`), calls: [] };
  const history = messages.slice(given + 1);
  const answer = play(script, new Seen(history));
  return { ...answer, text: `${openingOf(history)}${answer.text}` };
}

function play({ steps, otherwise }: Script, seen: Seen): Answer {
  const { thinking, say, calls = [], more } = steps.find(({ when }) => when(seen)) ?? { say: otherwise };
  const all = [...calls, ...(more?.(seen) ?? [])];
  for (const call of all) {
    const by = seen.deniedBy(call);
    if (by !== undefined) return { text: denied(call, by), calls: [] };
  }
  return { thinking, text: typeof say === 'string' ? say : say(seen), calls: all };
}

/** Text before the first answer of a task, and before the first after an interruption. */
function openingOf(history: readonly Message[]): string {
  if (history.length === 0) return `${INTRODUCTION}\n\n`;
  return history.at(-1)?.role === 'user' ? 'I carry on with the task from before the interruption.\n\n' : '';
}

/** Whether the user asks no more than to continue with the task given before. */
function carriesOn(message: UserMessage): boolean {
  const text = wordsOf(message).trim();
  return text.length <= 80 && CARRY_ON.test(text) && scriptFor(text) === undefined;
}

function scriptFor(text: string): Script | undefined {
  return ASKS_NOT_TO.some((pattern) => pattern.test(text)) ? undefined : SCRIPTS.find(({ asked }) => asked.some((pattern) => pattern.test(text)));
}

/** The summary of a conversation, which comes as JSON, one message a line: what the user asked for. */
function summary(messages: readonly Message[]): string {
  const last = messages.at(-1);
  const lines = last === undefined ? [] : textContent(last).split('\n');
  const asked = lines.flatMap(requestIn).map((text) => `- ${text.replaceAll('\n', ' ')}`);
  return ['This is the scripted demo model. It keeps what was asked for and forgets the rest.', '## Request', ...asked].join('\n');
}

/** The user's message in a transcript line. */
function requestIn(line: string): readonly string[] {
  if (!line.startsWith('{')) return [];
  try {
    const { role, text } = JSON.parse(line) as { readonly role?: unknown; readonly text?: unknown };
    return role === 'user' && typeof text === 'string' ? [text] : [];
  } catch {
    // A line that is not a message, such as one of the instructions around them.
    return [];
  }
}
