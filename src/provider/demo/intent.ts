import { wordsOf } from '../../domain/session/attached.js';
import type { Message, UserMessage } from '../../domain/model/message.js';

/** What the person wants, and what has happened since they said so. */
export interface Job {
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
export function currentJob(messages: readonly Message[]): Job {
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
