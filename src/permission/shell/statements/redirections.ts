import { type Context, type Links, note, type Range, type Scope, withFiles } from '../context.js';
import { DOUBT, unreadable } from '../doubts.js';
import { judgeWord } from '../words/judge-word.js';
import type { FileUse } from '../../../domain/tool/command-analysis.js';
import { addLooseMentions, addWordMentions } from '../commands/mentions.js';
import { patternUses } from '../commands/read-targets.js';
import { readSimpleText, type Redirection } from '../words/simple-text.js';
import { expandsSecret } from '../words/expansions.js';
import { literal, type Word } from '../words/word.js';

/** A number, or a dash that closes: no file. */
const DESCRIPTOR = /^(?:\d+-?|-)$/;
const NETWORK = /^\/dev\/(?:tcp|udp)\//;

/** As many files of the redirections around a command count as its own; real commands have fewer. */
const MAX_AROUND = 100;

/** Effect of redirections on a command: the doubts that they raise, and its links to files and other commands. */
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
  if (operator.startsWith('<<') && expandsSecret(word, context)) return [DOUBT.secretVariable];
  if (operator.startsWith('<<')) return word.risk === 'risky' ? [DOUBT.expansion] : [];
  return judgeTarget(operator, word, scope, context);
}

function judgeTarget(operator: string, word: Word, scope: Scope, context: Context): readonly string[] {
  const { folders } = scope;
  const { findings } = context;
  const path = literal(word);
  if (path === undefined || path === '') {
    // What a pattern matches now, and what the beginning of the word says, is known all the same.
    for (const kind of kindsOf(operator)) for (const use of patternUses(word, kind)) findings.addFile({ ...use, by: 'redirection' }, folders);
    addWordMentions(word, kindsOf(operator), scope, context);
    return [DOUBT.dynamicTarget];
  }
  if (operator.endsWith('&') && DESCRIPTOR.test(path)) return [];
  if (operator === '<&') return [DOUBT.dynamicTarget];
  if (NETWORK.test(path)) return [DOUBT.network];
  for (const kind of kindsOf(operator)) findings.addFile({ kind, path, by: 'redirection' }, folders);
  return [];
}

function kindsOf(operator: string): readonly FileUse['kind'][] {
  return [...(operator.startsWith('<') ? (['read'] as const) : []), ...(operator !== '<' ? (['write'] as const) : [])];
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
