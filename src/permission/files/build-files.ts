import type { LoadedFiles } from './loaded-files.js';

/** A whole file that is code, or names commands. `*` stands for anything in a name. */
function text(names: string, source: string, folders?: string): LoadedFiles {
  const place = folders === undefined ? {} : { folders: folders.split(' ') };
  return { files: pattern(names), ...place, what: { kind: 'text' }, source };
}

function pattern(names: string): RegExp {
  const parts = names.split(/\s+/).map((name) => name.replace(/[.+()[\]]/g, '\\$&').replaceAll('*', '.*').replaceAll('~', '[cm]?[jt]sx?'));
  return new RegExp(`^(?:${parts.join('|')})$`);
}

/** Keys that only say something about a package, on one line. */
const ABOUT = /^\s*(?:version|description|keywords|categories|license|authors|homepage|repository|documentation)\s*=\s*(?:"[^"\\]*"|\[(?:\s*"[^"\\]*"\s*,?)*\s*\])\s*(?:#.*)?$/;

/**
 * Ordinary files of a project that build tools, task runners, test runners, and package managers run or load without being told, by the names under which they
 * look for them. A `~` stands for the endings of JavaScript and TypeScript.
 */
export const BUILD_FILES: readonly LoadedFiles[] = [
  {
    files: pattern('pyproject.toml'),
    what: { kind: 'sections', harmless: /^(?:project\.urls|tool\.(?:black|ruff(?:\..+)?|codespell|typos(?:\..+)?|yapf|pycodestyle|pydocstyle|vulture|interrogate|docformatter|coverage\.(?:report|html|xml|paths)))$/, about: ['project', 'tool.poetry'], lines: ABOUT },
    source: 'packaging.python.org, pyproject.toml: build-system, dependencies, scripts; pytest, mypy, Pylint, tox, Hatch, PDM, Poetry, poethepoet: what they read of it',
  },
  {
    files: pattern('setup.cfg'),
    what: { kind: 'sections', harmless: /^(?:isort|pycodestyle|pydocstyle|pep8|yapf|codespell|bdist_wheel|coverage:(?:report|html|xml|paths))$/, about: [], lines: ABOUT },
    source: 'setuptools, setup.cfg: attr, cmdclass, and entry points; pytest, Flake8, and mypy read it too',
  },
  {
    files: pattern('cargo.toml'),
    what: { kind: 'sections', harmless: /^(?:badges|lints(?:\..+)?|workspace\.lints(?:\..+)?)$/, about: ['package', 'workspace.package'], lines: ABOUT },
    source: 'The Cargo Book, manifest: build, dependencies (build scripts, procedural macros), patch',
  },
  {
    files: pattern('composer.json'),
    what: { kind: 'keys', keys: ['scripts', 'require', 'require-dev', 'autoload', 'autoload-dev', 'repositories', 'config', 'extra', 'bin', 'type', 'replace', 'provide', 'minimum-stability'] },
    source: 'getcomposer.org/doc/04-schema.md: scripts, plugins, autoload.files',
  },
  { files: /^\.browserslistrc$/, what: { kind: 'lines', fitting: /extends/ }, source: 'Browserslist, shareable configs: a module that is loaded' },
  text('makefile gnumakefile bsdmakefile makefile.* gnumakefile.* *.mk *.mak *.make kbuild', 'GNU make, makefile names; bmake(1); nmake; Automake; cargo-make'),
  text('justfile .justfile *.just taskfile taskfile.* maskfile.md magefile.go earthfile tiltfile procfile procfile.* mprocs.y*ml .air.toml tusk.y*ml runfile robot.y*ml', 'just; Task; mask; Mage; Earthly; Tilt; Foreman; mprocs; air; tusk: what they run'),
  text('setup.py noxfile.py tasks.py fabfile.py dodo.py wscript sconstruct sconscript conanfile.py conanfile.txt gunicorn.conf.py tox.toml hatch.toml', 'setuptools; Nox; Invoke; Fabric; doit; Waf; SCons; Conan; Gunicorn; tox; Hatch: code that they run'),
  text('requirements*.txt requirements*.in constraints*.txt pipfile environment.y*ml poetry.toml pdm.toml uv.toml pixi.toml', 'pip, requirements file format: options and packages, whose setup runs; Pipenv; conda; Poetry; PDM; uv; pixi'),
  text('alembic.ini scrapy.cfg pyrightconfig.json mkdocs.y*ml conf.py asv.conf.json .sqlfluff dbt_project.y*ml ipython_config.py jupyter_*_config.py .pdbrc ansible.cfg manage.py', 'Alembic; Scrapy; Pyright, venv; MkDocs, hooks; Sphinx; asv; SQLFluff, library_path; dbt, hooks; IPython; Jupyter; pdb; Ansible; Django'),
  text('rakefile rakefile.rb *.rake gemfile gems.rb *.gemspec gemfile.* guardfile capfile vagrantfile podfile *.podspec fastfile appfile matchfile pluginfile dangerfile brewfile berksfile thorfile *.thor config.ru puppetfile steepfile .simplecov .standard.y*ml .haml-lint.y*ml .erb*lint.y*ml .yardopts', 'Rake; Bundler; RubyGems; Guard; Capistrano; Vagrant; CocoaPods; fastlane; Danger; Homebrew Bundle; Berkshelf; Thor; Rack; r10k; Steep; SimpleCov; Standard; haml-lint; ERB Lint; YARD: Ruby that they run'),
  text('*.gradle *.gradle.kts gradle.properties libs.versions.toml pom.xml *.sbt build.sc build.mill build.xml ivy.xml project.clj deps.edn bb.edn shadow-cljs.edn build.boot .jvmopts .sbtopts .mill-jvm-opts .scalafix.conf', 'Gradle; Maven; sbt; Mill; Ant; Ivy; Leiningen; Clojure; Babashka; shadow-cljs; Boot; Scalafix: builds are programs'),
  text('*.sbt *.scala build.properties plugins.sbt', 'sbt, organizing the build: project/ is compiled and run', 'project'),
  text('cmakelists.txt *.cmake configure configure.ac configure.in *.m4 meson.build meson.options meson_options.txt premake*.lua xmake.lua *.ninja compile_commands.json vcpkg.json build.zig build.zig.zon', 'CMake; Autoconf; Meson; Premake; xmake; Ninja; Clang tools; vcpkg; Zig build system'),
  text('workspace workspace.bazel workspace.bzlmod module.bazel build build.bazel *.bzl .bazelrc *.bazelrc .bazelversion .bazeliskrc buck *.buck .buckconfig buck2.toml pants.toml please *.plz .plzconfig', 'Bazel, repositories, workspaces, packages, and targets; bazelrc; Bazelisk; Buck2; Pants; Please'),
  text('go.mod go.work .goreleaser.y*ml goreleaser.y*ml', 'Go modules reference: replace, tool, toolchain; GoReleaser, hooks'),
  text('dockerfile dockerfile.* *.dockerfile containerfile containerfile.* docker-compose*.y*ml compose.y*ml compose.*.y*ml compose-*.y*ml docker-bake.* skaffold.y*ml devspace.y*ml garden.y*ml helmfile*.y*ml terragrunt.hcl *.pkr.hcl', 'Dockerfile reference; Compose file reference; Bake; Skaffold; DevSpace; Garden; Helmfile; Terragrunt; Packer'),
  text('.pre-commit-config.yml .pre-commit-hooks.y*ml prek.toml .simple-git-hooks.* simple-git-hooks.* captainhook.json grumphp.y*ml .czrc .cz.* .release-it.* .versionrc* .changelogrc', 'pre-commit; prek; simple-git-hooks; CaptainHook; GrumPHP; Commitizen; release-it: what they run around commits'),
  text('knexfile.~ ormconfig.* plopfile.~ .sequelizerc .umirc.~ .fatherrc.~ .dependency-cruiser.* .graphqlrc* .graphqlconfig codegen.y*ml .postcssrc.* .svgrrc.* .terserrc.* .size-limit.* .testcaferc.* nightwatch.* protractor.* codecept.* cucumber.* .cucumber.* jasmine.* gulpfile.*.~ gruntfile.coffee .jscsrc tslint.json .xo-config.* .tern-project', 'Knex; TypeORM; Plop; Sequelize; Umi; dependency-cruiser; GraphQL Config and Code Generator; PostCSS; SVGR; Terser; Size Limit; TestCafe; Nightwatch; Protractor; CodeceptJS; Cucumber; Jasmine; Gulp; Grunt; TSLint; XO: settings that are code or name modules'),
  text('graphql.config.* lingui.config.* i18next*.config.* orval.config.* openapi*.config.* sanity.*.~ payload.config.~ prisma.config.~ capacitor.config.* electron*.config.* electron-builder.* forge.config.* react-native.config.* contentlayer.config.* velite.config.* panda.config.* stencil.config.* waku.config.* wxt.config.* sst.config.* trigger.config.* ecosystem.config.* lage.config.* web-test-runner*.config.* svgo.config.* hardhat.config.* truffle-config.* mdx.config.*', 'settings of frameworks for JavaScript that are code; their manuals, “Configuration”'),
  text('package.json5 package.y*ml pnpm-workspace.y*ml rush.json command-line.json moon.y*ml .bowerrc bower.json .eslintrc.y*ml pm2.json cdk.json app.json wrangler.* serverless.* netlify.toml vercel.json firebase.json pulumi.y*ml ionic.config.json', 'pnpm; Rush; moon; Bower; PM2; AWS CDK, app; Expo, plugins; Wrangler, build; Serverless, plugins; Netlify; Vercel; Firebase, predeploy; Pulumi; Ionic: commands and modules that they run'),
  text('*', 'Storybook, main and preview; VitePress and VuePress, config: code that is loaded from these folders', '.storybook .vitepress .vuepress .dumi .moon'),
  text('config.json *.~', 'Changesets, changelog and commit: modules that settings name; the notes of changes are only text', '.changeset'),
  text('e2e.~ component.~ commands.~ index.~', 'Cypress, support file: code that is loaded with every test', 'support'),
  text('nextest.toml', 'cargo-nextest, setup scripts', '.config'),
  text('env.py', 'Alembic: run with every migration', 'alembic migrations'),
  text('phpcs.xml* .phpcs.xml* psalm.xml* rector.php ecs.php castor.php robofile.php deploy.php infection.json* phpbench.json* codeception.y*ml behat.y*ml .user.ini php.ini .htaccess', 'PHP_CodeSniffer; Psalm, plugins; Rector; ECS; Castor; Robo; Deployer; Infection; PHPBench; Codeception; Behat; PHP, auto_prepend_file'),
  text('*.csproj *.fsproj *.vbproj *.vcxproj *.proj *.props *.targets *.runsettings packages.config dotnet-tools.json paket.* build.cake build.fsx launchsettings.json', 'MSBuild: Exec and inline tasks; .NET tools; Paket; Cake; FAKE; Visual Studio, launch profiles'),
  text('mix.exs rebar.config rebar.config.script dune dune-project dune-workspace *.opam stack.yaml *.cabal setup.hs setup.lhs cabal.project cabal.project.* shard.yml *.nimble config.nims nim.cfg pubspec.yaml pubspec_overrides.yaml build.yaml melos.yaml', 'Mix; rebar3; dune; opam; Stack; Cabal; Shards, postinstall; Nimble; Dart pub, build_runner; Melos'),
  text('package.swift project.swift workspace.swift *.pbxproj *.xcscheme *.xcconfig cartfile mintfile makefile.pl build.pl cpanfile dist.ini *.rockspec .luacheckrc .busted _targets.r default.nix devenv.nix devenv.y*ml guix.scm manifest.scm .dir-locals-2.el .tmuxinator.y*ml .ctags', 'Swift Package Manager; Tuist; Xcode, script phases; Carthage; Mint; MakeMaker; Module::Build; LuaRocks; luacheck; Busted; targets; Nix; devenv; Guix; Emacs; tmuxinator; ctags, --options'),
];
