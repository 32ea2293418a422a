import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { PermissionMode } from '../../../../src/domain/tool/permission.js';
import type { Plan } from '../../../../src/domain/tool/tool.js';
import { toolContext } from '../../../support/memory-workspace/index.js';
import { rig } from '../../tool/rig.js';
import { gateOn, judge, reasonsOf, short } from '../rig.js';

/** What the gate says to a change of a file from one text to another; without the first the file is new. */
async function said(name: string, before: string | undefined, after: string, mode: PermissionMode = 'acceptEdits'): Promise<string> {
  const files: Readonly<Record<string, string>> = before === undefined ? {} : { [`/ws/${name}`]: before };
  const { tool, call } = rig({ files });
  if (before !== undefined) await call('read', { file_path: name });
  const plan = await tool('write').plan({ file_path: name, content: after }, toolContext());
  return short(await judge(gateOn({ files }), mode, plan));
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Per file: a text, an edit of it that loads nothing new, and edits that do. Sources: the entries of loaded-files.ts. */
const CASES: readonly (readonly [files: readonly string[], text: string, harmless: string, loading: readonly string[]])[] = [
  [
    ['.prettierrc', '.prettierrc.json', 'web/.prettierrc'],
    '{"semi": true}',
    '{"semi": false, "tabWidth": 2}',
    ['{"semi": true, "plugins": ["./evil.js"]}', '{"overrides": [{"files": "*", "options": {"parser": "./evil.js"}}]}', '"./evil"', '{"semi": '],
  ],
  [
    ['.prettierrc', '.prettierrc.yaml', '.prettierrc.yml'],
    'semi: true\n',
    'semi: false\ntabWidth: 2\n',
    [
      '{"semi": 1 /* , "plugins": ["./evil.js"], "y": z */ }',
      '{"semi": true // a\n, "plugins": ["./evil.js"], "b": c // d\n}',
      'semi: true\nplugins:\n  - ./evil.js\n',
      'a: &x {plugins: [./evil.js]}\nb:\n  <<: *x\n',
      'semi: [\n',
    ],
  ],
  [
    ['.eslintrc', '.eslintrc.json', '.ESLINTRC.JSON'],
    '{"rules": {"a": 1}}',
    '{"rules": {"a": 2}} // b',
    ['{"rules": {"a": 1}, "plugins": ["evil"]}', '{"extends": "./evil"}', '{"parser": "./evil.js"}', '{"overrides": [{"processor": "x/y"}]}'],
  ],
  [['.stylelintrc', '.stylelintrc.json'], '{"rules": {}}', '{"rules": {"a": null}}', ['{"plugins": ["./evil"]}', '{"customSyntax": "./evil"}']],
  [
    ['tsconfig.json', 'tsconfig.build.json', 'packages/a/tsconfig.json', 'jsconfig.json'],
    '{"compilerOptions": {"strict": true}} // c',
    '{"compilerOptions": {"strict": false, "target": "es2022"}}',
    [
      '{"compilerOptions": {"plugins": [{"name": "./evil"}]}}',
      '{"extends": "./evil.json"}',
      '{"ts-node": {"require": ["./evil"]}}',
      '{"compilerOptions": {"outDir": "../evil"}}',
      '{"compilerOptions": {"paths": {"a": ["./evil"]}}}',
    ],
  ],
  [['.babelrc', '.babelrc.json'], '{"comments": true}', '{"comments": false}', ['{"presets": ["./evil"]}', '{"env": {"test": {"plugins": ["./evil"]}}}']],
  [
    ['.mocharc.json', '.mocharc.yml', '.mocharc.jsonc'],
    '{"timeout": 10}',
    '{"timeout": 20}',
    ['{"require": "./evil.js"}', '{"spec": "evil.js"}', '{"node-option": ["require=./evil"]}', '{"reporter": "./evil"}'],
  ],
  [
    ['.gitattributes'],
    '*.txt text\n',
    '*.txt text\n*.sh text eol=lf\n# filter=x\n',
    ['*.txt text\n* filter=evil\n', '* diff=evil\n', '*.txt text\n[attr]x filter=y\n', '* merge=evil\n'],
  ],
  [
    ['rust-toolchain.toml'],
    '[toolchain]\nchannel = "1.80"\n',
    '# pinned\n[toolchain]\nchannel = "1.80"\n',
    ['[toolchain]\nchannel = "1.81"\n', '[toolchain]\npath = "/tmp/evil"\n'],
  ],
  [['.python-version', '.nvmrc', '.node-version', '.ruby-version', 'rust-toolchain'], '3.12\n', '# why\n3.12\n', ['3.13\n', '/tmp/evil\n']],
  [
    ['pyproject.toml', 'packages/a/pyproject.toml'],
    '[project]\nname = "a"\nversion = "1.0"\n[tool.ruff]\nline-length = 80\n',
    '[project]\nname = "a"\nversion = "1.1" # next\ndescription = "words"\n[tool.ruff.lint]\nselect = ["A"]\n',
    [
      '[project]\nname = "a"\nversion = "1.0"\n[project.scripts]\na = "evil:main"\n',
      '[build-system]\nrequires = []\nbuild-backend = "evil"\n',
      '[project]\nname = "a"\ndependencies = ["evil"]\n',
      '[project]\nname = "a"\n[tool.pytest.ini_options]\naddopts = "-p evil"\n',
      '[project]\nname = "a"\n[ "tool" . mypy ]\nplugins = ["./evil.py"]\n',
      '[tool.ruff]\nx = 1\n[[tool.mypy.overrides]]\nx = 1\n',
      '[project]\nname = "a"\ndescription = """\n[tool.black]\n"""\n[tool.poe.tasks]\na = "evil"\n',
      'tool.pytest.ini_options.addopts = "-p evil"\n',
    ],
  ],
  [
    ['setup.cfg'],
    '[isort]\nprofile = black\n',
    '[isort]\nprofile = x\n',
    [
      '[tool:pytest]\naddopts = -p evil\n',
      '[flake8:local-plugins]\nextension = x\n',
      '[metadata]\nversion = attr: evil.x\n',
      '[options.entry_points]\na = b\n',
    ],
  ],
  [
    ['Cargo.toml'],
    '[package]\nname = "a"\nversion = "1.0.0"\n[lints.rust]\nx = "warn"\n',
    '[package]\nname = "a"\nversion = "1.0.1"\nkeywords = ["a", "b"]\n[lints.clippy]\ny = "deny"\n',
    [
      '[package]\nname = "a"\nbuild = "evil.rs"\n',
      '[package]\nname = "a"\n[dependencies]\nevil = "1"\n',
      '[package]\nname = "a"\n[patch.crates-io]\nx = { path = "evil" }\n',
    ],
  ],
  [
    ['composer.json'],
    '{"name": "a/b", "description": "c"}',
    '{"name": "a/b", "description": "d"}',
    ['{"scripts": {"test": "evil"}}', '{"autoload": {"files": ["evil.php"]}}', '{"require": {"evil/evil": "*"}}'],
  ],
  [['.browserslistrc'], 'defaults\n', 'last 2 versions\n', ['extends evil\n']],
  [['biome.json'], '{"formatter": {"indentWidth": 2}}', '{"formatter": {"indentWidth": 4}}', ['{"plugins": ["./evil.grit"]}', '{"extends": ["./evil.json"]}']],
];

/** Settings that are code, or that name commands: every edit of them may load something else. */
const CODE = [
  ...['vite', 'vitest', 'webpack', 'rollup', 'jest', 'playwright', 'cypress', 'next', 'nuxt', 'astro', 'tsup', 'rspack', 'metro'].flatMap((tool) =>
    ['js', 'cjs', 'mjs', 'ts', 'mts'].map((end) => `${tool}.config.${end}`),
  ),
  ...[
    'vitest.config.unit.ts',
    'webpack.prod.config.js',
    'web/vite.config.ts',
    'vitest.workspace.ts',
    'gulpfile.js',
    'Gruntfile.js',
    'karma.conf.js',
    '.mocharc.js',
    '.mocharc.cjs',
    'wdio.conf.ts',
    'gatsby-node.js',
  ],
  ...['jest.config.json', 'nodemon.json', '.nycrc', 'angular.json', 'project.json', 'nx.json', 'turbo.json', 'deno.json', 'deno.jsonc', '.releaserc'],
  ...[
    '.prettierrc.json5',
    '.prettierrc.toml',
    '.prettierrc.mts',
    '.stylelintrc.mjs',
    '.babelrc.mjs',
    '.markdownlint-cli2.mjs',
    '.markdownlint.cjs',
    '.remarkrc.mjs',
    '.textlintrc',
    'cspell.config.js',
    '.oxlintrc.json',
    'typedoc.json',
    '.pylintrc',
    'pylintrc',
    'mypy.ini',
    '.flake8',
    '.coveragerc',
    'pytest.ini',
    'tox.ini',
    '.rspec',
    'phpunit.xml',
    'phpunit.xml.dist',
    '.php-cs-fixer.dist.php',
    '.formatter.exs',
    '.credo.exs',
    '.golangci.yml',
    'analysis_options.yaml',
    '.ghci',
  ],
];

/** What build tools and package managers read without being told, by the names of their manuals; generated spellings. */
const BUILDS = [
  ...[
    'Makefile',
    'makefile',
    'GNUmakefile',
    'Makefile.am',
    'makefile.win',
    'rules.mk',
    'BSDmakefile',
    'build/Makefile.common',
    'Justfile',
    '.justfile',
    'a.just',
    'Taskfile.yml',
    'Taskfile.dist.yaml',
    'Makefile.toml',
    'magefile.go',
    'Procfile',
  ],
  ...[
    'setup.py',
    'noxfile.py',
    'tasks.py',
    'fabfile.py',
    'dodo.py',
    'SConstruct',
    'src/SConscript',
    'wscript',
    'conanfile.py',
    'requirements.txt',
    'requirements-dev.txt',
    'Pipfile',
    'environment.yml',
    'docs/conf.py',
    'mkdocs.yml',
    'alembic/env.py',
  ],
  ...[
    'Rakefile',
    'lib/tasks/a.rake',
    'Gemfile',
    'a.gemspec',
    'Guardfile',
    'Vagrantfile',
    'Podfile',
    'Fastfile',
    'Dangerfile',
    'Brewfile',
    'config.ru',
    'Capfile',
  ],
  ...[
    'build.gradle',
    'build.gradle.kts',
    'settings.gradle',
    'buildSrc/x.gradle',
    'gradle.properties',
    'pom.xml',
    'build.sbt',
    'project/plugins.sbt',
    'project/Build.scala',
    'build.xml',
    'project.clj',
    'deps.edn',
  ],
  ...[
    'CMakeLists.txt',
    'cmake/a.cmake',
    'configure',
    'configure.ac',
    'meson.build',
    'build.ninja',
    'build.zig',
    'WORKSPACE',
    'WORKSPACE.bazel',
    'MODULE.bazel',
    'BUILD',
    'src/BUILD.bazel',
    'defs.bzl',
    '.bazelrc',
    'BUCK',
    'go.mod',
    'go.work',
  ],
  ...[
    'Dockerfile',
    'Dockerfile.dev',
    'web.dockerfile',
    'Containerfile',
    'docker-compose.yml',
    'docker-compose.override.yaml',
    'compose.yaml',
    'compose.dev.yml',
    'docker-bake.hcl',
    'skaffold.yaml',
    'Tiltfile',
    '.pre-commit-hooks.yaml',
    '.simple-git-hooks.cjs',
  ],
  ...[
    '.storybook/main.ts',
    '.storybook/preview.jsx',
    'web/.storybook/manager.js',
    '.vitepress/config.mts',
    'cypress/support/e2e.ts',
    'cypress/support/commands.js',
    'gulpfile.babel.js',
    'rush.json',
    'package.json5',
    'package.yaml',
    'pnpm-workspace.yaml',
    'cdk.json',
    'wrangler.toml',
  ],
  ...['knexfile', 'plopfile', '.umirc', 'prisma.config', 'payload.config'].flatMap((name) => ['js', 'cjs', 'mjs', 'ts', 'mts'].map((end) => `${name}.${end}`)),
  ...[
    'a.csproj',
    'Directory.Build.props',
    'Directory.Build.targets',
    'build.cake',
    'mix.exs',
    'rebar.config',
    'dune',
    'a.opam',
    'stack.yaml',
    'a.cabal',
    'Setup.hs',
    'shard.yml',
    'pubspec.yaml',
    'Package.swift',
    'A.xcodeproj/project.pbxproj',
    'default.nix',
    'a.rockspec',
    '.user.ini',
  ],
];

describe('edits where edits are accepted', () => {
  test.each(CASES.flatMap(([files, text, harmless, loading]) => files.map((file) => [file, text, harmless, loading] as const)))(
    '%s asks only when what is loaded or run changes',
    async (file, text, harmless, loading) => {
      expect([file, await said(file, text, harmless)]).toEqual([file, 'allow']);
      expect([file, await said(file, undefined, harmless)]).toEqual([file, /version|nvmrc|toolchain|pyproject|cargo/i.test(file) ? 'ask+' : 'allow']);
      for (const after of loading) {
        expect([file, after, await said(file, text, after)]).toEqual([file, after, 'ask+']);
        expect([file, after, await said(file, undefined, after)]).toEqual([file, after, 'ask+']);
        // What is taken away changes what is loaded as well; a text that cannot be parsed cannot be decided.
        expect([file, after, await said(file, after, text)]).toEqual([file, after, 'ask+']);
      }
    },
  );

  test.each(CODE)('every edit of %s asks', async (file) => {
    expect(await said(file, 'export default {};\n', 'export default { a: 1 };\n')).toBe('ask+');
    expect(await said(file, undefined, 'export default {};\n')).toBe('ask+');
  });

  test.each(['.changeset/config.json', '.changeset/changelog.js', '.changeset/commit.cts'])(
    'of the notes of changes, what is loaded asks: %s',
    async (file) => {
      expect(await said(file, 'a', 'b')).toBe('ask+');
      expect(await said('.changeset/brave-cats-sing.md', undefined, 'Text')).toBe('allow');
    },
  );

  test.each(BUILDS)('every edit of %s asks, in any spelling', async (file) => {
    for (const name of [file, file.toUpperCase(), `packages/a/${file}`]) expect([name, await said(name, 'a\n', 'b\n')]).toEqual([name, 'ask+']);
  });

  test.each(['.env', '.env.local', '.envrc', 'config/.env.production', 'prod.env', '.dev.vars', 'credentials.json'])('every edit of %s asks', async (file) => {
    expect(await said(file, undefined, 'A=1\n')).toMatch(/^ask/);
  });

  test.each([
    ...[
      'storybook/main.ts',
      'src/support.ts',
      'src/plugins/router.ts',
      'test/support/rig.ts',
      'docs/makefile-notes.md',
      'src/build.ts',
      'src/setup.ts',
      'lib/tasks.ts',
      'src/docker.ts',
      'README',
      'project/readme.md',
      'src/gradle.ts',
      'requirements.md',
    ],
    'src/a.ts',
    '.env.example',
    'app/app.config.ts',
    'src/vite.ts',
    'config.json',
    'data/versions.json',
    'docs/vite.config.md',
    '.editorconfig',
  ])('%s is an ordinary file', async (file) => {
    expect(await said(file, '{}\n', '{"a": 1}\n')).toBe('allow');
  });

  test('what cannot be compared asks: a deletion, a text that is another one by now, and a file that cannot be read', async () => {
    const files = { '/ws/.gitattributes': 'a text\n' };
    const plan = (changes: Plan['changes']): Plan => ({
      tool: 'apply_patch',
      subject: '',
      args: {},
      accesses: [{ kind: 'write', target: '/ws/.gitattributes' }],
      preview: { kind: 'none' },
      changes,
    });
    const gate = gateOn({ files });
    expect((await judge(gate, 'acceptEdits', plan([]))).type).toBe('ask');
    expect((await judge(gate, 'acceptEdits', plan([{ action: 'modify', path: '/ws/.gitattributes', baseHash: 'other', text: 'a text\n' }]))).type).toBe('ask');
    expect(
      (await judge(gate, 'acceptEdits', plan([{ action: 'modify', path: '/ws/.gitattributes', baseHash: hash('a text\n'), text: 'b text\n' }]))).type,
    ).toBe('allow');
  });

  test('the question says why, and a rule for edits or the mode that bypasses lets them pass', async () => {
    const files = { '/ws/.gitattributes': '' };
    const plan: Plan = {
      tool: 'write',
      subject: '',
      args: {},
      accesses: [{ kind: 'write', target: '/ws/.gitattributes' }],
      preview: { kind: 'none' },
      changes: [{ action: 'modify', path: '/ws/.gitattributes', baseHash: hash(''), text: '* filter=x\n' }],
    };
    const judgment = await judge(gateOn({ files }), 'acceptEdits', plan);
    expect(reasonsOf(judgment)).toBe('.gitattributes says what programs load or run, and the edit changes that.');
    expect((await judge(gateOn({ files, rules: ['allow Edit(.gitattributes)'] }), 'acceptEdits', plan)).type).toBe('allow');
    expect((await judge(gateOn({ files }), 'bypassPermissions', plan)).type).toBe('allow');
  });
});
