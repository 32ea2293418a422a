import type { Request } from '../../domain/model/provider.js';
import { Facts } from './facts.js';
import { nextFixStep } from './fix-tests.js';
import { pastCalls } from './past-calls.js';
import type { Step } from './step.js';
import * as words from './words.js';
import { wordsOf } from '../../domain/session/attached.js';
import type { Message, UserMessage } from '../../domain/model/message.js';
import { textContent } from '../../domain/model/message-helpers.js';

const NEEDED_TOOLS = ['bash', 'read', 'glob', 'edit'];

/** The next step of the script: a pure function of the conversation. */
export function planStep(request: Pick<Request, 'messages' | 'tools' | 'systemPrompt'>): Step {
  // Nothing but a summary is asked for without tools and under a prompt of its own.
  if (request.tools.length === 0 && request.systemPrompt.startsWith('You summarise')) return { text: summaryStep(request) };
  const job = currentJob(request.messages);
  if (job.kind === 'other') return { text: words.EXPLANATION };
  const missing = NEEDED_TOOLS.filter((name) => !request.tools.some((tool) => tool.name === name));
  if (missing.length > 0) return { text: words.giveUp(`I need the tools ${missing.join(', ')} for this, and do not have them here.`) };
  const step = nextFixStep(new Facts(pastCalls(job.history)));
  const opening = openingOf(request, job.history.length === 0, job.resumed);
  return opening === '' ? step : { ...step, text: `${opening}\n\n${step.text}` };
}

/** What comes before the first words of a job, and before the first after an interruption. */
function openingOf({ messages }: Pick<Request, 'messages'>, fresh: boolean, resumed: boolean): string {
  if (fresh) return words.INTRODUCTION;
  return resumed && messages.at(-1)?.role === 'user' ? words.RESUMED : '';
}

/** What the person wants, and what has happened since they said so. */
interface Job {
  readonly kind: 'fix_tests' | 'other';
  /** The messages after the one that gave the job. */
  readonly history: readonly Message[];
  /** Whether the person's last message asks to carry on with a job given before. */
  readonly resumed: boolean;
}

/** Phrases of a language, as the chat suggests them and people vary them. */
interface Phrases {
  readonly carryOn: RegExp;
  readonly asksForFix: RegExp;
  readonly asksNotTo: RegExp;
}

const ENGLISH: Phrases = {
  carryOn: /^\W*(please\s+)?(continue|carry on|go on|go ahead|keep going|proceed|resume|retry|(try|do (it|that)) again|yes|ok(ay)?|sure)\b/i,
  asksForFix:
    /\b(fix|repair|solve|resolve|correct|debug)\b[^]*\b(tests?|specs?|test suite|bug|failures?)\b|\b(make|get|let)\b[^]*\b(tests?|specs?|suite)\b[^]*\b(pass(es|ing)?|green|succeed|work(s|ing)?)\b/i,
  asksNotTo: /\b(do not|don['’]?t|never|without)\s+(try to\s+)?(fix|repair|make|chang)/i,
};
const GERMAN: Phrases = {
  carryOn: /^\W*(bitte\s+)?(fortsetzen|fortfahren|mach(e)? weiter|weiter(machen)?|fahre? fort|noch einmal|erneut versuchen|ja)\b/i,
  asksForFix: /\b(behebe?n?|repariere?n?|korrigiere?n?|löse?n?)\b[^]*\b(tests?|fehler)\b|\b(tests?|fehler)\b[^]*\b(beheben|reparieren|korrigieren|lösen)(?![\wäöüß])/i,
  asksNotTo: /\b(nicht|keine?n?|nie|ohne)\b[^.!?]*\b(behebe|reparier|korrigier|löse|änder)/i,
};
const LANGUAGES: readonly Phrases[] = [ENGLISH, GERMAN];

/** Finds the job in a conversation: the last message of the person that says more than "carry on". */
function currentJob(messages: readonly Message[]): Job {
  const last = messages.findLastIndex((message) => message.role === 'user');
  const given = messages.findLastIndex((message) => message.role === 'user' && !carriesOn(message));
  const message = messages[given];
  if (message?.role !== 'user') return { kind: 'other', history: [], resumed: false };
  return { kind: kindOf(wordsOf(message)), history: messages.slice(given + 1), resumed: given !== last };
}

function carriesOn(message: UserMessage): boolean {
  const text = wordsOf(message).trim();
  return text.length <= 80 && LANGUAGES.some(({ carryOn }) => carryOn.test(text)) && kindOf(text) === 'other';
}

function kindOf(text: string): Job['kind'] {
  return LANGUAGES.some(({ asksForFix, asksNotTo }) => asksForFix.test(text) && !asksNotTo.test(text)) ? 'fix_tests' : 'other';
}

/** What the script says when it is asked to summarise a conversation, which comes as JSON, one message a line. */
function summaryStep({ messages }: Pick<Request, 'messages'>): string {
  const last = messages.at(-1);
  const lines = last === undefined ? [] : textContent(last).split('\n');
  const asked = lines.flatMap(requestIn).map((text) => `- ${text.replaceAll('\n', ' ')}`);
  return ['This is the scripted demo model. It keeps what was asked for and forgets the rest.', '## Request', ...asked].join('\n');
}

/** What the person said, in a line that holds a message of theirs. */
function requestIn(line: string): readonly string[] {
  if (!line.startsWith('{')) return [];
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    // A line that is no message, such as one of the instructions around them.
    return [];
  }
  if (typeof message !== 'object' || message === null || Reflect.get(message, 'role') !== 'user') return [];
  const said: unknown = Reflect.get(message, 'text');
  return typeof said === 'string' ? [said] : [];
}
