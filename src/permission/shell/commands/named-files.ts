import type { FileUse } from '../../../domain/tool/command-analysis.js';
import { filesOfOperands, filesOfOptions, wordsWithoutTexts } from '../git/file-options.js';
import { readPathspec } from '../git/pathspec.js';
import { subcommandAt } from '../git/subcommand.js';
import { readsConfig } from '../hazards/git.js';
import { patternUses } from './read-targets.js';
import { baseName, literal, type Word } from '../words/word.js';

/** Programs that change every file which they are given as an operand. */
const WRITERS: ReadonlySet<string> = new Set([
  ...['rm', 'rmdir', 'mkdir', 'touch', 'tee', 'unlink', 'chmod', 'chown', 'chgrp', 'truncate', 'shred', 'mkfifo', 'mknod', 'sponge'],
  ...['unzip', 'zip', 'gzip', 'gunzip', 'bzip2', 'bunzip2', 'xz', 'unxz', 'patch', 'ed', 'ex', 'vi', 'vim', 'nvim', 'nano', 'emacs'],
]);
/** Programs that write the last operand, or below it, from the others. */
const COPIERS: ReadonlySet<string> = new Set(['cp', 'mv', 'ln', 'install', 'rsync', 'scp', 'link']);
/** Options that contain the name of a file or folder to write, or are followed by it. */
const TARGETS: Readonly<Record<string, RegExp>> = {
  dd: /^of=(.+)$/,
  sort: /^(?:-\w*o|--output=)(.*)$/,
  tar: /^(?:-?\w*f|--file=|-C|--directory=)(.*)$/,
  curl: /^(?:-\w*o|--output=)(.*)$/,
  wget: /^(?:-\w*O|--output-document=|-P|--directory-prefix=)(.*)$/,
  cp: /^(?:-[a-zA-RU-Z]*t|--target-directory=)(.*)$/,
  mv: /^(?:-[a-zA-RU-Z]*t|--target-directory=)(.*)$/,
  install: /^(?:-[a-zA-RU-Z]*t|--target-directory=)(.*)$/,
  ln: /^(?:-[a-zA-RU-Z]*t|--target-directory=)(.*)$/,
  unzip: /^-d(.*)$/,
};
/** Commands of Git that change the files they are given. */
const GIT_WRITERS: ReadonlySet<string> = new Set(['checkout', 'restore', 'rm', 'mv', 'clean', 'clone', 'init', 'worktree']);

/** A file as a command names it. */
export type NamedFile = FileUse;

/** Commands of Git whose operands are files of the repository that it takes over, to be shown later. */
const TAKES: ReadonlySet<string> = new Set(['add', 'stage', 'commit', 'update-index', 'stash']);
/** A path that can lead out of the folder in which Git runs. */
const LEADS_OUT = /^(?:\/|\.\.(?:\/|$)|[^:].*\/\.\.(?:\/|$))/;

/** The files that the arguments of git name and that it opens itself: those of options, and operands where it expects files anywhere. */
function filesOfGit(words: readonly Word[]): readonly FileUse[] {
  const at = subcommandAt(words);
  const command = literal(words[at]) ?? '';
  const rest = words.slice(at + 1);
  const settings = command === 'config' && !readsConfig(rest);
  const named = [...filesOfOptions(command, rest), ...filesOfOperands(command, rest)];
  const written = settings ? [{ kind: 'write' as const, path: '.git/config' }, ...named.map(({ path }) => ({ kind: 'write' as const, path }))] : [];
  return [
    ...[...named, ...written].map((file) => ({ ...file, by: 'operand' as const })),
    ...(TAKES.has(command) ? wordsWithoutTexts(command, rest).flatMap(takenBy) : []),
  ];
}

/** Pathspecs of files that Git takes over. One that leads elsewhere is a file that it opens; in its folder, it may be a folder, which needs no approval. */
function takenBy({ text = '', glob }: Word): readonly FileUse[] {
  const { excludes, wide } = readPathspec(text);
  if (text === '' || text.startsWith('-') || glob >= 0 || excludes || wide) return [];
  return [{ kind: 'read', path: text, ...(LEADS_OUT.test(text) ? { by: 'operand' } : { by: 'word', opens: true }) }];
}

/** A subcommand, as its words, and the files of the project that it changes by what its arguments say. */
type Managed = readonly [words: string, files: readonly string[]];

const HOOKS = ['.git/hooks/pre-commit'];
const NPM: readonly Managed[] = [
  ...['pkg set', 'pkg delete', 'pkg fix', 'set-script'].map((words): Managed => [words, ['package.json']]),
  ...['config set', 'config delete', 'config edit', 'config fix', 'set', 'c set', 'c delete', 'c edit'].map((words): Managed => [words, ['.npmrc']]),
];

/**
 * Files that can run code and that package managers and hook managers write without naming them in an argument: scripts, registries, hooks.
 * Adding a package is not among it: that is what they are for. Sources: npm-pkg(1), npm-config(1); the manuals of pnpm, Yarn, Bun,
 * Volta and Corepack; pip, Configuration; husky, lefthook and pre-commit, installation.
 */
const MANAGERS: Readonly<Record<string, readonly Managed[]>> = {
  npm: NPM,
  pnpm: [...NPM, ['patch-commit', ['package.json']], ['approve-builds', ['package.json']]],
  yarn: [
    ...NPM,
    ['config unset', ['.yarnrc.yml']],
    ['config set', ['.yarnrc.yml']],
    ['set version', ['.yarnrc.yml', 'package.json']],
    ['policies set-version', ['.yarnrc']],
    ['plugin import', ['.yarnrc.yml']],
    ['plugin remove', ['.yarnrc.yml']],
  ],
  bun: [
    ['pm pkg', ['package.json']],
    ['pm trust', ['package.json']],
  ],
  volta: [['pin', ['package.json']]],
  corepack: [
    ['use', ['package.json']],
    ['up', ['package.json']],
  ],
  ...{
    pip: [
      ['config set', ['pip.conf']],
      ['config unset', ['pip.conf']],
      ['config edit', ['pip.conf']],
    ],
    pip3: [
      ['config set', ['pip.conf']],
      ['config unset', ['pip.conf']],
      ['config edit', ['pip.conf']],
    ],
  },
  'pre-commit': [
    ['install', HOOKS],
    ['uninstall', HOOKS],
    ['init-templatedir', HOOKS],
  ],
  ...{
    husky: [['', HOOKS]],
    lefthook: [
      ['install', HOOKS],
      ['uninstall', HOOKS],
      ['add', HOOKS],
    ],
    overcommit: [['', HOOKS]],
  },
};
/** Programs that run one of these: `npx husky`. */
const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  npx: [''],
  pnpx: [''],
  bunx: [''],
  uvx: [''],
  npm: ['exec', 'x'],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'dlx', 'run'],
  uv: ['run', 'tool run'],
  bundle: ['exec'],
  poetry: ['run'],
};
/** Options of these with a value in the next word that may stand before the subcommand: where it runs, and for which package. */
const VALUED = /^(?:-[CwF]|--(?:prefix|workspace|dir|filter|cwd|userconfig|location|loglevel|registry))$/;

/** The files that a package manager or a manager of hooks changes though no argument names them. */
function managedFiles(name: string, words: readonly Word[]): readonly FileUse[] {
  const said = words.filter(({ text = '' }, index) => !text.startsWith('-') && !VALUED.test(literal(words[index - 1]) ?? '')).map(({ text = '' }) => text);
  const files = changedBy(name, said);
  return files.map((path) => ({ kind: 'write', path, by: 'operand' }));
}

function changedBy(name: string, said: readonly string[]): readonly string[] {
  const own = (Object.hasOwn(MANAGERS, name) ? (MANAGERS[name] ?? []) : []).flatMap(([words, files]) => (begins(said, words) ? files : []));
  const runs = (Object.hasOwn(RUNNERS, name) ? (RUNNERS[name] ?? []) : []).flatMap((words) => {
    const [inner = '', ...rest] = begins(said, words) ? said.slice(words === '' ? 0 : words.split(' ').length) : [];
    return inner === name ? [] : changedBy(inner.replace(/(?<=.)@.*$/, ''), rest);
  });
  return [...own, ...runs];
}

function begins(said: readonly string[], words: string): boolean {
  return words === '' || words.split(' ').every((word, index) => said[index] === word);
}

/** The files that a command names and may change or copy, so that protected ones are seen. A pattern counts as its folder. */
export function namedFiles([program, ...words]: readonly Word[]): readonly NamedFile[] {
  const name = baseName(literal(program) ?? '');
  const pattern = TARGETS[name];
  const targets = pattern === undefined ? [] : words.flatMap(({ text = '' }, index) => valueOf(pattern.exec(text)?.[1], words[index + 1]));
  const operands = words.filter(({ text }) => text?.startsWith('-') === false && text !== '');
  if (COPIERS.has(name)) return [...copied(name, operands.map(pathOf), targets[0]), ...patternsOf(operands), ...copiedTrees(name, words, targets[0])];
  const changed = operandsWrittenBy(name, words, operands);
  return [...written([...targets, ...changed.map(pathOf)]), ...patternsOf(changed), ...(name === 'git' ? filesOfGit(words) : managedFiles(name, words))];
}

/** Whether a program changes or copies files that it is given. */
export function changesFiles([program, ...words]: readonly Word[]): boolean {
  const name = baseName(literal(program) ?? '');
  const [command] = words.filter(({ text }) => text?.startsWith('-') === false);
  return WRITERS.has(name) || COPIERS.has(name) || editsInPlace(name, words) || (name === 'git' && gitWrites(command, words));
}

function patternsOf(words: readonly Word[]): readonly NamedFile[] {
  return words.flatMap((word) => patternUses(word, 'write'));
}

function gitWrites(command: Word | undefined, words: readonly Word[]): boolean {
  return GIT_WRITERS.has(command?.text ?? '') && !(command?.text === 'worktree' && words.some(({ text }) => text === 'list'));
}

function editsInPlace(name: string, words: readonly Word[]): boolean {
  return name === 'sed' && words.some(({ text = '' }) => /^-[nErsuz]*i|^--in/.test(text));
}

function valueOf(value: string | undefined, next: Word | undefined): readonly string[] {
  if (value === undefined || value !== '') return value === undefined ? [] : [value];
  return next?.text === undefined ? [] : [next.text];
}

function written(paths: readonly string[]): readonly NamedFile[] {
  return paths.map((path) => ({ kind: 'write', path, by: 'operand' }));
}

/** The target can be a folder, in which a file with the name of its source is written. */
function copied(name: string, operands: readonly string[], folder: string | undefined): readonly NamedFile[] {
  const target = folder ?? operands.at(-1);
  if (target === undefined) return [];
  const sources = folder === undefined ? operands.slice(0, -1) : operands;
  const below = sources.map((source) => `${target}/${baseName(source.replace(/\/+$/, ''))}`);
  const read = sources.map((path): NamedFile => ({ kind: name === 'mv' ? 'write' : 'read', path, by: 'operand' }));
  return [...read, ...written([target, ...below])];
}

/** Programs that copy or move whole folders, and the options with which they do; those that always do fit any. */
const COPIES_TREES: Readonly<Record<string, RegExp>> = { cp: /^(?:-\w*[rRa]\w*|--(?:r|ar)[\w-]*)$/, scp: /^-\w*r/, rsync: /./, mv: /./, ln: /./, install: /./ };

/** Of a folder that is copied, all that is in it: under its own name, and in its place where its name ends in `/`, `/.`, or a pattern. */
function copiedTrees(name: string, words: readonly Word[], folder: string | undefined): readonly NamedFile[] {
  const option = Object.hasOwn(COPIES_TREES, name) ? COPIES_TREES[name] : undefined;
  const operands = words.filter(({ text, beginning }) => !(text ?? beginning).startsWith('-') && text !== '');
  const target = folder ?? operands.at(-1)?.text;
  const sources = folder === undefined ? operands.slice(0, -1) : operands.filter(({ text }) => text !== folder);
  const isWhole = option !== undefined && (option.source === '.' || words.some(({ text = '' }) => option.test(text)));
  if (target === undefined) return [];
  return sources.flatMap(({ text, glob }): readonly NamedFile[] => {
    if (text === undefined || text.includes('{}') || (!isWhole && glob < 0)) return [];
    const source = glob < 0 ? text : pathOf({ start: 0, end: 0, text, beginning: text, risk: 'none', glob });
    const isInner = glob >= 0 || /(?:^|\/)\.?$/.test(source) || source === '.';
    const below = isInner ? target : `${target}/${baseName(source)}`;
    return [...new Set([below, target])].map((path) => ({ kind: 'write', path, by: 'operand', from: source }));
  });
}

/** What a program that is run on what is found below some folders puts into another one. */
export function copiedFound(roots: readonly (Word | string)[], [program, ...words]: readonly Word[]): readonly NamedFile[] {
  const name = baseName(literal(program) ?? '');
  if (!COPIERS.has(name)) return [];
  const pattern = TARGETS[name];
  const named = pattern === undefined ? [] : words.flatMap(({ text = '' }, index) => valueOf(pattern.exec(text)?.[1], words[index + 1]));
  const target = named[0] ?? words.filter(({ text = '' }) => !text.startsWith('-') && !text.includes('{}')).at(-1)?.text;
  if (target === undefined) return [];
  return roots.flatMap((root) => {
    const from = typeof root === 'string' ? root : root.text;
    return from === undefined ? [] : [{ kind: 'write' as const, path: target, by: 'operand' as const, from }];
  });
}

function operandsWrittenBy(name: string, words: readonly Word[], operands: readonly Word[]): readonly Word[] {
  if (WRITERS.has(name)) return operands;
  if (editsInPlace(name, words)) return operands.slice(1);
  return name === 'git' && gitWrites(operands[0], operands) ? operands.slice(1) : [];
}

function pathOf({ text = '', glob }: Word): string {
  if (glob < 0) return text;
  const folder = text.slice(0, text.lastIndexOf('/', glob) + 1);
  return folder === '' ? '.' : folder;
}
