import { type Word, literal } from '../words/word.js';

/** Operands and options of a Git subcommand that name a repository. */
interface RemoteSpec {
  /** Letters of options with a value, which can stand in the next word. */
  readonly valued?: string;
  /** Long names of options with a value likewise. */
  readonly long?: string;
  /** Whether a name can be that of a remote in the settings; otherwise it is always a path or an address. */
  readonly named?: true;
  /** Words before it, one of which must be there: `remote add`. */
  readonly behind?: readonly string[];
  /** Number of operands before it. */
  readonly skip?: number;
}

const FETCHES = 'depth deepen shallow-since shallow-exclude jobs server-option upload-pack refmap negotiation-tip filter';

/**
 * Subcommands that talk to another repository, by the manual of each: their options with a value, and where the repository stands. A test holds
 * the options against the installed Git.
 */
const REMOTES: Readonly<Record<string, readonly RemoteSpec[]>> = {
  push: [{ named: true, valued: 'o', long: 'push-option repo receive-pack exec' }],
  fetch: [{ named: true, valued: 'jo', long: FETCHES }],
  pull: [{ named: true, valued: 'sXo', long: `${FETCHES} strategy strategy-option cleanup` }],
  'ls-remote': [{ named: true, valued: 'o', long: 'upload-pack exec sort server-option' }],
  clone: [
    {
      valued: 'jobuc',
      long:
        'jobs template reference reference-if-able origin branch upload-pack depth shallow-since shallow-exclude ' +
        'separate-git-dir config server-option filter bundle-uri',
    },
  ],
  remote: [
    { behind: ['add'], valued: 'tm', skip: 1 },
    { behind: ['set-url'], skip: 1 },
    { behind: ['update', 'show', 'prune', 'set-head'], named: true },
  ],
  submodule: [
    { behind: ['add'], valued: 'b', long: 'branch name reference depth' },
    { behind: ['set-url'], skip: 1 },
  ],
  'fetch-pack': [{ long: 'exec upload-pack depth shallow-since shallow-exclude deepen filter' }],
  'send-pack': [{ long: 'exec receive-pack remote push-option' }],
  'request-pull': [{ skip: 1 }],
  subtree: [{ behind: ['add', 'pull', 'push'], valued: 'Pmb', long: 'prefix message branch onto', named: true }],
  // These are the other side themselves.
  ...{ 'receive-pack': [{}], 'upload-pack': [{}], 'upload-archive': [{}] },
};
/** Options of any subcommand whose value is a repository. */
const OPTION = /^--(?:remote|repo|bundle-uri)=(.*)$/s;
const LONE_OPTION = /^--(?:remote|repo|bundle-uri)$/;

/** An address on the network: of a protocol that Git speaks itself, or as ssh has it, where no slash stands before the colon (git-fetch(1), GIT URLS). */
const ADDRESS = /^(?:(?:https?|ssh|git|ftps?|git\+ssh|ssh\+git):\/\/[^-/\s][^\s]*|(?:[\w.+-]+@)?(?:\w[\w.-]+|\[[\da-fA-F:.]+\]):(?!:|\/\/)[^\s]*)$/;
/** This machine. */
const HERE = /^(?:\w+:\/\/)?(?:[^@/]*@)?(?:file|localhost\.?|127\.[\d.]*|0\.0\.0\.0|\[::1?\])(?=[:/]|$)/i;
/** The name of a remote. */
const NAME = /^\w[\w.-]*(?:\/[\w.-]+)*$/;

/** Repositories that a Git command contacts, as far as known. */
export interface Remotes {
  /** Whether one of them is, or may be, on this machine, or is reached by a program of its own. */
  readonly local: boolean;
  /** Names of remotes that only the settings of the repository resolve; an empty one for the remote that Git chooses. */
  readonly names: readonly string[];
}

const NONE: Remotes = { local: false, names: [] };

/** Whether an address is one on the network, where no hook and no setting of this machine runs. */
export function isNetworkAddress(address: string): boolean {
  return ADDRESS.test(address) && !HERE.test(address);
}

/** The repositories that a subcommand with these arguments talks to. */
export function remotesOf(command: string, words: readonly Word[]): Remotes {
  const given = words.flatMap((word, index) =>
    LONE_OPTION.test(word.text ?? '') ? [words[index + 1]?.text] : OPTION.test(word.text ?? word.beginning) ? [OPTION.exec(word.text ?? '')?.[1]] : [],
  );
  const specs = Object.hasOwn(REMOTES, command) ? (REMOTES[command] ?? []) : [];
  return merged([...given.map((text) => judged(text, true)), ...specs.map((spec) => remoteOf(spec, words))]);
}

function remoteOf(spec: RemoteSpec, words: readonly Word[]): Remotes {
  const operands = operandsOf(spec, words);
  if (spec.behind !== undefined && !spec.behind.includes(literal(operands[0]) ?? '')) return NONE;
  const [remote, ...others] = operands.slice((spec.behind === undefined ? 0 : 1) + (spec.skip ?? 0));
  // Behind an option that is not known here, it may be one of the others.
  const hidden = others.some(({ text, beginning }) => /^(?:\.{0,2}\/|\.{1,2}$|~|file:|\w+::)/.test(text ?? beginning));
  if (remote === undefined) return { local: false, names: spec.named === true ? [''] : [] };
  return merged([judged(remote.glob >= 0 ? undefined : remote.text, spec.named === true), { local: hidden, names: [] }]);
}

function operandsOf({ valued = '', long = '' }: RemoteSpec, words: readonly Word[]): readonly Word[] {
  const names = long.split(' ');
  const isValue = (word: Word | undefined): boolean => {
    const text = word?.text ?? '';
    return text.startsWith('--') ? names.includes(text.slice(2)) : text.startsWith('-') && valued.includes(text.at(-1) ?? '-') && text.length > 1;
  };
  const dashes = words.findIndex((word) => literal(word) === '--');
  return words.filter((word, index) => {
    if (dashes >= 0 && index >= dashes) return index > dashes;
    return !(word.text ?? word.beginning).startsWith('-') && !isValue(words[index - 1]);
  });
}

function judged(address: string | undefined, named: boolean): Remotes {
  if (address === undefined) return { local: true, names: [] };
  if (isNetworkAddress(address)) return NONE;
  return named && NAME.test(address) ? { local: false, names: [address] } : { local: true, names: [] };
}

function merged(all: readonly Remotes[]): Remotes {
  return { local: all.some(({ local }) => local), names: [...new Set(all.flatMap(({ names }) => names))] };
}
