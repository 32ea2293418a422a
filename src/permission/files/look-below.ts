import type { PermissionRule } from '../../domain/tool/permission.js';
import type { Call, LocatedUse } from '../call.js';
import { isHarmless, unreadableReason } from '../command-needs.js';
import { type Bases, fitsPath, namesBelow } from '../rules/path-pattern.js';
import type { ActiveRule, RuleSet } from '../rules/rule-set.js';
import { mayShowBelow, placesOf } from '../rules/strict-rules.js';
import type { FolderEntry, WalkFolder } from '../surroundings.js';

/**
 * Looks into the folders that a command searches for files that deny and ask rules are about, so that a rule such as
 * `Read(.env)` asks only where there is such a file. What cannot be found out stays a reason to ask.
 */
export async function lookBelow(call: Call, rules: RuleSet, walk: WalkFolder | undefined, signal: AbortSignal): Promise<Call> {
  if (walk === undefined || !onlyReads(call)) return call;
  const strict = [...rules.of('deny'), ...rules.of('ask')].filter(({ rule }) => rule.about === 'read');
  const files: LocatedUse[] = [];
  for (const use of call.files) {
    const about = strict.filter((rule) => mayShowBelow(use, rule, call));
    const below = about.length === 0 ? undefined : await searchBelow({ use, rules: about, bases: call.bases }, walk, signal);
    files.push(below === undefined ? use : { ...use, below });
  }
  return { ...call, files };
}

/** A command that changes something could make a file first and then find it. */
function onlyReads({ command, files }: Call): boolean {
  if (command === undefined || unreadableReason(command) !== undefined) return false;
  return command.analysis.commands.every(isHarmless) && files.every(({ kind, by }) => kind === 'read' || by === 'word');
}

interface Search {
  readonly use: LocatedUse;
  readonly rules: readonly ActiveRule[];
  readonly bases: Bases;
}

/** The rules that are about a file below a folder, each with one; `undefined` when not all of it could be seen. */
async function searchBelow(search: Search, walk: WalkFolder, signal: AbortSignal): Promise<ReadonlyMap<PermissionRule, string> | undefined> {
  const { use, rules } = search;
  const found = new Map<PermissionRule, string>();
  if (use.location === undefined) return undefined;
  const visit = (entry: FolderEntry): boolean => {
    for (const { source } of fitting(entry, search)) if (!found.has(source)) found.set(source, entry.path);
    return found.size < rules.length && isClear(entry, search);
  };
  const whole = await walk(use.location.real, visit, signal);
  return whole || found.size === rules.length ? found : undefined;
}

function fitting({ path, leadsTo }: FolderEntry, { use, rules, bases }: Search): readonly ActiveRule[] {
  const names = [...placesOf(use).map((folder) => `${folder}/${path}`), ...(leadsTo === undefined ? [] : [leadsTo.real])];
  return rules.filter((rule) => rule.path !== undefined && names.some((name) => rule.path !== undefined && fitsPath(rule.path, name, bases)));
}

/** Whether all that a command can reach by an entry is seen: not by a link to a folder, but where it only gives other paths to names seen anyway. */
function isClear({ leadsTo }: FolderEntry, { use, rules }: Search): boolean {
  if (leadsTo?.folder !== true) return true;
  return namesBelow(use.location?.real ?? '', leadsTo.real) !== undefined && rules.every(({ path }) => path?.from === 'anywhere');
}
