import type { Reader } from './reader.js';
import { literal } from '../word.js';

/** Tests and actions of find that only look and print, and how many words follow them. */
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

/** Reads the words of find. Only -H and -P: with -L it follows links out of the folder. */
export const find: Reader = (words) => {
  const options = words.findIndex((word) => !/^-[HP]$/.test(literal(word) ?? ''));
  const rest = options < 0 ? [] : words.slice(options);
  const first = rest.findIndex(({ text = '', beginning }) => /^[-(!,]/.test(text) || beginning.startsWith('-'));
  const roots = first < 0 ? rest : rest.slice(0, first);
  for (let at = roots.length; at < rest.length; ) {
    const following = PREDICATES.get(literal(rest[at]) ?? '');
    if (following === undefined || at + following >= rest.length) return undefined;
    at += 1 + following;
  }
  return roots.length === 0 ? ['.'] : roots;
};
