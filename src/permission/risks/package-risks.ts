import { anyOf } from '../../text/any-of.js';
import { type RiskKind, isRiskKind } from './kinds.js';
import type { Part } from './part.js';
import rows from './program-verbs.json';

/** Options of programs with subcommands that are followed by a value. */
const VALUED = new RegExp(
  `^(?:--(?:${anyOf(
    'prefix|cwd|dir|filter|workspace',
    'context|cluster|host|namespace|kubeconfig',
    'chdir|profile|region|project|project-name|repo',
    'registry|tag|access|otp|file|config|directory',
  )})|-[CwHnfRp])$`,
);
/** Options with which nothing happens. */
const IDLE = /^(?:--help|-h|--version|--dry-run(?:=(?:client|server|true))?)$/;

/** Risks of subcommands, of one word or two, beyond this machine, each from its manual. */
const BY_PROGRAM: ReadonlyMap<string, ReadonlyMap<string, RiskKind>> = new Map(
  rows.flatMap(({ programs, verbs }) => {
    const known = new Map(Object.entries(verbs).flatMap(([kind, names]) => names.map((name): [string, RiskKind] => [name, riskKind(kind)])));
    return programs.map((program): [string, ReadonlyMap<string, RiskKind>] => [program, known]);
  }),
);

function riskKind(name: string): RiskKind {
  if (!isRiskKind(name)) throw new Error(`program-verbs.json names an unknown risk: ${name}`);
  return name;
}

/** Risks of a program's subcommand. */
export function verbRisks(part: Part): readonly RiskKind[] {
  const known = BY_PROGRAM.get(part.name);
  if (known === undefined || part.options.some((text) => IDLE.test(text))) return [];
  const [first = '', second = ''] = part.operands(VALUED);
  const kind = [`${first} ${second}`, first].map((verb) => known.get(verb)).find((one) => one !== undefined);
  // `npm init` alone writes a package.json; with a name it runs a package.
  if (kind === undefined || (kind === 'runsPackage' && second === '')) return [];
  return [kind];
}

/** Risks of packages that a package manager or runner downloads. */
export function packageRisks(part: Part): readonly RiskKind[] {
  if (part.options.some((text) => IDLE.test(text))) return [];
  return [...runsPackage(part), ...installs(part)];
}

/** Programs whose only purpose is to run a package. */
const RUNNERS: ReadonlySet<string> = new Set(['npx', 'pnpx', 'bunx', 'uvx']);

function runsPackage(part: Part): readonly RiskKind[] {
  const { name, texts } = part;
  const [verb = '', target = ''] = part.operands(VALUED);
  if (name === 'npm' && (verb === 'exec' || verb === 'x')) return texts.some((text) => /^--(?:no|no-install|offline)$/.test(text)) ? [] : ['mayRunPackage'];
  if (name === 'go') return verb === 'run' && target.includes('@') ? ['runsPackage'] : [];
  // What follows the name is for the package.
  const own = texts.slice(0, texts.indexOf(verb));
  if (!RUNNERS.has(name) || verb === '' || own.some((text) => /^--(?:no|no-install|offline)$/.test(text))) return [];
  const fetches = name === 'pnpx' || name === 'uvx' || /.@|^https?:|^git\+/.test(verb) || own.some((text) => /^(?:-y|--yes|-p|--package(?:=.*)?)$/.test(text));
  return [fetches ? 'runsPackage' : 'mayRunPackage'];
}

const ADDRESS = /^(?:[\w.-]+\s*@\s*)?(?:(?:git\+)?(?:https?|ssh|git|ftp):\/\/|git@|github:|gitlab:|bitbucket:|gist:)/;
/** `user/repository`, which npm takes for a place on GitHub. */
const SHORT_ADDRESS = /^[\w][\w-]*\/[\w.-]+(?:#.*)?$/;
/** An option that names another registry. */
const OTHER_SOURCE = /^(?:-i|--index-url|--extra-index-url|--find-links|-f|--registry|--index|--default-index|--source)(?:=|$)/;

const JAVASCRIPT = /^(?:npm|pnpm|yarn|bun)$/;
const INSTALLS = /^(?:install|i|in|add|ci|update|upgrade)$/;
/** Package managers of the machine. */
const OF_SYSTEM: ReadonlySet<string> = new Set([
  'apt',
  'apt-get',
  'aptitude',
  'dnf',
  'yum',
  'zypper',
  'brew',
  'port',
  'snap',
  'flatpak',
  'choco',
  'winget',
  'scoop',
  'nix-env',
]);
const ADDS = /^(?:install|reinstall|upgrade|full-upgrade|dist-upgrade|remove|purge|uninstall|autoremove|tap|rm|-i\w*|-e)$/;

function installs(part: Part): readonly RiskKind[] {
  const { name } = part;
  const operands = part.operands(VALUED);
  const [verb = ''] = operands;
  if (OF_SYSTEM.has(name)) return part.texts.some((text) => ADDS.test(text)) ? ['installsOutside'] : [];
  if (name === 'pacman') return part.texts.some((text) => /^-[SRU][a-z]*$/.test(text) && !/^-S[is]/.test(text)) ? ['installsOutside'] : [];
  if (name === 'apk') return ['add', 'del', 'upgrade'].includes(verb) ? ['installsOutside'] : [];
  const isPip = /^pip[\d.]*$/.test(name) || (name === 'uv' && (verb === 'pip' || verb === 'add'));
  if (!isPip && !JAVASCRIPT.test(name)) return otherInstalls(name, verb, part);
  if (!operands.slice(0, 2).some((text) => INSTALLS.test(text))) return [];
  const packages = operands.slice(1);
  const fromAddress =
    packages.some((text) => ADDRESS.test(text) || (JAVASCRIPT.test(name) && SHORT_ADDRESS.test(text))) ||
    part.options.some((text) => OTHER_SOURCE.test(text) && (isPip || text.startsWith('--registry')));
  const isGlobal = JAVASCRIPT.test(name) && (part.options.some((text) => /^(?:-g|--global|--location=global)$/.test(text)) || verb === 'global');
  return [...(fromAddress ? ['installsFromNetwork' as const] : []), ...(isGlobal ? ['installsOutside' as const] : [])];
}

function otherInstalls(name: string, verb: string, part: Part): readonly RiskKind[] {
  if (name === 'cargo' && verb === 'install') return ['installsOutside'];
  if (name === 'go' && verb === 'install') return part.texts.some((text) => text.includes('@')) ? ['installsOutside'] : [];
  return name === 'gem' && verb === 'install' ? ['installsOutside'] : [];
}
