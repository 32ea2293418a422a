import type { SimpleCommand } from '../../domain/tool/command-analysis.js';
import type { CommandRisk } from '../../domain/tool/permission.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { formatNumber, t } from '../../domain/l10n.js';
import type { Call } from '../call.js';
import type { CleanedFiles } from '../files/cleaned-files.js';
import { codeRisks } from './code-risks.js';
import { fileRisks } from './file-risks.js';
import { Line } from './flows.js';
import { gitRisks } from './git-risks.js';
import { KINDS, type RiskKind, worstOf } from './kinds.js';
import { networkRisks } from './network-risks.js';
import { packageRisks, verbRisks } from './package-risks.js';
import type { Part, Place } from './part.js';
import { systemRisks } from './system-risks.js';

/** All rules. Each says what is known of a command, and nothing of one that it does not know. */
const RULES: readonly ((part: Part, line: Line) => readonly RiskKind[])[] = [
  codeRisks,
  fileRisks,
  networkRisks,
  gitRisks,
  verbRisks,
  packageRisks,
  systemRisks,
];

/**
 * Known risks of the parts of a command line, the worst of each. Only for the user to read:
 * no decision depends on it, so what it does not know it leaves out.
 */
export function risksOf(call: Call): readonly CommandRisk[] {
  const { commands, unreadable } = call.command?.analysis ?? { commands: [] };
  const line = new Line(commands, placeOf(call));
  const kinds = commands.map((command) => worstOf(kindsOf(command, line)));
  const cleaned = call.command?.cleaned;
  // A line that cannot be read is not shown in parts: what is known of it counts for all of it.
  if (unreadable !== undefined) return risk(worstOf(kinds.filter((kind) => kind !== undefined)), 0);
  return kinds.flatMap((kind, part) => {
    const would = cleaned?.get(part);
    return kind !== 'discardsChanges' || would === undefined ? risk(kind, part) : [{ part, level: KINDS[kind].level, text: wordsOf(would) }];
  });
}

/** What a `git clean` would remove, as the continuation of “This command …”. */
function wordsOf({ names, count, more }: CleanedFiles): string {
  if (count === 0) return t('would remove nothing at the moment');
  const shown = names.map((name) => escapeHidden(name)).join(', ');
  if (more === true) return t('would remove {0}, and maybe more', shown);
  return count === names.length ? t('would remove {0}', shown) : t('would remove {0}, and {1} more', shown, formatNumber(count - names.length));
}

function kindsOf(command: SimpleCommand, line: Line): readonly RiskKind[] {
  const part = line.partOf(command);
  return [part, part.packaged].flatMap((one) => (one === undefined ? [] : RULES.flatMap((rule) => rule(one, line))));
}

function risk(kind: RiskKind | undefined, part: number): readonly CommandRisk[] {
  if (kind === undefined) return [];
  const { level, text } = KINDS[kind];
  return [{ part, level, text: text() }];
}

function placeOf({ bases, files }: Call): Place {
  return {
    bases,
    known: new Map(),
    outside: new Map(files.flatMap(({ target, location }) => (location === undefined ? [] : [[target, !location.inside] as const]))),
  };
}
