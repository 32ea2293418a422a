import { type Context, type Links, type Range, type Scope, note, withFiles } from '../context.js';
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

/** As many files of the redirections around a command count as its own; nobody writes more. */
const MAX_AROUND = 100;

/** What redirections do to a command: the doubts that they raise, and what it then has to do with files and other commands. */
interface Redirected {
  readonly doubts: readonly string[];
  readonly links: Links;
}

/** Judges redirections: their files are found. */
export function judgeRedirections(redirections: readonly Redirection[], scope: Scope, context: Context): Redirected {
  const { findings } = context;
  const before = findings.commands.length;
  let doubts: readonly string[] = [];
  const files = findings.collect(() => {
    doubts = redirections.flatMap((redirection) => judgeRedirection(redirection, scope, context));
  });
  const commands = findings.since(before);
  const links = withFiles(scope.links, files);
  const isGiven = commands.length > 0 || redirections.some(({ operator }) => operator.startsWith('<<'));
  return { doubts, links: isGiven ? { ...links, input: [...(links.input ?? []), ...commands] } : links };
}

function judgeRedirection({ operator, target }: Redirection, scope: Scope, context: Context): readonly string[] {
  if (target === undefined) return [];
  const word = judgeWord(target, scope, context);
  if (operator === '<<<') addLooseMentions(word, scope, context);
  if (operator.startsWith('<<') && holdsSecret(word, context)) return [DOUBT.secretVariable];
  if (operator.startsWith('<<')) return word.risk === 'risky' ? [DOUBT.expansion] : [];
  return judgeTarget(operator, word, scope, context);
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

/** Judges the redirections after a compound statement. Returns what they do to the commands in it. */
export function judgeRedirectionsBehind({ start, end }: Range, scope: Scope, context: Context): Links {
  if (start === end) return scope.links ?? {};
  const { words, assigns, rest, redirections } = readSimpleText(context.source, start, end);
  if (words.length > 0 || assigns || rest !== undefined) unreadable();
  const { doubts, links } = judgeRedirections(redirections, scope, context);
  for (const doubt of doubts) note(doubt, { start, end }, context, links);
  return links.files === undefined ? links : { ...links, files: links.files.slice(0, MAX_AROUND) };
}
