import type { FileUse, SimpleCommand } from '../../domain/tool/command-analysis.js';
import type { PermissionRule, RuleEffect } from '../../domain/tool/permission.js';
import type { Call, CommandFacts, LocatedUse } from '../call.js';
import { type CommandPattern, type Match, isExactly, mentionsCommand, restrictsCommand } from './command-pattern.js';
import { isHarmless } from '../command-needs.js';
import { hostFits, hostOf } from './host-pattern.js';
import { type Bases, fitsPath, mayFitBelow } from './path-pattern.js';
import type { ActiveRule, RuleSet } from './rule-set.js';
import { nameOf } from './rule-labels.js';
import { isForShell, mayBeCalled } from './rule.js';

/** A deny or ask rule that is about a call, or may be. */
export interface Hit {
  readonly rule: PermissionRule;
  /** The part of the call that it matches, as text. */
  readonly what: string;
  /** Whether it is certain; otherwise the user is asked. */
  readonly certain: boolean;
}

/** Programs that print names and attributes of files, not their content. */
const TELLS_NAMES: ReadonlySet<string> = new Set([
  ...['ls', 'find', 'tree', 'du', 'df', 'stat', 'cd', 'pushd', 'popd', 'pwd', 'echo', 'printf', 'true', 'false', 'test', '['],
  ...['basename', 'dirname', 'realpath', 'readlink', 'which', 'type'],
]);

/** The deny or ask rules that are about a call, or may be: one certain hit, or all that may be, for each rule. */
export function findHits(call: Call, rules: RuleSet, effect: Exclude<RuleEffect, 'allow'>): readonly Hit[] {
  return rules.of(effect).flatMap((rule) => {
    const hits = hitsOf(call, rule, rules.caseInsensitive);
    const certain = hits.find((hit) => hit.certain);
    return certain === undefined ? hits.slice(0, 1) : [certain];
  });
}

function hitsOf(call: Call, active: ActiveRule, caseInsensitive: boolean): readonly Hit[] {
  const { source, rule } = active;
  const hit = (what: string, certain = true): Hit => ({ rule: source, what, certain });
  switch (rule.about) {
    case 'tool':
      return mayBeCalled(rule, call.plan.tool, call.plan.subject) ? [hit(nameOf(call.plan.tool))] : [];
    case 'web':
      return webTargets(call).flatMap((target) => {
        const host = hostOf(target);
        const fits = rule.pattern === undefined || (host !== undefined && hostFits(rule.pattern, host));
        return fits ? [hit(nameOf(target))] : host === undefined ? [hit(nameOf(target), false)] : [];
      });
    case 'nothing':
      return [];
    case 'command':
      return call.command === undefined || !isForShell(rule, call.command.shell)
        ? []
        : commandHits(call.command, { pattern: rule.pattern, caseInsensitive, hit });
    case 'read':
      return [...fileHits(call, active), ...unknownFiles(call, 'read')].map(({ what, certain }) => hit(nameOf(what), certain));
    case 'edit':
      return [...fileHits(call, active), ...unknownFiles(call, 'write')].map(({ what, certain }) => hit(nameOf(what), certain));
  }
}

function webTargets({ plan }: Call): readonly string[] {
  return plan.accesses.filter(({ kind }) => kind === 'network' || (plan.tool === 'fetch' && kind === 'interact')).map(({ target }) => target);
}

interface CommandRule {
  readonly pattern: CommandPattern | undefined;
  readonly caseInsensitive: boolean;
  readonly hit: (what: string, certain?: boolean) => Hit;
}

function commandHits({ text, shell, analysis }: CommandFacts, { pattern, caseInsensitive, hit }: CommandRule): readonly Hit[] {
  if (pattern === undefined || isExactly(pattern, text)) return [hit(nameOf(text))];
  const fold = (name: string): string => (caseInsensitive ? name.toLowerCase() : name);
  const unread = analysis.unreadable !== undefined || shell === 'other';
  // What cannot be parsed is searched word by word, which finds a rule's words where they are written plainly.
  const plain: SimpleCommand = { source: text, words: text.trim().split(/\s+/), readsOnly: false, doubts: [] };
  const matchOf = (command: SimpleCommand): Match => {
    const match = restrictsCommand(pattern, command, fold);
    if (match !== 'no' || isHarmless(command)) return match;
    return command.runsUnknown === true || mentionsCommand(pattern, command, fold) ? 'maybe' : 'no';
  };
  const found = [...analysis.commands, ...(unread ? [plain] : [])].map((command): [SimpleCommand, Match] => [command, matchOf(command)]);
  const hits = found.flatMap(([{ source }, match]) => (match === 'no' ? [] : [hit(nameOf(source), match === 'yes')]));
  return hits.length === 0 && unread ? [hit(nameOf(text), false)] : hits;
}

/** Tools that change what they find in a file. */
const FINDS_PLACES: ReadonlySet<string> = new Set(['edit', 'apply_patch']);

function fileHits(call: Call, active: ActiveRule): readonly Omit<Hit, 'rule'>[] {
  const { rule, source } = active;
  return call.files.flatMap((use): readonly Omit<Hit, 'rule'>[] => {
    // What finds its place in the text reads what it changes.
    const about = rule.about === 'read' ? use.kind === 'read' || FINDS_PLACES.has(call.plan.tool) : rule.about === 'edit' && use.kind === 'write';
    if (!about) return [];
    const what = use.location?.display ?? use.target;
    if (fits(active, use, call.bases)) return [{ what, certain: use.by !== 'word' }];
    if (use.by === 'word') return [];
    if (use.location === undefined) return [{ what, certain: false }];
    if (!mayShowBelow(use, active, call)) return [];
    if (use.below === undefined) return [{ what, certain: false }];
    const found = use.below.get(source);
    return found === undefined ? [] : [{ what: `${what.replace(/[\\/]$/, '')}/${found}`, certain: false }];
  });
}

/** Commands that open files whose names are known only at run time. */
function unknownFiles({ command }: Call, kind: FileUse['kind']): readonly Omit<Hit, 'rule'>[] {
  const commands = command?.analysis.commands ?? [];
  return commands.flatMap(({ source, unknownFiles: kinds = [] }) => (kinds.includes(kind) ? [{ what: source, certain: false }] : []));
}

/** Whether a rule is about a file, by any of its names. */
function fits({ path }: ActiveRule, use: LocatedUse, bases: Bases): boolean {
  return path === undefined || placesOf(use).some((place) => fitsPath(path, place, bases));
}

/** Whether a command may show the text of a file that lies in a folder which it names, and that a rule could be about. */
export function mayShowBelow(use: LocatedUse, { path }: ActiveRule, { command, bases }: Call): boolean {
  const named = use.by === 'operand' || use.by === 'redirection';
  if (!named || !use.folder || path === undefined || command?.analysis.commands.every(tellsNames) === true) return false;
  return placesOf(use).some((place) => mayFitBelow(path, place, bases));
}

/** The paths by which a file is known. */
export function placesOf({ target, location }: LocatedUse): readonly string[] {
  return [...new Set([target, location?.path, location?.real])].filter((place) => place !== undefined);
}

/** Whether a command does not show what is in a folder: by its nature, or because it is given no file at all. */
function tellsNames({ words: [name, ...rest] }: SimpleCommand): boolean {
  return name !== undefined && (TELLS_NAMES.has(name) || rest.every((word) => word !== undefined && /^-|^\d+$/.test(word)));
}
