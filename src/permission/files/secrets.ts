import { canonicalName } from './canonical-name.js';
import { NameSet, SECRET_FILES, SHOWN_FILES } from './special-files.js';

const SECRET = new NameSet(SECRET_FILES);
const SHOWN = new NameSet([{ files: SHOWN_FILES }]);

/**
 * Whether a path leads to what commonly contains passwords or keys; names are compared as loosely as any file system does.
 * A pattern of a rule names such files when it does so itself: `.env*` and `~/.ssh/**` do, `**` does not.
 */
export function isSecret(path: string): boolean {
  const names = path.split(/[\\/]/).filter((name) => name !== '' && name !== '.').map(canonicalName);
  const file = names.at(-1) ?? '';
  return SECRET.holdsFolder(names) || (!SHOWN.holdsFile(file) && [file, file.replaceAll('*', '')].some((name) => SECRET.holdsFile(name)));
}
