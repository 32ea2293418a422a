import type { StoredView } from '../../../domain/tool/command-analysis.js';
import { type Word, literal } from '../words/word.js';

/** Whole repository, wherever Git runs in it: gitglossary(7), pathspec. */
const ALL = ':/';
/** Options of `git add` with which it takes over only what is tracked, or nothing. Any beginning counts. */
const ADDS_NOTHING = /^(?:-\w*[unpie]\w*|--(?:up|dry|ren|ref|pat|int|ed)\w*(?:-\w+)*)$/;
const ADDS_ALL = /^(?:-\w*A\w*|--(?:al|no-ignore-r)\w*(?:-\w+)*)$/;
const FORCED = /^(?:-\w*f\w*|--fo\w*)$/;

/** The files that are not tracked and that a command of Git takes over though it does not name each: `git add .`, `git stash -u`. */
export function addedViews(name: string, words: readonly Word[]): readonly StoredView[] {
  if (name === 'add' || name === 'stage') return added(words);
  return name === 'stash' ? stashed(words) : [];
}

function added(words: readonly Word[]): readonly StoredView[] {
  const { options, operands, certain } = partsOf(words);
  const all = options.some((option) => ADDS_ALL.test(option));
  if (!all && options.some((option) => ADDS_NOTHING.test(option))) return [];
  const listed = options.some((option) => option.startsWith('--pathspec-f'));
  const paths = !certain || listed || (all && operands.length === 0) ? [ALL] : operands;
  return paths.length === 0
    ? []
    : [
        untracked(
          paths,
          options.some((option) => FORCED.test(option)),
        ),
      ];
}

function stashed(words: readonly Word[]): readonly StoredView[] {
  const action = literal(words[0]) ?? '';
  const isPush = action === '' || action.startsWith('-') || action === 'push' || action === 'save';
  const { options } = partsOf(words);
  const ignored = options.some((option) => /^(?:-\w*a\w*|--al\w*)$/.test(option));
  const wanted = ignored || options.some((option) => /^(?:-\w*u\w*|--inc\w*(?:-\w+)*)$/.test(option));
  return isPush && wanted ? [untracked([ALL], ignored)] : [];
}

function untracked(paths: readonly string[], ignored: boolean): StoredView {
  return { of: 'untracked', options: ignored ? [] : ['--exclude-standard'], operands: [], paths };
}

/** @returns also whether all words are known; a pattern of the shell is one of Git as well. */
function partsOf(words: readonly Word[]): { readonly options: readonly string[]; readonly operands: readonly string[]; readonly certain: boolean } {
  const end = words.findIndex((word) => literal(word) === '--');
  const isOption = ({ text, beginning }: Word, index: number): boolean => (end < 0 || index < end) && (text ?? beginning).startsWith('-');
  const options = words.filter(isOption).map(({ text, beginning }) => text ?? beginning);
  const others = words.filter((word, index) => index !== end && !isOption(word, index));
  return {
    options,
    operands: others.flatMap(({ text }) => (text === undefined || text === '' ? [] : [text])),
    certain: others.every(({ text }) => text !== undefined),
  };
}
