import { programOf } from '../command-paths.js';
import type { Word } from './word.js';

/** Program that downloads packages or images and runs them. */
interface Runner {
  readonly programs: RegExp;
  /** Words behind the program by which it does so; empty: it always does. */
  readonly commands: readonly string[];
  /** Options that name a package. */
  readonly naming: RegExp;
  /** Options without a value. */
  readonly plain: RegExp;
  /** Pattern of one exact version. */
  readonly exact: RegExp;
}

const NPM_EXACT = /^(?:@[\w.~-]+\/)?[\w.~-]+@\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;
const PYTHON_EXACT = /^[\w.-]+(?:\[[\w,.-]*\])?(?:==|@)\d+(?:\.\d+)*(?:[\w.+-]*)$/;

/**
 * Source: docs.npmjs.com, npm exec; pnpm.io/cli/dlx; yarnpkg.com/cli/dlx; bun.sh/docs/cli/bunx; docs.astral.sh/uv/guides/tools; pipx.pypa.io;
 * docs.docker.com, docker run.
 */
const RUNNERS: readonly Runner[] = [
  {
    programs: /^(?:npx|bunx|pnpx)$/,
    commands: [],
    naming: /^(?:-p|--package)$/,
    plain: /^(?:-y|--yes|-q|--quiet|--no|--no-install|--silent|--bun|--prefer-offline)$/,
    exact: NPM_EXACT,
  },
  {
    programs: /^npm$/,
    commands: ['exec', 'x', 'create', 'init'],
    naming: /^(?:-p|--package)$/,
    plain: /^(?:-y|--yes|-q|--quiet|--no|--silent|--)$/,
    exact: NPM_EXACT,
  },
  { programs: /^(?:pnpm|yarn)$/, commands: ['dlx', 'create'], naming: /^(?:-p|--package)$/, plain: /^(?:-q|--quiet|-s|--silent)$/, exact: NPM_EXACT },
  { programs: /^bun$/, commands: ['x', 'create'], naming: /^(?:-p|--package)$/, plain: /^(?:--bun|--silent)$/, exact: NPM_EXACT },
  { programs: /^uvx$/, commands: [], naming: /^(?:--from|--with)$/, plain: /^(?:-q|--quiet|-v|--isolated|--offline|--no-cache)$/, exact: PYTHON_EXACT },
  {
    programs: /^uv$/,
    commands: ['tool', 'x'],
    naming: /^(?:--from|--with)$/,
    plain: /^(?:-q|--quiet|-v|--isolated|--offline|--no-cache|run)$/,
    exact: PYTHON_EXACT,
  },
  { programs: /^pipx$/, commands: ['run'], naming: /^--(?:spec|with)$/, plain: /^(?:-q|--quiet|-v|--no-cache)$/, exact: PYTHON_EXACT },
  {
    programs: /^(?:docker|podman|nerdctl)$/,
    commands: ['run', 'create'],
    naming: /^$/,
    plain: /^(?:-[itd]+|--rm|--init|--interactive|--tty|--detach|--privileged|--read-only)$/,
    exact: /@sha256:[0-9a-f]{64}$/,
  },
];

/**
 * The packages or images that a program downloads and runs without an exact version, so that their publisher decides what runs. Where an
 * option is not known, it may be that something else than what seems to be the package is one: then this is said, too.
 * @param args behind the program
 */
export function withoutVersion(program: string, args: readonly Word[]): readonly string[] {
  const runner = RUNNERS.find(({ programs }) => programs.test(program));
  if (runner === undefined) return [];
  const from = runner.commands.length === 0 ? 0 : args.findIndex(({ value }) => runner.commands.includes(value)) + 1;
  if (runner.commands.length > 0 && from === 0) return [];
  const { packages, isSure } = packagesIn(args.slice(from), runner);
  const found = packages.filter(({ value, known }) => !isSure || !known || (!runner.exact.test(value) && !/^\.{0,2}\//.test(value)));
  return found.length > 0 || packages.length > 0 ? found.map(({ written }) => written) : [programOf(program)];
}

function packagesIn(args: readonly Word[], { naming, plain }: Runner): { readonly packages: readonly Word[]; readonly isSure: boolean } {
  const packages: Word[] = [];
  let isSure = true;
  let isValue = false;
  for (const word of args) {
    const [, option, value] = /^(-[^=]*)=(.*)$/s.exec(word.value) ?? [];
    if (isValue) packages.push(word);
    else if (option !== undefined && value !== undefined && naming.test(option)) packages.push({ ...word, value, written: value });
    // What comes behind the operand is for the program itself.
    else if (word.known && !word.value.startsWith('-') && !plain.test(word.value)) return { packages: packages.length > 0 ? packages : [word], isSure };
    else if (!naming.test(word.value) && option === undefined && !plain.test(word.value)) isSure = false;
    isValue = !isValue && naming.test(word.value);
  }
  return { packages, isSure };
}
