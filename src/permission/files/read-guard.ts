import type { RuleBook } from '../../domain/tool/permission.js';
import type { Workspace } from '../../domain/workspace/workspace.js';
import { settingsOf } from '../call.js';
import { isSecretFile, namesSecret } from './file-needs.js';
import { type Bases, type Spellings, fitsPath } from '../rules/path-pattern.js';
import { RuleSet } from '../rules/rule-set.js';

/** Dependencies of a guard. */
export interface ReadGuardOptions {
  readonly workspace: Workspace;
  /** Absolute path of the home directory. */
  readonly home: string;
  readonly caseInsensitive: boolean;
  readonly rules: RuleBook;
}

/** Whether what is in a file may be shown without asking about it. */
export type ReadGuard = (file: string) => boolean;

/**
 * Makes the guard for one search of a folder, with the rules in effect. What a rule denies or asks about, and what can
 * contain passwords or keys, is left out of results; a call that names such a file is judged on its own.
 * The guard takes absolute paths with every link resolved.
 */
export async function createReadGuard({ workspace, home, caseInsensitive, rules }: ReadGuardOptions): Promise<ReadGuard> {
  await rules.ready?.();
  const set = new RuleSet(rules.rules(), caseInsensitive);
  const real = async (path: string): Promise<Spellings> => [path, (await workspace.locate(path)).real];
  const folders = await Promise.all(workspace.folders().map((folder) => real(folder.path)));
  const bases: Bases = { folders, home: await real(home), ...settingsOf(workspace) };
  const strict = [...set.of('deny'), ...set.of('ask')].filter(({ rule }) => rule.about === 'read');
  const lifting = set.of('allow').filter(namesSecret);
  return (file) => {
    if (strict.some(({ path }) => path === undefined || fitsPath(path, file, bases))) return false;
    return !isSecretFile({ path: file, real: file }, bases) || lifting.some(({ path }) => path !== undefined && fitsPath(path, file, bases));
  };
}
