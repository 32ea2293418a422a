import type { RuleBook } from '../../domain/tool/permission.js';
import type { Workspace } from '../../domain/workspace/workspace.js';
import { settingsOf } from '../call.js';
import { namesSecret } from './file-needs.js';
import { isSecretFile } from './sensitive-paths.js';
import { type Bases, type Spellings, fitsPath } from '../rules/path-pattern.js';
import { RuleSet } from '../rules/rule-set.js';

/** The workspace, the home folder, and the read rules that a guard applies. */
export interface ReadGuardOptions {
  readonly workspace: Workspace;
  /** Absolute path of the home directory. */
  readonly home: string;
  readonly caseInsensitive: boolean;
  readonly rules: Pick<RuleBook, 'rules' | 'ready'>;
}

/**
 * Makes the guard that leaves out what can contain passwords or keys and knows no rules: for the files in which rules are, and for what the user
 * has put together.
 */
export async function createSecretGuard({ workspace, home }: Pick<ReadGuardOptions, 'workspace' | 'home'>): Promise<ReadGuard> {
  const bases = await basesOf({ workspace, home });
  return (file) => !isSecretFile({ path: file, real: file }, bases);
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
  const bases = await basesOf({ workspace, home });
  const strict = [...set.of('deny'), ...set.of('ask')].filter(({ rule }) => rule.about === 'read');
  const lifting = set.of('allow').filter(namesSecret);
  return (file) => {
    if (strict.some(({ path }) => path === undefined || fitsPath(path, file, bases))) return false;
    return !isSecretFile({ path: file, real: file }, bases) || lifting.some(({ path }) => path !== undefined && fitsPath(path, file, bases));
  };
}

async function basesOf({ workspace, home }: Pick<ReadGuardOptions, 'workspace' | 'home'>): Promise<Bases> {
  const real = async (path: string): Promise<Spellings> => [path, (await workspace.locate(path)).real];
  return { folders: await Promise.all(workspace.folders().map((folder) => real(folder.path))), home: await real(home), ...settingsOf(workspace) };
}
