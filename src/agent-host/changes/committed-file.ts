import { type FileSnapshot, MAX_KEPT_BYTES } from '../../domain/workspace/changes.js';
import { sha256 } from '../../node/files/sha256.js';
import { git, partsOf } from '../../node/process/git-command.js';

/** Attributes by which git may write other bytes to the disk than it keeps. */
const CONVERTING = ['text', 'eol', 'crlf', 'ident', 'filter', 'working-tree-encoding'];
/** Snapshot of a file whose earlier content is not known byte for byte. */
export const NOT_KNOWN: FileSnapshot = { kind: 'skipped', reason: 'not_known' };
const PLAIN_MODES: ReadonlyMap<string, number> = new Map([
  ['100644', 0o644],
  ['100755', 0o755],
]);

/**
 * A file as it was when it equalled the one of a commit. The bytes are those of git, with no filter run over them; where
 * git could have written others to the disk the content is not known.
 * @param path relative to `root`, with `/`.
 */
export async function committedFile(root: string, commit: string, path: string): Promise<FileSnapshot> {
  const [entry] = partsOf(await git(root, ['ls-tree', '-z', '--full-tree', commit, '--', `:(literal)${path}`]));
  if (entry === undefined) return { kind: 'absent' };
  const [, mode = '', type = '', id = ''] = /^(\d+) (\w+) ([0-9a-f]+)\t/.exec(entry) ?? [];
  const plain = PLAIN_MODES.get(mode);
  if (type !== 'blob' || plain === undefined) return { kind: 'skipped', reason: mode === '120000' ? 'link' : 'not_a_file' };
  if (Number((await git(root, ['cat-file', '-s', id])).toString()) > MAX_KEPT_BYTES) return { kind: 'skipped', reason: 'too_large' };
  if (await mayConvert(root, path)) return NOT_KNOWN;
  const bytes = await git(root, ['cat-file', 'blob', id]);
  return { kind: 'file', hash: sha256(bytes), mode: plain, bytes, unsaved: false };
}

async function mayConvert(root: string, path: string): Promise<boolean> {
  const converts = (await git(root, ['config', '--default', 'false', '--get', 'core.autocrlf'])).toString().trim();
  if (!['false', 'no', 'off', '0'].includes(converts)) return true;
  const attributes = partsOf(await git(root, ['check-attr', '-z', ...CONVERTING, '--', path]));
  // The answer names the path, the attribute and its value in turn.
  return attributes.some((value, index) => index % 3 === 2 && value !== 'unspecified' && value !== 'unset');
}
