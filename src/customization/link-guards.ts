import * as os from 'node:os';
import { once } from '../concurrency/once.js';
import type { Folders } from '../domain/host/folders.js';
import type { RuleBook } from '../domain/tool/permission.js';
import type { Workspace } from '../domain/workspace/workspace.js';
import type { LinkGuards } from '../node/config/bases.js';
import { createWorkspace } from '../node/files/workspace.js';
import { type ReadGuard, createReadGuard, createSecretGuard } from '../permission/files/read-guard.js';

/** Limits for symbolic links of configuration files, by the rules at the time of the first link. @param rules absent for the files in which the rules are */
export function linkGuards(folders: Pick<Folders, 'local'>, rules?: RuleBook): LinkGuards {
  const ofUser = once(() => createSecretGuard(placeOf(folders)));
  const ofRepository = rules === undefined ? ofUser : once(() => repositoryGuard(folders, rules));
  return { ofUser: async (real) => (await ofUser())(real), ofRepository: async (real) => (await ofRepository())(real) };
}

/** Read guard for the files of a repository, by the current rules. */
export function repositoryGuard(folders: Pick<Folders, 'local'>, rules: RuleBook): Promise<ReadGuard> {
  return createReadGuard({ ...placeOf(folders), rules, caseInsensitive: process.platform !== 'linux' });
}

function placeOf(folders: Pick<Folders, 'local'>): { readonly workspace: Workspace; readonly home: string } {
  const home = os.homedir();
  return { workspace: createWorkspace(folders.local, home), home };
}
