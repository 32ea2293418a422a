import * as os from 'node:os';
import type { Folders } from '../domain/host/folders.js';
import type { RuleBook } from '../domain/tool/permission.js';
import type { LinkGuards } from '../node/config/bases.js';
import { createReadGuard, createSecretGuard } from '../permission/files/read-guard.js';
import { createWorkspace } from '../node/files/workspace.js';

/** What links of configuration files may lead to. @param rules absent for the files in which the rules are */
export async function linkGuards(folders: Pick<Folders, 'local'>, rules?: RuleBook): Promise<LinkGuards> {
  const place = { workspace: createWorkspace(folders.local, os.homedir()), home: os.homedir() };
  const ofUser = await createSecretGuard(place);
  return { ofUser, ofRepository: rules === undefined ? ofUser : await createReadGuard({ ...place, rules, caseInsensitive: process.platform !== 'linux' }) };
}
