import type { FileUse } from '../../../domain/tool/command-analysis.js';
import { type Word, literal } from '../words/word.js';

/** A subcommand, as its words, and the files of the project that it changes by what its arguments say. */
type Managed = readonly [words: string, files: readonly string[]];

const HOOKS = ['.git/hooks/pre-commit'];
const NPM: readonly Managed[] = [
  ...['pkg set', 'pkg delete', 'pkg fix', 'set-script'].map((words): Managed => [words, ['package.json']]),
  ...['config set', 'config delete', 'config edit', 'config fix', 'set', 'c set', 'c delete', 'c edit'].map((words): Managed => [words, ['.npmrc']]),
];

/**
 * What package managers and managers of hooks write into files that can run code, though no argument names these: scripts, registries, hooks.
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
export function managedFiles(name: string, words: readonly Word[]): readonly FileUse[] {
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
