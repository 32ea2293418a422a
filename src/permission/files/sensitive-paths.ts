import { t } from '../../domain/l10n.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';
import { type Bases, pathInFolder } from '../rules/path-pattern.js';
import { canonicalName } from './canonical-name.js';
import { type Power, NameSet, PROTECTED_FILES, SECRET_FILES, SHOWN_FILES } from './special-files.js';

/** Why a file with some power is protected, as a sentence about its name. */
const WHY: Readonly<Record<Power, (name: string) => string>> = {
  editor: (name) => t('{0} is protected: it configures an editor and can run code.', name),
  git: (name) => t('{0} is protected: it is part of version control, whose settings and hooks can run code.', name),
  build: (name) => t('{0} is protected: it can run code when something is committed, built, tested, or installed.', name),
  source: (name) => t('{0} is protected: it controls where programs come from or how they start.', name),
  start: (name) => t('{0} is protected: it is loaded by programs at startup.', name),
  keys: (name) => t('{0} is protected: it contains keys or access rights.', name),
  agent: (name) => t('{0} is protected: it configures Gnomon or another agent.', name),
};

const PROTECTED = PROTECTED_FILES.map(({ power, ...names }) => ({ power, names: new NameSet([names]) }));

/**
 * Why a path may only be written after asking; `undefined` when it is an ordinary one. Names are compared as loosely
 * as any file system does.
 * @param path relative to its workspace folder, or absolute when it lies in none.
 * @param name of the file in the sentence.
 */
export function protectedReason(path: string, name = path): string | undefined {
  const power = powerOf(path);
  return power === undefined ? undefined : WHY[power](name);
}

/** Power of a protected file, such as running code; `undefined` for an ordinary one. Names are compared as loosely as any file system does. */
export function powerOf(path: string): Power | undefined {
  const names = canonicalNames(path);
  return PROTECTED.find((group) => group.names.holdsFolder(names) || group.names.holdsFile(names.at(-1) ?? ''))?.power;
}

/** The names of a path in the one spelling for all that some file system takes for the same. */
export function canonicalNames(path: string): readonly string[] {
  return path
    .split(/[\\/]/)
    .filter((name) => name !== '' && name !== '.')
    .map(canonicalName);
}

const SECRET = new NameSet(SECRET_FILES);
const SHOWN = new NameSet([{ files: SHOWN_FILES }]);

/**
 * Whether a path leads to what commonly contains passwords or keys; names are compared as loosely as any file system does.
 * A pattern of a rule names such files when it does so itself: `.env*` and `~/.ssh/**` do, `**` does not.
 */
export function isSecret(path: string): boolean {
  const names = canonicalNames(path);
  const file = names.at(-1) ?? '';
  const copied = file.replace(COPY, '');
  if (SECRET.holdsFolder(names) || (copied !== file && SECRET.holdsFolder(names.with(-1, copied)))) return true;
  return !SHOWN.holdsFile(file) && (SECRET.holdsBelow(names) || [file, file.replaceAll('*', ''), copied].some((name) => SECRET.holdsFile(name)));
}

/** Suffixes of backup copies, by editors and people (Emacs, backup names; Vim, 'backupext' and swap files; dpkg(1), conffiles). */
const COPY = /(?:~|[._-](?:bak|backup|old|orig|save|saved|copy|swp|dpkg-(?:old|dist|new))\d*)+$/;

/** Whether a file, as named or with links resolved, can contain passwords or keys: by its name, or as settings of a repository. */
export function isSecretFile({ path, real }: Pick<FileLocation, 'path' | 'real'>, bases: Bases): boolean {
  return bases.isSettings?.(real) === true || [path, real].some((spelling) => isSecret(pathInFolder(spelling, bases)));
}
