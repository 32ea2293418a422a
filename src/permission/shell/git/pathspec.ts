import type { FileUse } from '../../../domain/tool/command-analysis.js';
import type { Word } from '../words/word.js';

/** A pathspec of Git (gitglossary(7)): its signs in front, and what remains. */
const MAGIC = /^:(?:\(([^)]*)\)|([/!^]+):?)/;

/** Parsed pathspec. */
export interface Pathspec {
  /** Whether it only leaves files out. */
  readonly excludes: boolean;
  /** The path or pattern, without signs. */
  readonly pattern: string;
  /** Whether it stands for more than the file or folder that it names, as written. */
  readonly wide: boolean;
}

/** Reads a word as Git does where it expects names of files. */
export function readPathspec(text: string): Pathspec {
  const [signs = '', words = '', marks = ''] = MAGIC.exec(text) ?? [];
  const kinds = words.split(',').map((word) => word.trim());
  const pattern = text.slice(signs.length);
  const excludes = /[!^]/.test(marks) || kinds.includes('exclude');
  return { excludes, pattern, wide: !kinds.includes('literal') && (pattern === '' || signs !== '' || /[*?[\\]/.test(pattern)) };
}

/**
 * The files on disk that a pathspec may stand for. Git compares more loosely than a shell: `*` also stands for names that begin with a dot, and for folders.
 */
export function pathspecUses({ text = '' }: Word, kind: FileUse['kind']): readonly FileUse[] {
  const { excludes, pattern, wide } = readPathspec(text);
  if (excludes || !wide || pattern === '' || text.startsWith('-')) return [];
  const special = pattern.search(/[*?[\\]/);
  const cut = pattern.lastIndexOf('/', special < 0 ? undefined : special) + 1;
  const folder = pattern.slice(0, cut);
  // `**/` also stands for no folder at all.
  const rest = [...new Set([pattern.slice(cut), pattern.slice(cut).replaceAll('**/', '')])];
  return rest.map((one) => ({ kind, path: folder === '' ? '.' : folder, by: 'word', pattern: one, hidden: true }));
}
