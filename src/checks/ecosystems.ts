import {
  type NamedCheck,
  type Reading,
  type NamingFile,
  cargoChecks,
  composerChecks,
  denoChecks,
  gradleChecks,
  makeChecks,
  mavenChecks,
  packageChecks,
  pythonChecks,
} from './readers.js';

/** How the checks of one kind of file are found. */
export interface CheckSource {
  /** Pattern of names, as `compileName` has it; of several that fit, each counts. */
  readonly file: string;
  /** Runs nothing. */
  readonly read: (file: NamingFile) => Reading;
}

/** Checks that are the same wherever there is such a file. */
function always(...checks: readonly NamedCheck[]): CheckSource['read'] {
  return () => checks;
}

/** Where checks are found, those that are asked first at the beginning: of two with the same line, the first counts. */
export const CHECK_SOURCES: readonly CheckSource[] = [
  // docs.npmjs.com, package.json, “scripts”; pnpm.io, yarnpkg.com, and bun.sh, `run`.
  { file: 'package.json', read: packageChecks },
  // docs.deno.com/runtime/reference/cli/task; `deno check`, `deno lint`, and `deno test` need no settings.
  { file: 'deno.json', read: denoChecks },
  { file: 'deno.jsonc', read: denoChecks },
  // docs.pytest.org, reference/customize (which files have its settings); docs.astral.sh/ruff/configuration; mypy.readthedocs.io, config_file.
  { file: 'pyproject.toml', read: pythonChecks },
  { file: 'pytest.ini', read: pythonChecks },
  { file: '.pytest.ini', read: pythonChecks },
  { file: 'tox.ini', read: pythonChecks },
  { file: 'setup.cfg', read: pythonChecks },
  { file: 'ruff.toml', read: pythonChecks },
  { file: '.ruff.toml', read: pythonChecks },
  { file: 'mypy.ini', read: pythonChecks },
  { file: '.mypy.ini', read: pythonChecks },
  // doc.rust-lang.org/cargo/commands; doc.rust-lang.org/clippy/usage.
  { file: 'Cargo.toml', read: cargoChecks },
  // pkg.go.dev/cmd/go, “Report likely mistakes in packages”, “Compile packages”, and “Test packages”.
  {
    file: 'go.mod',
    read: always(
      { name: 'vet', kind: 'lint', line: 'go vet ./...' },
      { name: 'build', kind: 'build', line: 'go build ./...' },
      { name: 'test', kind: 'tests', line: 'go test ./...' },
    ),
  },
  // docs.gradle.org, “Gradle Wrapper” and “The Java Plugin”, tasks: `check` runs the tests and what else verifies.
  { file: 'gradlew', read: gradleChecks },
  // maven.apache.org, “Introduction to the Build Lifecycle”; maven.apache.org/wrapper.
  { file: 'pom.xml', read: mavenChecks },
  // learn.microsoft.com, `dotnet build` and `dotnet test`: with the solution or the project in the folder.
  ...['*.sln', '*.slnx', '*.csproj', '*.fsproj'].map((file) => ({
    file,
    read: always({ name: 'build', kind: 'build', line: 'dotnet build' }, { name: 'test', kind: 'tests', line: 'dotnet test' }),
  })),
  // getcomposer.org/doc/articles/scripts.md.
  { file: 'composer.json', read: composerChecks },
  // gnu.org/software/make/manual, “Rules”, and “Standard Targets”; just.systems/man, “Recipes”.
  ...['GNUmakefile', 'makefile', 'Makefile'].map((file) => ({ file, read: makeChecks('make') })),
  ...['justfile', 'Justfile', '.justfile'].map((file) => ({ file, read: makeChecks('just') })),
];

/** Files that decide what programs run, whatever is in them: patterns of their names, and folders of which all counts. */
export interface DecidingFiles {
  /** Programs in lines; absent: all. */
  readonly programs?: RegExp;
  /** Patterns of names, as `compileName` has them: in the folder of a check, and in those above it. */
  readonly names: readonly string[];
  /** Folders beside them, relative to the same places. */
  readonly folders?: readonly string[];
}

const NODE = /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx|node|corepack)$/;

/** Beside what `bindingOf` adds to every line. */
export const DECIDING_FILES: readonly DecidingFiles[] = [
  {
    // docs.npmjs.com, npmrc and package-lock.json; pnpm.io, settings; yarnpkg.com, yarnrc and Plug’n’Play; bun.sh, bunfig and lock file. Tools of Node.js
    // have their settings in `*.config.*`, `.*rc`, and `.*rc.*`: vitest.dev/config, jestjs.io, mochajs.org, eslint.org, prettier.io, biomejs.dev,
    // babeljs.io, playwright.dev, typescriptlang.org/tsconfig, turbo.build, nx.dev, lerna.js.org, and others.
    programs: NODE,
    names: [
      ...[
        'package.json',
        'package-lock.json',
        'npm-shrinkwrap.json',
        'yarn.lock',
        'pnpm-lock.yaml',
        'pnpm-workspace.yaml',
        'bun.lock',
        'bun.lockb',
        'bunfig.toml',
      ],
      ...['.pnp.*', '.pnpmfile.*', '*.config.*', '.*rc', '.*rc.*', 'tsconfig*.json', 'jsconfig*.json', 'vitest.*', 'jest.*', 'karma.conf.*', 'gulpfile.*'],
      ...['biome.json*', 'turbo.json*', 'nx.json', 'project.json', 'lerna.json', 'wireit.json', 'angular.json', '.env', '.env.*', '.node-version', '.nvmrc'],
      ...['.eslintignore', '.prettierignore', '.editorconfig'],
    ],
    folders: ['.config', '.yarn/plugins', '.yarn/releases'],
  },
  {
    // docs.deno.com/runtime/fundamentals/configuration.
    programs: /^deno$/,
    names: ['deno.json', 'deno.jsonc', 'deno.lock', 'package.json', '.npmrc', '.env', '.env.*'],
  },
  {
    // docs.pytest.org, reference/customize and `conftest.py`; tox.wiki; nox.thea.codes; packaging.python.org, pyproject; docs.python.org/3/library/site.
    programs: /^(?:python[\d.]*|py|pytest|py\.test|ruff|mypy|tox|nox|uv|poetry|pdm|hatch|pipenv|rye|flake8|pylint|pyright)$/,
    names: [
      ...[
        'pyproject.toml',
        'pytest.ini',
        '.pytest.ini',
        'pytest.toml',
        '.pytest.toml',
        'tox.ini',
        'tox.toml',
        'setup.cfg',
        'setup.py',
        'conftest.py',
        'noxfile.py',
      ],
      ...[
        'ruff.toml',
        '.ruff.toml',
        'mypy.ini',
        '.mypy.ini',
        '.flake8',
        '.pylintrc',
        'pyrightconfig.json',
        '.coveragerc',
        'sitecustomize.py',
        'usercustomize.py',
      ],
      ...['uv.lock', 'uv.toml', 'poetry.lock', 'poetry.toml', 'pdm.lock', 'Pipfile', 'Pipfile.lock', 'requirements*.txt', '.python-version', '.env'],
    ],
  },
  {
    // doc.rust-lang.org/cargo/reference/config; …/build-scripts; rust-lang.github.io/rustup/overrides; doc.rust-lang.org/clippy/configuration; nexte.st.
    programs: /^cargo$/,
    names: ['Cargo.toml', 'Cargo.lock', 'build.rs', 'rust-toolchain', 'rust-toolchain.toml', 'clippy.toml', '.clippy.toml', 'rustfmt.toml', '.rustfmt.toml'],
    folders: ['.cargo', '.config'],
  },
  // go.dev/ref/mod, `go.mod`, `go.sum`, and workspaces.
  { programs: /^go$/, names: ['go.mod', 'go.sum', 'go.work', 'go.work.sum', '.golangci.*'] },
  {
    // docs.gradle.org, “Build Lifecycle”, “Configuring the Build Environment”, “Organizing Gradle Projects” (buildSrc), and “Gradle Wrapper”.
    programs: /^gradlew?$/,
    names: ['*.gradle', '*.gradle.kts', 'gradle.properties', 'gradlew', 'gradlew.bat', 'gradle.lockfile', 'local.properties'],
    folders: ['gradle', 'buildSrc'],
  },
  // maven.apache.org/configure and /pom; maven.apache.org/wrapper.
  { programs: /^mvnw?$/, names: ['pom.xml', 'mvnw', 'mvnw.cmd'], folders: ['.mvn'] },
  {
    // learn.microsoft.com, “Customize your build”, global.json, NuGet.Config, and runsettings.
    programs: /^dotnet$/,
    names: [
      ...['*.sln', '*.slnx', '*.csproj', '*.fsproj', '*.vbproj', 'Directory.*.props', 'Directory.*.targets', 'Directory.*.rsp', 'global.json'],
      ...['[Nn]u[Gg]et.[Cc]onfig', '*.runsettings', 'packages.lock.json', '.editorconfig'],
    ],
    folders: ['.config'],
  },
  // getcomposer.org, composer.json and lock file; docs.phpunit.de, configuration; phpstan.org/config-reference; pestphp.com.
  {
    programs: /^(?:composer|php|phpunit|pest|phpstan)$/,
    names: ['composer.json', 'composer.lock', 'phpunit.xml*', 'phpunit.dist.xml', 'phpstan.*', 'psalm.xml*', 'Pest.php', 'php.ini', '.php-cs-fixer*'],
  },
  // gnu.org/software/make/manual, “Makefile Names” and “Include”; just.systems/man, “Imports” and “Modules”.
  { programs: /^g?make$/, names: ['GNUmakefile', 'makefile', 'Makefile', '*.mk', 'CMakeLists.txt', 'CMakePresets.json', 'configure'] },
  { programs: /^just$/, names: ['justfile', 'Justfile', '.justfile', '*.just', '.env'] },
];

/** Names of files with tests, by what runners look for; the folders whose content is tests, with all that these load. */
export const TEST_FILES: { readonly names: readonly string[]; readonly folders: readonly string[] } = {
  // vitest.dev and jestjs.io (`include`, `testMatch`); nodejs.org/api/test; mochajs.org (`spec`); docs.pytest.org, “Conventions for Python test discovery”;
  // pkg.go.dev/cmd/go, “Test packages”; maven.apache.org/surefire, “Inclusions and Exclusions of Tests”; learn.microsoft.com, conventions; docs.phpunit.de;
  // docs.deno.com, `deno test`; rspec.info; doc.rust-lang.org/cargo, “Project layout” (tests, benches).
  names: [
    ...['*.test.*', '*.tests.*', '*.spec.*', '*.specs.*', '*.snap', '*-test.*', 'test-*.*', 'test.*', '*_test.*', '*_tests.*', 'test_*.*', '*_spec.*'],
    ...['*Test.*', '*Tests.*', '*TestCase.*', '*IT.java', 'Test*.java', 'Test*.kt', 'conftest.py', 'tests.py', 'tests.rs'],
  ],
  folders: ['test', 'tests', '__tests__', 'spec', 'specs', '__snapshots__', '__mocks__', '__fixtures__', 'fixtures', 'testdata', 'e2e', 'cypress', 'testing'],
};
