import { type Reader, readerOf, type ReaderSpec } from './reader.js';

const CHECKSUM: ReaderSpec = { operands: 'files', letters: 'btz', long: 'binary text tag zero' };

/** Programs that read files or their input and print something of it. */
export const TEXT_READERS: Readonly<Record<string, ReaderSpec>> = {
  cat: { operands: 'files', letters: 'AbEenstTuv', long: 'show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting' },
  tac: { operands: 'files', letters: 'br', valued: 's', long: 'before regex separator=' },
  // Without a terminal both print as `cat` does. Not -o, which writes, nor what reads settings or runs commands.
  less: { operands: 'files', letters: 'FnNRSX' },
  more: { operands: 'files' },
  rev: { operands: 'files' },
  nl: { operands: 'files', letters: 'p', valued: 'bdfhilnsvw' },
  head: { operands: 'files', letters: 'qvz', valued: 'nc', numeric: true, long: 'lines= bytes= quiet silent verbose zero-terminated' },
  tail: { operands: 'files', letters: 'qvzrf', valued: 'nc', numeric: true, long: 'lines= bytes= quiet silent verbose zero-terminated' },
  wc: { operands: 'files', letters: 'clmwL', long: 'bytes chars lines words max-line-length total=' },
  cut: {
    operands: 'files',
    letters: 'nsz',
    valued: 'bcdf',
    long: 'bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated',
  },
  tr: { operands: 'texts', letters: 'cCdst', long: 'complement delete squeeze-repeats truncate-set1' },
  // A second operand of uniq is a file that it writes.
  uniq: { operands: 'files', most: 1, letters: 'cdDiuz', valued: 'fsw', long: 'count repeated unique ignore-case' },
  // Not -o, which writes; not -T and --compress-program.
  sort: {
    operands: 'files',
    letters: 'bcCdfghiMmnRrsuVz',
    valued: 'kSt',
    long: 'reverse numeric-sort unique ignore-case version-sort human-numeric-sort key= field-separator= check stable',
  },
  comm: { operands: 'files', letters: '123z', long: 'check-order nocheck-order output-delimiter= total zero-terminated' },
  diff: {
    operands: 'files',
    follow: ['r', 'recursive', 'N', 'new-file'],
    letters: 'abBcdeEinNpqrstTuwyZ',
    valued: 'CFIUWx',
    long:
      'brief recursive report-identical-files unified? context? side-by-side text new-file ignore-case ignore-all-space ignore-space-change ' +
      'ignore-blank-lines ignore-trailing-space color? width= label= strip-trailing-cr suppress-common-lines minimal normal show-c-function',
  },
  cmp: { operands: 'files', letters: 'bls', valued: 'in', long: 'print-bytes verbose silent quiet' },
  column: { operands: 'files', letters: 'tnx', valued: 'scNoR' },
  fold: { operands: 'files', letters: 'bs', valued: 'w', long: 'bytes spaces width=' },
  fmt: { operands: 'files', letters: 'cstu', valued: 'wp' },
  expand: { operands: 'files', letters: 'i', valued: 't' },
  paste: { operands: 'files', letters: 'sz', valued: 'd', long: 'serial delimiters=' },
  join: { operands: 'files', letters: 'iz', valued: '12aejotv' },
  md5sum: CHECKSUM,
  sha1sum: CHECKSUM,
  sha224sum: CHECKSUM,
  sha256sum: CHECKSUM,
  sha384sum: CHECKSUM,
  sha512sum: CHECKSUM,
  cksum: { operands: 'files' },
  base64: { operands: 'files', letters: 'd', valued: 'w', long: 'decode wrap=' },
  od: { operands: 'files', letters: 'abcdfhilosvx', valued: 'AjNSt', long: 'address-radix= skip-bytes= read-bytes= format=' },
  hexdump: { operands: 'files', letters: 'bcCdovx', valued: 'ens' },
  // A second operand of xxd is a file that it writes, also one that looks like an option; -r writes too.
  xxd: { operands: 'files', most: 1, letters: 'abCeipu', valued: 'cglos', alone: true, stop: true },
  strings: { operands: 'files', letters: 'aw', valued: 'nte', lists: true },
};

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
