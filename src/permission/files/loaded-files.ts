import { anyOf } from '../../text/any-of.js';

/** Settings of programs that name code or programs, and where it is documented that they do. */
export interface LoadedFiles {
  /** File names, canonical: lower case. */
  readonly files: RegExp;
  /** Names of the folder that they are in, canonical; any unless given. */
  readonly folders?: readonly string[];
  /**
   * The part that is loaded or run: the whole text; lines that fit, without comments; the values of these keys, at any depth; or all sections but harmless
   * ones, and in some that are about a package all lines but harmless ones.
   */
  readonly what:
    | { readonly kind: 'text' }
    | { readonly kind: 'lines'; readonly fitting: RegExp }
    | { readonly kind: 'sections'; readonly harmless: RegExp; readonly about: readonly string[]; readonly lines: RegExp }
    | { readonly kind: 'keys'; readonly keys: readonly string[]; readonly yaml?: true };
  /** The manuals that say so. */
  readonly source: string;
}

const CODE_SETTINGS = [
  'vite vitest webpack rspack rollup rolldown jest playwright cypress next nuxt astro remix karma wdio metro tsup tsdown esbuild gulp windi uno unocss craco',
  'snowpack quasar gatsby babel postcss tailwind svelte commitlint release knip nodemon ava nyc vue docusaurus eleventy',
  'solid drizzle codegen rsbuild farm storybook',
];
const CODE_FILES = [
  'vitest.workspace gulpfile gruntfile karma.conf wdio.conf jakefile .mocharc .commitlintrc .releaserc .nycrc .swcrc .lintstagedrc',
  'gatsby-node gatsby-config gatsby-browser gatsby-ssr ember-cli-build .eleventy .pnpmfile',
];
const VERSION_FILES = [
  'rust-toolchain rust-toolchain.toml .python-version .node-version .nvmrc .ruby-version .java-version .go-version',
  '.tool-versions .sdkmanrc global.json',
];
const COMMAND_SETTINGS = [
  'jest.config vitest.config nodemon .nodemon .nycrc .c8rc .taprc ava.config .releaserc .commitlintrc .lintstagedrc .remarkrc .markdownlint-cli2 .huskyrc',
  'angular project workspace nx turbo lerna deno .swrc .postcssrc',
];

/** Ordinary files of a project whose edits ask where they change what a program loads or runs. Protected files ask anyway. */
export const LOADED_FILES: readonly LoadedFiles[] = [
  {
    files: named(CODE_SETTINGS, '(?:\\.[\\w-]+)*\\.(?:config|conf|workspace)(?:\\.[\\w-]+)*\\.[cm]?[jt]sx?'),
    what: { kind: 'text' },
    source: 'settings that are code: vite.dev/config, vitest.dev/config, webpack.js.org/configuration, jestjs.io/docs/configuration',
  },
  {
    files: named(CODE_FILES, '\\.[cm]?[jt]s'),
    what: { kind: 'text' },
    source: 'Vitest, Gulp, Grunt, Karma, WebdriverIO, Jake, Mocha, commitlint, semantic-release, nyc, Gatsby, Ember CLI, Eleventy: settings that are code',
  },
  {
    files: named(VERSION_FILES, ''),
    what: { kind: 'lines', fitting: /^\s*[^#\s]/ },
    source: 'rustup book, overrides (also `path`); pyenv; fnm; nvm; rbenv; jenv; goenv; asdf; SDKMAN; .NET, global.json: which program runs under a name',
  },
  {
    files: /^\.gitattributes$/,
    what: { kind: 'lines', fitting: /^(?!\s*#).*(?:filter|diff|merge|textconv|working-tree-encoding|\[attr\])/ },
    source: 'gitattributes(5): filter, diff, and merge name programs of the Git configuration',
  },
  {
    files: /^\.prettierrc(?:\.(?:json|ya?ml))?$/,
    what: { kind: 'keys', keys: ['plugins', 'parser', 'pluginSearchDirs'], yaml: true },
    source: 'prettier.io/docs/options, “Plugins” and “Parser”; a shared configuration is a text alone',
  },
  {
    files: /^\.eslintrc(?:\.(?:json|ya?ml))?$/,
    what: { kind: 'keys', keys: ['plugins', 'extends', 'parser', 'processor', 'settings', 'resolvePluginsRelativeTo'], yaml: true },
    source: 'eslint.org/docs/v8.x/use/configure',
  },
  {
    files: /^\.stylelintrc(?:\.(?:json|ya?ml))?$/,
    what: { kind: 'keys', keys: ['plugins', 'extends', 'processors', 'customSyntax', 'formatter'], yaml: true },
    source: 'stylelint.io/user-guide/configure',
  },
  {
    files: /^(?:\.prettierrc\.(?:json5|toml|[cm]?[jt]s)|\.stylelintrc\.[cm]?js|\.babelrc\.[cm]?[jt]s)$/,
    what: { kind: 'text' },
    source: 'prettier.io/docs/configuration; stylelint.io/user-guide/configure; babeljs.io/docs/config-files: code, and formats that are not compared here',
  },
  {
    files: whole(
      /\.markdownlint(?:-cli2)?\.[cm]js|\.remarkrc\.[cm]?js|\.textlintrc(?:\.(?:js|json|ya?ml))?/,
      /\.?cspell\.config\.[cm]?[jt]s|\.oxlintrc\.json|typedoc\.(?:json|[cm]?js)/,
    ),
    what: { kind: 'text' },
    source: 'settings that are code or name plugins: markdownlint-cli2, unified-engine, textlint, CSpell, oxlint (jsPlugins), TypeDoc; their manuals',
  },
  {
    files: /^(?:\.?pylintrc(?:\.toml)?|\.?mypy\.ini|\.flake8|\.coveragerc|\.?pytest\.(?:ini|toml)|tox\.ini)$/,
    what: { kind: 'text' },
    source: 'Pylint, init-hook and load-plugins; mypy, plugins; Flake8, local-plugins; Coverage.py, plugins; pytest, addopts; tox, commands',
  },
  {
    files: whole(
      /\.rspec(?:-local)?|phpunit(?:\.dist)?\.xml(?:\.dist)?|\.php-cs-fixer(?:\.dist)?\.php|phpstan\.neon\.dist/,
      /\.formatter\.exs|\.credo\.exs|\.golangci\.(?:ya?ml|toml|json)|analysis_options\.yaml|\.ghci|\.ocamlinit/,
    ),
    what: { kind: 'text' },
    source:
      'RSpec, --require; PHPUnit, bootstrap; PHP CS Fixer; PHPStan, bootstrapFiles; ' +
      'mix format and Credo; golangci-lint, plugins; Dart, analyzer plugins; GHCi; OCaml',
  },
  { files: /^biome\.jsonc?$/, what: { kind: 'keys', keys: ['plugins', 'extends'] }, source: 'biomejs.dev/reference/configuration' },
  {
    files: /^(?:ts|js)config(?:\.[\w-]+)*\.json$/,
    what: { kind: 'keys', keys: ['extends', 'plugins', 'ts-node', 'references', 'paths', 'baseUrl', 'outDir', 'outFile', 'declarationDir', 'tsBuildInfoFile'] },
    source: 'typescriptlang.org/tsconfig; typestrong.org/ts-node/docs/configuration: plugins of the editor, what is required, where output goes',
  },
  {
    files: /^\.babelrc(?:\.json)?$/,
    what: { kind: 'keys', keys: ['presets', 'plugins', 'extends', 'parserOpts', 'generatorOpts'] },
    source: 'babeljs.io/docs/options',
  },
  { files: /^\.swcrc$/, what: { kind: 'keys', keys: ['plugins', 'baseUrl', 'paths'] }, source: 'swc.rs/docs/configuration/swcrc' },
  {
    files: /^\.mocharc(?:\.(?:jsonc?|ya?ml))?$/,
    what: {
      kind: 'keys',
      keys: [
        'require',
        'r',
        'import',
        'file',
        'loader',
        'reporter',
        'R',
        'ui',
        'u',
        'spec',
        'node-option',
        'n',
        'extends',
        'extension',
        'config',
        'package',
        'opts',
        'experimental-loader',
      ],
      yaml: true,
    },
    source: 'mochajs.org/running/configuring; mochajs.org/running/cli',
  },
  {
    files: named(COMMAND_SETTINGS, '(?:\\.(?:jsonc?|ya?ml))?'),
    what: { kind: 'text' },
    source: 'settings that name commands, executors, and modules; nx.dev/reference/project-configuration, docs.deno.com, nodemon.io',
  },
];

/** A file name that is one of those listed, with an ending. */
function named(lists: readonly string[], end: string): RegExp {
  const names = lists.flatMap((list) => list.split(' ')).map((name) => name.replaceAll('.', '\\.'));
  return new RegExp(`^(?:${names.join('|')})${end}$`);
}

/** A file name that is all of what one of these fits. */
function whole(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(`^(?:${anyOf(...patterns)})$`);
}
