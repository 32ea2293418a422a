import type { FileUse } from '../../../domain/tool/command-analysis.js';
import type { Context, Scope } from '../context.js';
import type { Word } from '../words/word.js';

/** Target of a command that reads: a file that a word names, one that it reads by default, or all below one, behind links as well. */
export type ReadTarget = Word | string | Below;

/** All below a folder. */
export interface Below {
  readonly below: Word | string;
  /** Whether the names are handed on in a text that is split at blanks and quotes. */
  readonly split?: boolean;
}

/** Adds what a command reads. Of a file pattern, the folder in which it is looked for is read. */
export function addTargets(targets: readonly ReadTarget[], { folders }: Scope, { findings }: Context): void {
  for (const target of targets) {
    if (typeof target === 'object' && 'below' in target) {
      const path = typeof target.below === 'string' ? target.below : pathOf(target.below);
      if (path !== undefined) findings.addFile({ kind: 'read', path, by: 'operand', follows: target.split === true ? 'split' : 'whole' }, folders);
      continue;
    }
    const path = typeof target === 'string' ? target : pathOf(target);
    if (path === undefined || path === '' || path === '-') continue;
    findings.addFile({ kind: 'read', path, by: 'operand' }, folders);
    if (typeof target !== 'string') for (const use of patternUses(target, 'read')) findings.addFile(use, folders);
    if (typeof target !== 'string' && canMatchParent(target)) findings.addFile({ kind: 'read', path: `${path}/..`, by: 'operand' }, folders);
  }
}

function pathOf({ text, glob }: Word): string | undefined {
  return text === undefined || glob < 0 ? text : folderOf(text, glob);
}

/** The folder in which a file pattern is looked for. */
function folderOf(text: string, glob: number): string {
  const folder = text.slice(0, text.lastIndexOf('/', glob) + 1);
  return folder === '' ? '.' : folder;
}

/** The file uses of a file pattern. */
export function patternUses({ text, glob }: Word, kind: FileUse['kind']): readonly FileUse[] {
  if (text === undefined || glob < 0) return [];
  return [{ kind, path: folderOf(text, glob), by: 'operand', pattern: text.slice(text.lastIndexOf('/', glob) + 1) }];
}

/** Whether a file pattern goes up behind its first special character, or its last part can match `..`. */
export function leadsUpwards({ text = '', glob }: Word): boolean {
  if (glob < 0) return false;
  const names = patternNames(text, glob);
  return names.includes('..') || names.slice(0, -1).some(matchesParent);
}

function canMatchParent({ text = '', glob }: Word): boolean {
  return glob >= 0 && matchesParent(patternNames(text, glob).at(-1) ?? '');
}

/** The names of a path from the first one with a special character on. */
function patternNames(text: string, glob: number): readonly string[] {
  return text.slice(text.lastIndexOf('/', glob) + 1).split('/');
}

/** Hidden names must be named by a dot; some shells take `..` for one. */
function matchesParent(name: string): boolean {
  return /^\.[.*?[]/.test(name);
}
