import type { ChangeAuthor } from '../domain/workspace/change-author.js';
import { headOf, showName } from '../text/show.js';

/** Characters of a name: models may write any number. */
const MAX_NAME = 200;

/**
 * Under which name the changes of an agent are reviewed, such as `general: Change two lines`.
 * @param session id of its session
 * @param task what it does, in a few words
 */
export function elfAuthor(session: string, type: string, task: string): ChangeAuthor {
  const name = showName(`${type}: ${task}`.replaceAll(/\s+/g, ' ').trim());
  return { id: session, name: name.length <= MAX_NAME ? name : `${headOf(name, MAX_NAME)}…` };
}
