import type { Word } from './word.js';

/**
 * Programs that load nothing of the folders that they run in, and start no other program, whatever their operands are.
 * Source: POSIX.1-2017, Shell & Utilities; bash(1), builtins; GNU coreutils manual; grep(1); jq(1), whose modules cannot run programs.
 */
export const HARMLESS: ReadonlySet<string> = new Set([
  ...[':', 'true', 'false', 'test', '[', '[[', 'echo', 'exit', 'return', 'shift', 'set', 'break', 'continue', 'wait', 'kill', 'umask', 'ulimit', 'type'],
  ...['pwd', 'times'],
  ...['cat', 'head', 'tail', 'tr', 'cut', 'wc', 'uniq', 'nl', 'rev', 'tac', 'fold', 'paste', 'comm', 'cmp', 'column', 'expand', 'fmt', 'seq', 'base64', 'od'],
  ...['cksum', 'md5sum', 'sha1sum', 'sha256sum', 'shasum'],
  ...['grep', 'egrep', 'fgrep', 'jq', 'date', 'sleep', 'basename', 'dirname', 'realpath', 'readlink', 'ls', 'stat', 'mkdir', 'rmdir', 'touch', 'rm'],
  ...['hostname', 'uname', 'whoami', 'id', 'tty', 'nproc', 'which', 'mktemp', 'expr'],
]);
/** Arguments by which such a program loads a file after all, or what shells do when they go through links changes. */
export const HARMLESS_UNLESS: ReadonlyMap<string, RegExp> = new Map([
  ['jq', /^-(?:[a-zA-Z]*[fL]|-from-file|-library-path)/],
  ['set', /^[-+][a-zA-Z]*P|^physical$/],
]);
/** Programs that write one file over another, whose last operand is most often that. */
export const WRITERS: ReadonlySet<string> = new Set(['cp', 'mv', 'ln', 'install', 'dd', 'rsync', 'truncate']);
/** Keywords that stand in front of a command (POSIX.1-2017, 2.4; bash(1), `time`). */
export const BEFORE_COMMAND: ReadonlySet<string> = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '!', '{', 'time']);
/** Keywords that stand alone (as above). */
export const ALONE: ReadonlySet<string> = new Set(['fi', 'done', '}']);
/** Commands that set variables, after which a known one may have another value (bash(1), builtins). */
export const SETTERS: ReadonlySet<string> = new Set([
  'export',
  'read',
  'declare',
  'typeset',
  'local',
  'readonly',
  'unset',
  'for',
  'printf',
  'getopts',
  'mapfile',
  'readarray',
  'let',
]);
/**
 * Programs that start the program behind them, which has to be said of `xargs` alone: it adds arguments that the user does not see.
 * Source: POSIX.1-2017; GNU coreutils manual, “Modified command invocation”; sudo(8); doas(1); bash(1).
 */
export const WRAPPERS: ReadonlySet<string> = new Set([
  'env',
  'nohup',
  'nice',
  'timeout',
  'stdbuf',
  'setsid',
  'ionice',
  'chronic',
  'exec',
  'command',
  'builtin',
  'sudo',
  'doas',
  'xargs',
]);

/** Options of a program that runs scripts. */
export interface Interpreter {
  readonly names: RegExp;
  /** Options whose value is code. */
  readonly code: RegExp;
  /** Options without a value that load nothing. */
  readonly plain: RegExp;
  /** First operands that are no script. */
  readonly subcommands?: ReadonlySet<string>;
  /** Whether the code of an argument is a line for a POSIX shell. */
  readonly isShell?: true;
}

/**
 * Source: bash(1), dash(1), zsh(1); node(1); docs.python.org/3/using/cmdline.html; ruby(1); perlrun(1); php(1); lua(1); bun.sh/docs/cli/run;
 * docs.deno.com/runtime/reference/cli.
 */
export const INTERPRETERS: readonly Interpreter[] = [
  { names: /^(?:ba|da|k|mk|z|a)?sh$/, code: /^-[a-zA-Z]*c[a-zA-Z]*$/, plain: /^-[abefhkmnptuvxBCEHPT]+$|^--(?:norc|noprofile|posix)$/, isShell: true },
  { names: /^(?:fish|csh|tcsh|nu|elvish|pwsh|powershell|cmd)$/, code: /^-[a-z]*c[a-z]*$|^\/c$/i, plain: /^-f$/ },
  {
    names: /^(?:node|nodejs|tsx|ts-node)[\d.]*$/,
    code: /^(?:-[ep]+|--eval|--print)$/,
    plain: /^--(?:no-warnings|enable-source-maps|trace-warnings|throw-deprecation|no-deprecation|use-strict)$/,
    subcommands: new Set(['inspect', 'watch', 'debug']),
  },
  {
    names: /^(?:bun|deno)$/,
    code: /^(?:-e|-p|--eval|--print|eval)$/,
    plain: /^(?:-A|--allow-(?:all|read|write|net|env|run)|--silent)$/,
    subcommands: new Set(['run', 'test', 'x', 'exec', 'task', 'serve', 'install', 'add', 'create', 'build', 'repl', 'bench', 'jupyter']),
  },
  { names: /^(?:python|pypy)[\d.]*w?$|^pyw?$/, code: /^-[a-zA-Z]*c$/, plain: /^-[bBdEIOPqRsSuvx]+$/ },
  { names: /^ruby[\d.]*$/, code: /^-e$/, plain: /^-[wWvdsU]+$|^--(?:disable-gems|yjit)$/ },
  { names: /^perl[\d.]*$/, code: /^-[a-zA-Z]*[eE]$/, plain: /^-[wWtTsXuU]+$/ },
  { names: /^php[\d.]*$/, code: /^-[rBRE]$/, plain: /^-[qn]$/ },
  { names: /^(?:lua|luajit)[\d.]*$/, code: /^-e$/, plain: /^-[EWv]$/ },
  { names: /^(?:Rscript|osascript|tclsh|wish|expect|guile|racket|julia|elixir)[\d.]*$/i, code: /^-[eE]$/, plain: /^-[nr]$/ },
];

/**
 * Variables by which programs find what they load, run, or trust.
 * Source: environ(7), ld.so(8), dyld(1); bash(1), `BASH_ENV`, `ENV`, `IFS`, `CDPATH`, `SHELLOPTS`, `PS4`; zsh(1), `ZDOTDIR`; node(1);
 * docs.python.org/3/using/cmdline.html; perlrun(1); ruby(1);
 * php(1); lua(1); java(1); git(1); docs.npmjs.com, config; pip, uv, and Cargo, environment variables; deno and bun, likewise; less(1); xdg-basedir.
 */
const STEERING = new RegExp(
  `^(?:${[
    ...['PATH', 'HOME', 'SHELL', 'ENV', 'BASH_.*', 'SHELLOPTS', 'BASHOPTS', 'IFS', 'CDPATH', 'GLOBIGNORE', 'PS4', 'PROMPT_COMMAND', 'FPATH', 'ZDOTDIR'],
    ...['PWD', 'OLDPWD', 'XDG_.*', 'COMSPEC', 'PATHEXT'],
    ...['NODE_(?!(?:ENV|NO_WARNINGS|DEBUG)$).*', 'TS_NODE_.*', 'TSX_.*', 'ELECTRON_.*', 'BUN_.*', 'DENO_.*', 'NPM_CONFIG_.*', 'YARN_.*', 'PNPM_.*'],
    ...['COREPACK_.*'],
    ...['PYTHON(?!(?:UNBUFFERED|IOENCODING|UTF8|DONTWRITEBYTECODE|HASHSEED)$).*', 'PIP_.*', 'PIPX_.*', 'UV_.*', 'VIRTUAL_ENV', 'CONDA_.*', 'POETRY_.*'],
    ...['PIPENV_.*', 'PYENV_.*', 'PYTEST_.*'],
    ...['PERL5?(?:OPT|LIB|DB|SHELL).*', 'RUBY(?:OPT|LIB|PATH|SHELL)', 'GEM_.*', 'BUNDLE_.*', 'RBENV_.*', 'PHPRC', 'PHP_INI_SCAN_DIR', 'COMPOSER(?:_.*)?'],
    ...['LUA_.*', 'TCLLIBPATH', 'JULIA_.*', 'R_.*', 'ELIXIR_.*', 'ERL_.*'],
    ...['JAVA_.*', '_JAVA_OPTIONS', 'JDK_.*', 'CLASSPATH', 'MAVEN_.*', 'GRADLE_.*', 'DOTNET_.*', 'GO(?:FLAGS|PATH|ROOT|PROXY|TOOLCHAIN|ENV|NOSUMDB|SUMDB)'],
    ...['CARGO(?:_.*)?', 'RUST(?:C.*|FLAGS|UP_.*)', 'CC', 'CXX', 'LD', 'MAKE(?:FLAGS|FILES)'],
    ...['LD_.*', 'DYLD_.*', 'GCONV_PATH', 'LOCPATH', 'MALLOC_.*', 'GLIBC_TUNABLES', 'OPENSSL_.*', 'SSL_.*', 'CURL_.*', 'REQUESTS_CA_BUNDLE', '.*_PROXY'],
    ...['GIT_.*', 'SSH_(?!AUTH_SOCK$).*', 'EDITOR', 'VISUAL', 'PAGER', 'LESS(?:OPEN|CLOSE)', 'BROWSER', 'DOCKER_.*', 'COMPOSE_.*', 'KUBECONFIG', 'AWKPATH'],
    ...['AWKLIBPATH', 'JQ_.*', 'RIPGREP_CONFIG_PATH', 'DIRENV_.*', 'ASDF_.*', 'MISE_.*'],
  ].join('|')})$`,
  'i',
);

/** Whether programs find what they load, run, or trust by a variable. */
export function isSteering(name: string): boolean {
  return STEERING.test(name);
}

/**
 * Files in the working directory and above it by which programs decide where code comes from, beside those that `pathsThatMayRun` adds.
 * Source: docs.npmjs.com, npmrc and folders; pnpm.io/npmrc, pnpmfile; yarnpkg.com, yarnrc; bun.sh/docs/runtime/bunfig; pip, configuration;
 * docs.astral.sh/uv, configuration files; Cargo Book,
 * configuration; docs.docker.com, Compose file; Bundler; docs.deno.com, configuration.
 */
export const SETTINGS_FILES: readonly { readonly programs: RegExp; readonly files: readonly string[] }[] = [
  {
    programs: /^(?:npm|pnpm|yarn|npx|pnpx|corepack)$/,
    files: ['package.json', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.pnp.cjs', 'pnpm-workspace.yaml'],
  },
  { programs: /^(?:bun|bunx)$/, files: ['package.json', '.npmrc', 'bunfig.toml', 'tsconfig.json'] },
  { programs: /^(?:deno)$/, files: ['deno.json', 'deno.jsonc', '.npmrc'] },
  {
    programs: /^(?:pip[\d.]*|pipx|uv|uvx|poetry|pdm|hatch|rye|pipenv)$/,
    files: ['pyproject.toml', 'uv.toml', 'pip.conf', 'pip.ini', '.python-version', 'Pipfile', 'poetry.toml', 'setup.py', 'setup.cfg'],
  },
  { programs: /^cargo$/, files: ['.cargo/config.toml', '.cargo/config', 'rust-toolchain', 'rust-toolchain.toml', 'build.rs'] },
  {
    programs: /^(?:docker|podman|docker-compose|podman-compose)$/,
    files: ['.env', 'compose.override.yaml', 'compose.override.yml', 'docker-compose.override.yml', 'docker-compose.override.yaml'],
  },
  { programs: /^(?:bundle|rake|rails)$/, files: ['Gemfile', 'Rakefile', '.bundle/config'] },
  { programs: /^(?:tsx|ts-node)$/, files: ['tsconfig.json', 'package.json'] },
];

/** Scripts and modules that the arguments of an interpreter name. */
interface Scripts {
  /** Scripts that it may run: files, and folders for programs that run folders. */
  readonly scripts: readonly Word[];
  /** Files, folders, or modules that its options load. */
  readonly loaded: readonly Word[];
  /** Code in its arguments, or what may be. */
  readonly code: readonly Word[];
  /** Words whose meaning is not known. */
  readonly unclear: readonly Word[];
  /** Whether it runs what it reads on its standard input. */
  readonly readsInput: boolean;
  /** Whether the first operand is a command of its own, such as `run`, which decides what comes behind it. */
  readonly isOther: boolean;
}

/** The interpreter of a name; `undefined` for another program. */
export function interpreterOf(program: string): Interpreter | undefined {
  return INTERPRETERS.find(({ names }) => names.test(program));
}

/** Reads the arguments of an interpreter up to its script. Behind an option that is not known, both it and its value may be the script. */
export function scriptsOf({ code, plain, subcommands, isShell }: Interpreter, args: readonly Word[]): Scripts {
  const found = { scripts: [] as Word[], loaded: [] as Word[], unclear: [] as Word[], code: [] as Word[] };
  let mayBeValue = false;
  for (const [index, word] of args.entries()) {
    const { value, known } = word;
    const next = args[index + 1];
    if (known && value === '-') return { ...found, readsInput: true, isOther: false };
    if (known && value === '--') {
      if (next !== undefined) found.scripts.push(next);
      return { ...found, readsInput: next === undefined, isOther: false };
    }
    if (known && code.test(value)) return { ...found, code: codeBehind(args.slice(index + 1), isShell === true), readsInput: false, isOther: false };
    if (known && value === '-m' && next !== undefined) return { ...found, loaded: [...found.loaded, next], readsInput: false, isOther: false };
    // Shells take options away with a `+`.
    if (!/^-|^\+[A-Za-z]/.test(value)) {
      if (known && subcommands?.has(value) === true) return { ...found, readsInput: false, isOther: true };
      found.scripts.push(word);
      if (!mayBeValue) return { ...found, readsInput: false, isOther: false };
      mayBeValue = false;
    } else if (!known || !plain.test(value)) {
      found.unclear.push(word);
      const attached = /^-[^=]*=(.+)$/s.exec(value)?.[1] ?? /^-[A-Za-z](.+)$/s.exec(value)?.[1];
      if (attached !== undefined) found.loaded.push({ ...word, value: attached });
      mayBeValue = !value.includes('=');
    }
  }
  return { ...found, readsInput: found.scripts.length === 0, isOther: false };
}

/** Shells read options behind `-c`, too, and take the first operand for the line; where there are options, one of them may have a value that looks like it. */
function codeBehind(args: readonly Word[], isShell: boolean): readonly Word[] {
  const at = isShell ? args.findIndex(({ value, known }) => !known || !/^[-+]/.test(value)) : 0;
  const operands = at === -1 ? [] : args.slice(at);
  return operands.slice(0, at > 0 ? 2 : 1);
}
