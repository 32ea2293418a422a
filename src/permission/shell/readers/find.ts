import { literal, type Word } from '../words/word.js';
import { type Reader, readersOf } from './reader.js';
import { SEARCH_READERS, TEXT_READERS } from './text.js';

/** Tests and actions of find that only look and print, and the number of their arguments. */
const PREDICATES: ReadonlyMap<string, number> = new Map([
  ...names('( ) ! , -not -a -and -o -or -print -print0 -prune -ls -quit -true -false -depth -empty -readable -writable -executable', 0),
  ...names('-xdev -mount -daystart -nouser -nogroup -noleaf -nowarn -warn -ignore_readdir_race', 0),
  ...names('-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type -xtype -maxdepth -mindepth', 1),
  ...names('-size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -newermt -newerct -perm -user -group -uid -gid', 1),
  ...names('-inum -links -samefile -fstype -printf -used', 1),
]);

function names(list: string, following: number): readonly (readonly [string, number])[] {
  return list.split(' ').map((name) => [name, following] as const);
}

/** Programs that may be run on what is found: they show files, and take no option from the name of one, which begins with that of a folder. */
const ON_FOUND: ReadonlyMap<string, Reader> = new Map([
  ...SEARCH_READERS,
  ...readersOf(TEXT_READERS).filter(([name]) => ['cat', 'head', 'tail', 'wc', 'md5sum', 'sha256sum'].includes(name)),
]);

/** Tests that compare with a file. */
const COMPARES = /^-(?:newer|anewer|cnewer|samefile)$/;

/** Parses the arguments of find. Only -H and -P: with -L it follows links out of the folder. */
export const find: Reader = (words) => {
  const options = words.findIndex((word) => !/^-[HP]$/.test(literal(word) ?? ''));
  const rest = options < 0 ? [] : words.slice(options);
  const first = rest.findIndex(({ text = '', beginning }) => /^[-(!,]/.test(text) || beginning.startsWith('-'));
  const roots: readonly (Word | string)[] = first < 0 ? rest : rest.slice(0, first);
  const places = roots.length === 0 ? ['.'] : roots;
  let shows = false;
  // These are looked at, to compare their times.
  const compared = rest.flatMap((word, index) => (COMPARES.test(literal(rest[index - 1]) ?? '') ? [word] : []));
  for (let at = roots.length; at < rest.length;) {
    const end = literal(rest[at]) === '-exec' ? endOfRun(rest, at) : endOfPredicate(rest, at);
    if (end === undefined) return undefined;
    shows ||= literal(rest[at]) === '-exec';
    at = end + 1;
  }
  // What is found can be a link to anywhere.
  return [...places, ...compared, ...(shows ? places.map((below) => ({ below })) : [])];
};

/** Where a test or an action that only looks or prints ends; `undefined` for all others. */
function endOfPredicate(words: readonly Word[], at: number): number | undefined {
  const following = PREDICATES.get(literal(words[at]) ?? '');
  return following === undefined || at + following >= words.length ? undefined : at + following;
}

/** Where a program ends that is run on what is found; `undefined` where it may do more than show that. */
function endOfRun(words: readonly Word[], at: number): number | undefined {
  const end = words.findIndex((word, index) => index > at && [';', '+'].includes(literal(word) ?? ''));
  const [program, ...args] = words.slice(at + 1, Math.max(end, at + 1));
  const placed = args.filter(({ text }) => text?.includes('{}') !== false);
  if (end < 0 || program === undefined || placed.length !== 1 || literal(placed[0]) !== '{}') return undefined;
  return showsFound(
    program,
    args.filter((word) => word !== placed[0]),
  )
    ? end
    : undefined;
}

/** Whether a program only shows the files whose names follow its other arguments. */
export function showsFound(program: Word, args: readonly Word[]): boolean {
  const file: Word = { start: program.start, end: program.end, text: './found', beginning: './found', risk: 'none', glob: -1 };
  return ON_FOUND.get(literal(program) ?? '')?.([...args, file])?.includes(file) === true;
}

/** The folders below which `find` prints the names of what it finds; `undefined` where it prints something else. */
export function foundBelow(words: readonly Word[]): readonly (Word | string)[] | undefined {
  if (words.some((word) => /^-(?:ls|printf|exec)$/.test(literal(word) ?? ''))) return undefined;
  const compared = new Set(words.filter((_, index) => COMPARES.test(literal(words[index - 1]) ?? '')));
  return find(words)?.flatMap((target) => (typeof target === 'string' || ('text' in target && !compared.has(target)) ? [target] : []));
}
