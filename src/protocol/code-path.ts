/** A path with at least a folder or an ending, of characters that paths of programs are made of. */
const PATH = /^(?:[A-Za-z]:)?(?:[\w@.+~()[\]-]*[\\/])*[\w@.+~()[\]-]*[\w)\]]$/;
/** Something behind the last dot, or a folder before the name: what a language does not have. */
const IS_FILE = /[\\/]|\.[A-Za-z0-9_]+$/;
/** A comment that is alone on its line, in the languages of programs and pages. */
const COMMENT = /^\s*(?:\/\/|#|--|;|%|<!--|\/\*)\s*(?:(?:file(?:name)?|path)\s*[:=]\s*)?(\S+?)\s*(?:-->|\*\/)?\s*$/i;
const TITLE = /(?:^|\s)(?:title|file|filename|path)=(?:"([^"]*)"|'([^']*)'|(\S+))/i;
/** The most characters of a path that a block is looked through for. */
const MAX_LENGTH = 500;

/** The info string of a code block. */
export interface CodeInfo {
  /** The first of them. */
  readonly language: string;
  /** The others. */
  readonly info: string;
}

/**
 * The path of the file that a code block is for, where it names one: in its info string
 * (`ts src/a.ts`, `src/a.ts`, `ts:src/a.ts`, `ts title="src/a.ts"`) or in a comment on its first line.
 */
export function codePath({ language, info }: CodeInfo, code: string): string | undefined {
  const [, ...after] = language.split(':');
  const title = TITLE.exec(info);
  const named = title === null ? [] : [title[1] ?? title[2] ?? title[3] ?? ''];
  const words = info.split(/\s+/).map((word) => word.replace(/^\(|\)$/g, ''));
  const candidates = [...named, after.join(':'), language, ...words, commentPath(code) ?? ''];
  return candidates.find(isPath);
}

/** The path in a comment that is all there is on the first line. */
export function commentPath(code: string): string | undefined {
  const end = code.indexOf('\n');
  const first = code.slice(0, Math.min(end < 0 ? code.length : end, MAX_LENGTH));
  const path = COMMENT.exec(first)?.[1];
  return path !== undefined && isPath(path) ? path : undefined;
}

function isPath(word: string): boolean {
  return word.length <= MAX_LENGTH && PATH.test(word) && IS_FILE.test(word);
}
