import { present } from '../../domain/present.js';
import { dirname } from 'node:path';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { PermissionRule } from '../../domain/tool/permission.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';
import type { Call, LocatedUse, Need } from '../call.js';
import { fileCautions } from '../cautions.js';
import { coversLine } from '../command-needs.js';
import { type Bases, fitsPath, namesOutside, namesBelow } from '../rules/path-pattern.js';
import type { ActiveRule, RuleSet } from '../rules/rule-set.js';
import { isSecret, isSecretFile } from './sensitive-paths.js';
import { isRule, parseRule } from '../rules/rule.js';

/** Files that need approval, of those that a call or the text of its command reads and changes. */
export function fileNeeds(call: Call, rules: RuleSet): readonly Need[] {
  return call.files.flatMap((use) => {
    const { firm, outside } = fileCautions(use, call);
    const needs: Need[] = firm.map((reason) => ({ kind: 'safety', reason }));
    if (outside !== undefined) needs.push({ kind: 'safety', reason: outside, ...leaveOutside(use, call, rules) });
    const { location } = use;
    if (location === undefined) return needs;
    if (use.kind === 'read' && isSecretFile(location, call.bases)) {
      const reason = t('{0} may contain passwords or keys.', escapeHidden(location.display));
      const naming = rules.of('allow').filter((rule) => namesSecret(rule) || (use.only === 'presence' && namesSecretEdit(rule)));
      // A rule is about a place, so none matches a file whose place is known only at run time.
      needs.push({ kind: 'secret', reason, ...(use.unplaced === true ? {} : leave(use, call, naming)) });
    }
    // What the operands of a command name is part of the command; redirections are not.
    if (use.kind === 'write' && use.by !== 'operand' && use.by !== 'word') {
      const why = use.loads === undefined ? { reason: changeWords(use.removal), plain: true as const } : { reason: use.loads };
      needs.push({ kind: 'ordinary', ...why, ...leave(use, call, rules.of('allow')), ...wholeLine(call, rules) });
    }
    return needs;
  });
}

/** Effect of a write on a file, as a sentence. */
export function changeWords(removal: LocatedUse['removal']): string {
  if (removal === 'deleted') return t('It deletes a file.');
  return removal === 'moved' ? t('It moves a file.') : t('It changes a file.');
}

/** Whether a rule names files that can contain passwords or keys, rather than just everything (`Read(.env)`, not `Read(**)`). One of a turn never does. */
export function namesSecret({ rule, source }: ActiveRule): boolean {
  return source.turnOf === undefined && rule.about === 'read' && rule.pattern !== undefined && isSecret(rule.pattern.replaceAll('\\', ''));
}

/** Whether a rule lets be written what can contain passwords or keys, and names it: whether it is there may be known then. */
function namesSecretEdit({ rule, source }: ActiveRule): boolean {
  return source.turnOf === undefined && rule.about === 'edit' && rule.pattern !== undefined && isSecret(rule.pattern.replaceAll('\\', ''));
}

/** The first of the rules that covers a file, by every name that it has. */
function leave(use: LocatedUse, { bases }: Call, rules: readonly ActiveRule[]): Pick<Need, 'by' | 'proposal' | 'wider'> {
  const { location, kind, folder, only } = use;
  if (location === undefined) return {};
  const isAbout = ({ rule }: ActiveRule): boolean => rule.about === (kind === 'read' ? 'read' : 'edit') || (only === 'presence' && rule.about === 'edit');
  const covers = (rule: ActiveRule): boolean => {
    const { path } = rule;
    return isAbout(rule) && (path === undefined || [location.path, location.real].every((place) => fitsPath(path, place, bases)));
  };
  return { ...sourceOf(rules.find(covers)), ...proposalFor(location, { kind: only === 'presence' ? 'write' : kind, folder, bases }) };
}

/** A rule for exactly this command line covers also what it writes to. */
function wholeLine({ command }: Call, rules: RuleSet): Pick<Need, 'by'> {
  return command === undefined ? {} : sourceOf(rules.of('allow').find((rule) => coversLine(rule, command)));
}

/** Outside of the workspace only a lasting rule that names the place grants approval, and no rule to run a command there. */
function leaveOutside(use: LocatedUse, call: Call, rules: RuleSet): Pick<Need, 'by' | 'proposal' | 'wider'> {
  if (use.by === 'place' || changesFolder(call)) return {};
  const naming = rules.of('allow').filter(({ path, source }) => source.turnOf === undefined && path !== undefined && namesOutside(path));
  return leave(use, call, naming);
}

/** Whether a command line goes to another folder, where what follows could mean anything. */
function changesFolder({ command }: Call): boolean {
  return command?.analysis.commands.some(({ words: [name] }) => name === 'cd' || name === 'pushd' || name === 'popd') === true;
}

function sourceOf(rule: ActiveRule | undefined): { by?: PermissionRule } {
  return rule === undefined ? {} : { by: rule.source };
}

/** The file itself; and, for one that is read outside of the workspace, all of its folder. */
function proposalFor(
  location: FileLocation,
  { kind, folder, bases }: { kind: LocatedUse['kind']; folder: boolean; bases: Call['bases'] },
): Pick<Need, 'proposal' | 'wider'> {
  const { path, inside } = location;
  const near = dirname(path);
  const broad = near === dirname(near) || bases.home.includes(near);
  const wholeFolder = kind === 'read' && !inside && !folder && !broad && !isSecretFile(location, bases);
  const rule = pathRule(kind === 'read' ? 'Read' : 'Edit', { path, below: false }, bases);
  const wider = wholeFolder ? pathRule('Read', { path: near, below: true }, bases) : undefined;
  return present({ proposal: rule, wider });
}

/**
 * The rule that is about one file, or what lies below one folder: relative to the workspace folder where there is one,
 * else absolute. `undefined` for a name that cannot be written in a rule.
 */
export function pathRule(tool: 'Read' | 'Edit', { path, below }: { path: string; below: boolean }, { folders }: Bases): string | undefined {
  // Among several folders a relative rule would be about all of them.
  const [only = []] = folders.length === 1 ? folders : [];
  const inside = only.map((folder) => namesBelow(folder, path)).find((names) => names !== undefined && names.length > 0);
  const names = (inside ?? path.split(/[\\/]/).filter((name) => name !== '')).map(escapeName);
  const relative = names.join('/');
  // A name without a slash would fit in every folder.
  const start = inside === undefined ? '//' : names.length === 1 || /^[~!]/.test(relative) ? '/' : '';
  const text = `${tool}(${start}${relative}${below ? '/**' : ''})`;
  return isRule(parseRule(text)) ? text : undefined;
}

function escapeName(name: string): string {
  return name.replace(/[*?[\]{}\\]/g, '\\$&');
}
