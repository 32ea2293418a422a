import * as os from 'node:os';
import type { RuleBook } from '../../domain/tool/permission.js';
import type { LinkGuards } from '../../node/config/bases.js';
import { createReadGuard, createSecretGuard } from '../../permission/files/read-guard.js';
import { createVsCodeWorkspace } from '../workspace/vscode-workspace.js';

/** What links of configuration files may lead to. @param rules absent for the files in which the rules are */
export async function linkGuards(rules?: RuleBook): Promise<LinkGuards> {
  const place = { workspace: createVsCodeWorkspace(), home: os.homedir() };
  const ofUser = await createSecretGuard(place);
  return { ofUser, ofRepository: rules === undefined ? ofUser : await createReadGuard({ ...place, rules, caseInsensitive: process.platform !== 'linux' }) };
}
