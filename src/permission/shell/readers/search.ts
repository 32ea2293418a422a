import { type Reader, type ReaderSpec, readerOf } from './reader.js';

/** Not -f, which reads a file of patterns. */
const GREP: ReaderSpec = {
  operands: 'pattern',
  patternOptions: ['e', 'regexp'],
  letters: 'abcEFGhHiILlnoPqrRsTUuvwxyZz',
  follow: ['R', 'dereference-recursive'],
  valued: 'ABCdDem',
  numeric: true,
  long:
    'regexp= extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp line-regexp ' +
    'count color? colour? files-with-matches files-without-match max-count= only-matching quiet silent no-messages byte-offset ' +
    'with-filename no-filename label= line-number initial-tab null after-context= before-context= context= text binary-files= ' +
    'directories= devices= exclude= exclude-dir= include= recursive dereference-recursive line-buffered null-data binary',
};

/** Not --pre and --hostname-bin, which run programs; not -z, which runs those that unpack; not -L, which follows links. */
const RIPGREP: ReaderSpec = {
  operands: 'pattern',
  patternOptions: ['e', 'regexp', 'files', 'type-list'],
  letters: 'abcFHhiIlnNopPqsSuUvwx.0',
  valued: 'ABCdegjmMrtT',
  long:
    'regexp= after-context= before-context= context= color= colors= column no-column count count-matches crlf encoding= engine= files ' +
    'files-with-matches files-without-match fixed-strings glob= iglob= glob-case-insensitive heading no-heading hidden no-hidden ' +
    'ignore-case include-zero invert-match json line-buffered line-number no-line-number line-regexp max-columns= max-columns-preview ' +
    'max-count= max-depth= max-filesize= multiline multiline-dotall no-config no-ignore no-ignore-vcs no-filename with-filename no-messages null ' +
    'null-data one-file-system only-matching path-separator= passthru pcre2 pretty quiet replace= smart-case case-sensitive sort= sortr= ' +
    'stats text threads= trim type= type-not= type-list unrestricted vimgrep word-regexp',
};

/** A search without a place looks through the folder it runs in. */
function searching(spec: ReaderSpec, isRecursive: (words: readonly (string | undefined)[]) => boolean): Reader {
  const read = readerOf(spec);
  return (words) => {
    const targets = read(words);
    return targets?.length === 0 && isRecursive(words.map(({ text }) => text)) ? ['.'] : targets;
  };
}

const grep = searching(GREP, (words) => words.some((word) => /^-\w*[rR]|^--recursive$|^--dereference-recursive$|^-\w*d$|^--directories/.test(word ?? '')));

/** Programs that search, by name. */
export const SEARCH_READERS: readonly (readonly [string, Reader])[] = [
  ...['grep', 'egrep', 'fgrep'].map((name) => [name, grep] as const),
  ['rg', searching(RIPGREP, () => true)],
];
