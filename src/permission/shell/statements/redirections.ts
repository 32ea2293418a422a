import { type Context, type Range, type Scope, note } from '../context.js';
import { DOUBT } from '../doubts.js';
import { judgeWord } from '../words/judge-word.js';
import { addLooseMentions } from '../commands/mentions.js';
import { type Redirection, readSimpleText } from '../words/simple-text.js';
import { holdsSecret } from '../words/expansions.js';
import { unreadable } from '../unreadable.js';
import { type Word, literal } from '../words/word.js';

/** A number, or a dash that closes: no file. */
const DESCRIPTOR = /^(?:\d+-?|-)$/;
const NETWORK = /^\/dev\/(?:tcp|udp)\//;

/** Judges redirections: their files are found. Returns the doubts that they raise. */
export function judgeRedirections(redirections: readonly Redirection[], scope: Scope, context: Context): readonly string[] {
  return redirections.flatMap(({ operator, target }) => {
    if (target === undefined) return [];
    const word = judgeWord(target, scope, context);
    if (operator === '<<<') addLooseMentions(word, scope, context);
    if (operator.startsWith('<<') && holdsSecret(word, context)) return [DOUBT.secretVariable];
    if (operator.startsWith('<<')) return word.risk === 'risky' ? [DOUBT.expansion] : [];
    return judgeTarget(operator, word, scope, context);
  });
}

function judgeTarget(operator: string, word: Word, { folders }: Scope, { findings }: Context): readonly string[] {
  const path = literal(word);
  if (path === undefined || path === '') return [DOUBT.dynamicTarget];
  if (operator.endsWith('&') && DESCRIPTOR.test(path)) return [];
  if (operator === '<&') return [DOUBT.dynamicTarget];
  if (NETWORK.test(path)) return [DOUBT.network];
  if (operator.startsWith('<')) findings.addFile({ kind: 'read', path, by: 'redirection' }, folders);
  if (operator !== '<') findings.addFile({ kind: 'write', path, by: 'redirection' }, folders);
  return [];
}

/** Judges the redirections after a compound statement. */
export function judgeRedirectionsBehind({ start, end }: Range, scope: Scope, context: Context): void {
  if (start === end) return;
  const { words, assigns, rest, redirections } = readSimpleText(context.source, start, end);
  if (words.length > 0 || assigns || rest !== undefined) unreadable();
  for (const doubt of judgeRedirections(redirections, scope, context)) note(doubt, { start, end }, context);
}
