import whole from './build-files.json';
import type { LoadedFiles } from './loaded-files.js';

/** A pattern of names, in which `*` stands for anything, and `~` for the endings of JavaScript and TypeScript. */
function pattern(...names: readonly string[]): RegExp {
  const parts = names.map((name) =>
    name
      .replace(/[.+()[\]]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('~', '[cm]?[jt]sx?'),
  );
  return new RegExp(`^(?:${parts.join('|')})$`);
}

/** Keys that only say something about a package, on one line. */
const ABOUT =
  /^\s*(?:version|description|keywords|categories|license|authors|homepage|repository|documentation)\s*=\s*(?:"[^"\\]*"|\[(?:\s*"[^"\\]*"\s*,?)*\s*\])\s*(?:#.*)?$/;

/**
 * Ordinary files of a project that build tools, task runners, test runners, and package managers run or load without being told, by the names under which they
 * look for them.
 */
export const BUILD_FILES: readonly LoadedFiles[] = [
  {
    files: pattern('pyproject.toml'),
    what: {
      kind: 'sections',
      harmless:
        /^(?:project\.urls|tool\.(?:black|ruff(?:\..+)?|codespell|typos(?:\..+)?|yapf|pycodestyle|pydocstyle|vulture|interrogate|docformatter|coverage\.(?:report|html|xml|paths)))$/,
      about: ['project', 'tool.poetry'],
      lines: ABOUT,
    },
    source:
      'packaging.python.org, pyproject.toml: build-system, dependencies, scripts; pytest, mypy, Pylint, tox, Hatch, PDM, Poetry, poethepoet: what they read of it',
  },
  {
    files: pattern('setup.cfg'),
    what: {
      kind: 'sections',
      harmless: /^(?:isort|pycodestyle|pydocstyle|pep8|yapf|codespell|bdist_wheel|coverage:(?:report|html|xml|paths))$/,
      about: [],
      lines: ABOUT,
    },
    source: 'setuptools, setup.cfg: attr, cmdclass, and entry points; pytest, Flake8, and mypy read it too',
  },
  {
    files: pattern('cargo.toml'),
    what: { kind: 'sections', harmless: /^(?:badges|lints(?:\..+)?|workspace\.lints(?:\..+)?)$/, about: ['package', 'workspace.package'], lines: ABOUT },
    source: 'The Cargo Book, manifest: build, dependencies (build scripts, procedural macros), patch',
  },
  {
    files: pattern('composer.json'),
    what: {
      kind: 'keys',
      keys: [
        'scripts',
        'require',
        'require-dev',
        'autoload',
        'autoload-dev',
        'repositories',
        'config',
        'extra',
        'bin',
        'type',
        'replace',
        'provide',
        'minimum-stability',
      ],
    },
    source: 'getcomposer.org/doc/04-schema.md: scripts, plugins, autoload.files',
  },
  { files: /^\.browserslistrc$/, what: { kind: 'lines', fitting: /extends/ }, source: 'Browserslist, shareable configs: a module that is loaded' },
  // Whole files that are code, or name commands.
  ...whole.map(({ files, sources, ...place }): LoadedFiles => ({ files: pattern(...files), ...place, what: { kind: 'text' }, source: sources.join('; ') })),
];
