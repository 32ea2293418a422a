import { anyOf } from '../../../text/any-of.js';
import { DOUBT } from '../doubts.js';
import { type RiskyOptions, canBecomeOption, hasRiskyOption } from '../commands/options.js';
import { awk } from '../readers/awk.js';
import { find } from '../readers/find.js';
import type { Reader } from '../readers/reader.js';
import { sed } from '../readers/sed.js';
import { printf } from '../readers/special.js';
import { type Word, literal } from '../words/word.js';
import { gitHazards } from './git.js';
import { takesList } from './argument-lists.js';

/** Options by which programs run others or write files, though they mostly read. */
const RISKY: Readonly<Record<string, RiskyOptions>> = {
  rg: { long: ['pre', 'hostname-bin'] },
  sort: { letters: 'oT', valued: 'kSt', long: ['output', 'compress-program', 'temporary-directory', 'files0-from'] },
  tree: { letters: 'oR', valued: 'ILP', long: ['fromfile'] },
  file: { letters: 'Cmf', long: ['compile', 'magic-file', 'files-from'] },
  date: { letters: 's', valued: 'dfrI', long: ['set'] },
  xxd: { letters: 'r' },
  fd: { letters: 'xX', valued: 'eEtdSo', long: ['exec', 'exec-batch'] },
  fdfind: { letters: 'xX', valued: 'eEtdSo', long: ['exec', 'exec-batch'] },
  less: { letters: 'oOkTt', long: ['log-file', 'LOG-FILE', 'lesskey-file', 'lesskey-src', 'lesskey-content', 'tag', 'tag-file'] },
  man: { letters: 'PHCRE', long: ['pager', 'html', 'config-file', 'preprocessor'] },
  rsync: { letters: 'e', long: ['rsh', 'rsync-path', 'daemon', 'config', 'log-file', 'write-batch', 'temp-dir', 'backup-dir', 'partial-dir'] },
  ssh: { letters: 'oFELRDJS', valued: 'bcilmpQWwBI' },
  scp: { letters: 'oFS', valued: 'cilPX' },
  sftp: { letters: 'oFSbD', valued: 'ciPX' },
  zip: { letters: 'T', long: ['unzip-command'] },
  curl: { letters: 'KoOTD', valued: 'AHdeEFmQrtuUwXxyYzb', long: ['config', 'output', 'remote-name', 'upload-file', 'dump-header', 'cookie-jar', 'trace'] },
  wget: {
    letters: 'iOoaPx',
    valued: 'UeAtTQRDIXl',
    long: ['use-askpass', 'output-document', 'output-file', 'append-output', 'config', 'execute', 'input-file'],
  },
  ctags: { long: ['options', '_xformat'] },
  tcpdump: { letters: 'zwW', valued: 'cirs' },
  ip: { letters: 'b', long: ['batch'] },
};
/** Programs that open an editor, a pager or a shell, or that change files which their text does not name. */
const CHANGERS: ReadonlySet<string> = new Set(['patch', 'cpio', 'unzip', 'bsdtar', '7z', 'unrar', 'ar', 'pax', 'ed', 'ex']);
/** Programs in whose scripts only what is known to print is let pass. */
const SCRIPTED: Readonly<Record<string, Reader>> = { sed, gsed: sed, awk, gawk: awk, mawk: awk, nawk: awk, printf };
const FIND_ACTION = /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls|files0-from)$/;

/** The doubts about the arguments of a program. @param lost whether it is not known in which folder it runs. */
export function hazardsOf(name: string, words: readonly Word[], lost: boolean): readonly string[] {
  const doubts = [
    ...(Object.hasOwn(RISKY, name) && hasRiskyOption(words, RISKY[name] ?? {}) ? [DOUBT.option] : []),
    ...(takesList(name, words) ? [DOUBT.input] : []),
    ...special(name, words, lost),
  ];
  // A file can be named like an option.
  const heedsOptions = Object.hasOwn(RISKY, name) || ['find', 'git', 'tar', 'uniq'].includes(name) || (Object.hasOwn(SCRIPTED, name) && name !== 'printf');
  return heedsOptions && words.some(canBecomeOption) ? [...doubts, DOUBT.pattern] : doubts;
}

function special(name: string, words: readonly Word[], lost: boolean): readonly string[] {
  if (name === 'git') return gitHazards(words, lost);
  if (name === 'find') return words.some(({ text = '' }) => FIND_ACTION.test(text)) && find(words) === undefined ? [DOUBT.option] : [];
  if (name === 'tar') return tarHazards(words);
  if (name === 'less' || name === 'more') return words.some(({ text = '' }) => text.startsWith('+')) ? [DOUBT.option] : [];
  if (name === 'test' || name === '[') return words.some(({ text = '' }) => /^-[vR]$/.test(text)) ? [DOUBT.expansion] : [];
  if (CHANGERS.has(name)) return [DOUBT.changes];
  if (runsOther(name, words)) return [DOUBT.option];
  const reader = Object.hasOwn(SCRIPTED, name) ? SCRIPTED[name] : undefined;
  return reader !== undefined && reader(words) === undefined ? [DOUBT.unknownScript] : [];
}

/** Listing an archive reads; unpacking one writes whatever it contains. */
function tarHazards(words: readonly Word[]): readonly string[] {
  const lists = words.some(({ text = '' }, index) => (index === 0 ? /^-?[vzjJ]*t[vzjJf]*$/.test(text) : /^(?:-[vzjJ]*t[vzjJf]*|--list)$/.test(text)));
  const risky = hasRiskyOption(words, {
    letters: 'IFx',
    valued: 'f',
    long: ['to-command', 'checkpoint-action', 'use-compress-program', 'info-script', 'new-volume-script', 'rmt-command', 'rsh-command', 'extract', 'get'],
  });
  return lists && !risky ? [] : [DOUBT.changes];
}

/** Options that make the programs of a project run arbitrary code, beside their usual task. */
interface ProjectHazard extends RiskyOptions {
  /** Arguments that do so and are not options in the usual sense. */
  readonly words?: RegExp;
  /** Long names that count only as a whole, whether their parts are apart by dashes or by capitals. */
  readonly exact?: ReadonlySet<string>;
}

/** Options by which tools of JavaScript take code: settings are code, and so is a plugin. Lower case, without dashes. */
const SETTINGS_ARE_CODE: ReadonlySet<string> = new Set([
  ...[
    'config',
    'configuration',
    'require',
    'import',
    'loader',
    'experimentalloader',
    'plugin',
    'plugins',
    'pluginsearchdir',
    'rulesdir',
    'resolvepluginsrelativeto',
  ],
  ...[
    'globalsetup',
    'globalteardown',
    'setupfiles',
    'setupfilesafterenv',
    'testenvironment',
    'testrunner',
    'runner',
    'transform',
    'resolver',
    'reporter',
    'reporters',
  ],
  ...['formatter', 'parser', 'rootdir', 'preset', 'exec', 'execargv', 'nodearg', 'nodearguments', 'pooloptions'],
]);
/** Options of npm and its like, which also take the beginning of a name for the whole. */
const OF_NPM = [
  'node-options',
  'script-shell',
  'shell',
  'prefix',
  'userconfig',
  'globalconfig',
  'cwd',
  'call',
  'package',
  'init-module',
  'use-yarnrc',
  'modules-folder',
];
const NPM: ProjectHazard = { letters: 'cCr', long: OF_NPM, exact: SETTINGS_ARE_CODE };
const JAVASCRIPT: ProjectHazard = { letters: 'cr', exact: SETTINGS_ARE_CODE };
const MAKE: ProjectHazard = { letters: 'fCIE', valued: 'jlOW', long: ['file', 'makefile', 'directory', 'include-dir', 'eval'], words: /^[\w.@-]+[:+?!]*=/ };
const GRADLE: ProjectHazard = {
  letters: 'IbcpDg',
  long: ['init-script', 'build-file', 'settings-file', 'project-dir', 'include-build', 'system-prop', 'gradle-user-home'],
};
/** Of Maven only what chooses tests is set harmlessly. */
const MAVEN: ProjectHazard = {
  letters: 'fslt',
  valued: 'DPp',
  words: new RegExp(
    anyOf(
      /^(?:-gs|-gt|--file|--settings|--global-settings|--toolchains|--log-file)/,
      /^(?:-D|--define=?)(?!(?:test|it\.test|skipTests|skipITs|maven\.test\.skip|surefire\.failIfNoSpecifiedTests)\b)/,
    ),
  ),
};

/** By program, each from its manual. */
const PROJECTS: Readonly<Record<string, ProjectHazard>> = {
  ...{ npm: NPM, pnpm: NPM, yarn: NPM, bun: NPM, npx: NPM, pnpx: NPM, bunx: NPM },
  ...{
    jest: JAVASCRIPT,
    vitest: JAVASCRIPT,
    mocha: JAVASCRIPT,
    ava: JAVASCRIPT,
    eslint: JAVASCRIPT,
    prettier: JAVASCRIPT,
    stylelint: JAVASCRIPT,
    playwright: JAVASCRIPT,
    cypress: JAVASCRIPT,
  },
  ...{ webpack: JAVASCRIPT, rollup: JAVASCRIPT, vite: JAVASCRIPT, nyc: JAVASCRIPT, c8: JAVASCRIPT, tsup: JAVASCRIPT, nx: JAVASCRIPT, turbo: JAVASCRIPT },
  go: { words: /^--?(?:exec|toolexec|vettool|overlay|modfile|C|ldflags|gcflags|asmflags|gccgoflags|pkgdir)(?:=|$)/ },
  cargo: { letters: 'ZC', long: ['config', 'manifest-path', 'lockfile-path'], words: /^\+/ },
  pytest: { letters: 'pco', valued: 'kmnrW', long: ['override-ini', 'rootdir', 'confcutdir', 'config-file', 'pdbcls', 'cov-config', 'ds', 'basetemp'] },
  ...{ make: MAKE, gmake: MAKE, ninja: { letters: 'fC' } },
  just: { letters: 'fd', long: ['justfile', 'working-directory', 'shell', 'shell-arg', 'set', 'dotenv-path'], words: /^\w+=/ },
  task: { letters: 'td', long: ['taskfile', 'dir'] },
  rake: { letters: 'fIrRE', long: ['rakefile', 'libdir', 'require', 'rakelibdir', 'execute'] },
  ...{ mvn: MAVEN, mvnw: MAVEN, gradle: GRADLE, gradlew: GRADLE },
  dotnet: { words: /^(?:--?|\/)(?:p|property|settings|s|logger|test-adapter-path|collect|diag)(?::|=|$)/i },
  tox: { letters: 'cx', long: ['conf', 'override', 'workdir', 'root'] },
  nox: { letters: 'f', long: ['noxfile', 'extra-pythons'] },
  uv: { long: ['with', 'with-editable', 'with-requirements', 'from', 'python', 'directory', 'project', 'config-file', 'env-file'] },
  poetry: { letters: 'CP', long: ['directory', 'project'] },
  rspec: { letters: 'rIO', long: ['require', 'options', 'default-path'] },
  phpunit: { letters: 'c', long: ['configuration', 'bootstrap', 'include-path', 'extension', 'printer'] },
  composer: { letters: 'd', long: ['working-dir'] },
  bundle: { long: ['gemfile'] },
  bazel: { long: ['bazelrc', 'run_under', 'override_repository', 'test_env', 'action_env', 'shell_executable', 'workspace_status_command'] },
};

/** Whether a program of a project is given an option that makes it run something else than its usual task. */
function runsOther(name: string, words: readonly Word[]): boolean {
  if (/^(?:python[\d.]*|pypy[\d.]*)$/.test(name) && literal(words[0]) === '-m') return runsOther(literal(words[1]) ?? '', words.slice(2));
  const hazard = Object.hasOwn(PROJECTS, name) ? PROJECTS[name] : undefined;
  if (hazard === undefined) return false;
  return hasRiskyOption(words, hazard) || words.some(({ text, beginning }) => isHazard(text ?? beginning, hazard));
}

function isHazard(word: string, { words, exact }: ProjectHazard): boolean {
  const name = /^--([^=]+)/.exec(word)?.[1]?.replaceAll('-', '').toLowerCase();
  return words?.test(word) === true || (name !== undefined && exact?.has(name) === true);
}
