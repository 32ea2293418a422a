import type { RiskyOptions } from '../commands/options.js';
import { hasRiskyOption } from '../commands/options.js';
import type { Word } from '../words/word.js';
import { literal } from '../words/word.js';

/** How the programs of a project are told to run code of somebody's choice, beside their usual task. */
interface ProjectHazard extends RiskyOptions {
  /** Words that do so and are no options in the usual sense. */
  readonly words?: RegExp;
  /** Long names that count only as a whole, whether their parts are apart by dashes or by capitals. */
  readonly exact?: ReadonlySet<string>;
}

/** Options by which tools of JavaScript take code: settings are code, and so is a plugin. Lower case, without dashes. */
const SETTINGS_ARE_CODE: ReadonlySet<string> = new Set([
  ...['config', 'configuration', 'require', 'import', 'loader', 'experimentalloader', 'plugin', 'plugins', 'pluginsearchdir', 'rulesdir', 'resolvepluginsrelativeto'],
  ...['globalsetup', 'globalteardown', 'setupfiles', 'setupfilesafterenv', 'testenvironment', 'testrunner', 'runner', 'transform', 'resolver', 'reporter', 'reporters'],
  ...['formatter', 'parser', 'rootdir', 'preset', 'exec', 'execargv', 'nodearg', 'nodearguments', 'pooloptions'],
]);
/** Options of npm and its like, which also take the beginning of a name for the whole. */
const OF_NPM = ['node-options', 'script-shell', 'shell', 'prefix', 'userconfig', 'globalconfig', 'cwd', 'call', 'package', 'init-module', 'use-yarnrc', 'modules-folder'];
const NPM: ProjectHazard = { letters: 'cCr', long: OF_NPM, exact: SETTINGS_ARE_CODE };
const JAVASCRIPT: ProjectHazard = { letters: 'cr', exact: SETTINGS_ARE_CODE };
const MAKE: ProjectHazard = { letters: 'fCIE', valued: 'jlOW', long: ['file', 'makefile', 'directory', 'include-dir', 'eval'], words: /^[\w.@-]+[:+?!]*=/ };
const GRADLE: ProjectHazard = { letters: 'IbcpDg', long: ['init-script', 'build-file', 'settings-file', 'project-dir', 'include-build', 'system-prop', 'gradle-user-home'] };
/** Of Maven only what chooses tests is set harmlessly. */
const MAVEN: ProjectHazard = { letters: 'fslt', valued: 'DPp', words: /^(?:-gs|-gt|--file|--settings|--global-settings|--toolchains|--log-file)|^(?:-D|--define=?)(?!(?:test|it\.test|skipTests|skipITs|maven\.test\.skip|surefire\.failIfNoSpecifiedTests)\b)/ };

/** By program, each from its manual. */
const PROJECTS: Readonly<Record<string, ProjectHazard>> = {
  ...{ npm: NPM, pnpm: NPM, yarn: NPM, bun: NPM, npx: NPM, pnpx: NPM, bunx: NPM },
  ...{ jest: JAVASCRIPT, vitest: JAVASCRIPT, mocha: JAVASCRIPT, ava: JAVASCRIPT, eslint: JAVASCRIPT, prettier: JAVASCRIPT, stylelint: JAVASCRIPT, playwright: JAVASCRIPT, cypress: JAVASCRIPT },
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
export function runsOther(name: string, words: readonly Word[]): boolean {
  if (/^(?:python[\d.]*|pypy[\d.]*)$/.test(name) && literal(words[0]) === '-m') return runsOther(literal(words[1]) ?? '', words.slice(2));
  const hazard = Object.hasOwn(PROJECTS, name) ? PROJECTS[name] : undefined;
  if (hazard === undefined) return false;
  return hasRiskyOption(words, hazard) || words.some(({ text, beginning }) => isHazard(text ?? beginning, hazard));
}

function isHazard(word: string, { words, exact }: ProjectHazard): boolean {
  const name = /^--([^=]+)/.exec(word)?.[1]?.replaceAll('-', '').toLowerCase();
  return words?.test(word) === true || (name !== undefined && exact?.has(name) === true);
}
