import type { LinkGuards } from '../../src/node/config/bases.js';
import { isSecret } from '../../src/permission/files/sensitive-paths.js';

const mayShow = (path: string): boolean => !isSecret(path);

/** Guards of links that know secret files by their names, and no rules. */
export const NAMED_SECRETS: LinkGuards = { ofRepository: mayShow, ofUser: mayShow };
