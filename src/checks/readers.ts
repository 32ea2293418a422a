import { parse, TomlError } from 'smol-toml';
import type { CheckKind } from '../domain/check.js';
import { t } from '../domain/l10n.js';
import type { Node } from 'jsonc-parser';
import { JsonDocument, propertiesOf } from '../text/json-document.js';
import { followScripts, readJson, readPackage, textsIn } from './package-scripts.js';
import { isLasting } from './lasting.js';

/** A check as a file names it. */
export interface NamedCheck {
  /** Unique in the file. */
  readonly name: string;
  readonly kind: CheckKind;
  readonly line: string;
}

/** A file that may name checks, and what lies beside it. */
export interface NamingFile {
  readonly name: string;
  readonly text: string;
  /** Names of the files and folders in its folder. */
  readonly beside: ReadonlySet<string>;
}

/** The checks that a file names, in the order in which they are offered, or why it cannot be read, as a sentence for the user. */
export type Reading = readonly NamedCheck[] | { readonly problem: string };

/** Lines by their names. */
type Lines = Readonly<Record<string, string>>;

/** What scripts, targets, and tasks are for that have these names, the usual ones first. Others may be anything, such as what publishes a package. */
const NAMES: Readonly<Record<CheckKind, readonly string[]>> = {
  types: ['typecheck', 'type-check', 'types', 'check-types', 'check:types', 'types:check', 'tsc', 'svelte-check', 'mypy'],
  lint: ['lint', 'check', 'lint:check', 'check:lint', 'eslint', 'clippy', 'vet', 'format:check', 'check:format', 'fmt:check', 'fmt-check'],
  build: ['build', 'compile'],
  tests: ['test', 'tests', 'unit', 'test:unit', 'unit-test', 'unit-tests', 'test-unit', 'test:ci'],
};
/** Programs that look at types alone. */
const TYPES = /(?:^|[\s/;&|"'])(?:tsc|vue-tsc|svelte-check|mypy|pyright|flow)(?:\s|$)/;

/**
 * Checks by the names of lines.
 * @param call the line that has one run
 * @param follow the others that a line has run in turn, by their names: what another check runs is not offered again
 */
function namedChecks(lines: Lines, call: (name: string) => string, follow: (line: string) => Lines): readonly NamedCheck[] {
  const covered = new Set<string>();
  return Object.entries(NAMES).flatMap(([kind, names]) =>
    names.flatMap((name): NamedCheck[] => {
      const line = Object.hasOwn(lines, name) ? lines[name] : undefined;
      if (line === undefined || line.trim() === '' || covered.has(name)) return [];
      const followed = follow(line);
      const all = [line, ...Object.values(followed)];
      if (all.some(isLasting)) return [];
      for (const other of Object.keys(followed)) covered.add(other);
      return [{ name, kind: name === 'check' && all.some((each) => TYPES.test(each)) ? 'types' : (kind as CheckKind), line: call(name) }];
    }),
  );
}

const NOTHING = (): Lines => ({});

/** nodejs.org/api/corepack.html (`packageManager`); the lock files are those of each package manager’s documentation. */
const LOCK_FILES = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
] as const;

/** The scripts of a `package.json`, run by the package manager of the project. */
export function packageChecks({ text, beside }: NamingFile): Reading {
  const file = readPackage(text);
  if ('problem' in file) return file;
  const [, named] = /^(npm|pnpm|yarn|bun)@/.exec(file.packageManager ?? '') ?? [];
  const manager = named ?? LOCK_FILES.find(([lock]) => beside.has(lock))?.[1] ?? 'npm';
  const call = (name: string): string => (manager === 'npm' && name === 'test' ? 'npm test' : `${manager} run ${name}`);
  return namedChecks(file.scripts, call, (line) => Object.fromEntries(followScripts(line, file.scripts).scripts.map((script) => [script.name, script.line])));
}

/** The tasks of a `deno.json`, and what Deno has for every project. */
export function denoChecks({ text }: NamingFile): Reading {
  const { root, problems } = lenientJson(text);
  if (root === undefined) return { problem: problems[0]?.message ?? t('It is not valid JSON.') };
  return [
    ...namedChecks(denoLines(text), (task) => `deno task ${task}`, NOTHING),
    { name: 'deno check', kind: 'types', line: 'deno check' },
    { name: 'deno lint', kind: 'lint', line: 'deno lint' },
    { name: 'deno test', kind: 'tests', line: 'deno test' },
  ];
}

function lenientJson(text: string): JsonDocument {
  return new JsonDocument('', text, { lenient: true });
}

/** The lines of the tasks of a `deno.json` by their names; a task is a line, or an object with one. */
export function denoLines(text: string): Lines {
  const tasks = propertiesOf(propertiesOf(lenientJson(text).root).find(({ name }) => name === 'tasks')?.value);
  const lineOf = (value: Node): unknown => value.value ?? propertiesOf(value).find(({ name }) => name === 'command')?.value.value;
  return textsIn(Object.fromEntries(tasks.map(({ name, value }) => [name, lineOf(value)])));
}

/** The lines of the scripts of a `composer.json` by their names; a script is a line, or a list of lines. */
export function composerLines(text: string): Lines {
  const json = readJson(text);
  const value = 'problem' in json ? undefined : json.value;
  const scripts: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'scripts') : undefined;
  const entries = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts) : [];
  return textsIn(Object.fromEntries(entries.map(([name, line]) => [name, Array.isArray(line) ? line.join('\n') : line])));
}

/** The scripts of a `composer.json`. */
export function composerChecks({ text }: NamingFile): Reading {
  const json = readJson(text);
  if ('problem' in json) return json;
  return namedChecks(composerLines(text), (name) => `composer run-script ${name}`, NOTHING);
}

/** The targets of a makefile, or the recipes of a justfile, with the lines that belong to each. */
export function makeChecks(program: 'make' | 'just'): (file: NamingFile) => Reading {
  return ({ text }) => namedChecks(recipesIn(text), (name) => `${program} ${name}`, NOTHING);
}

/** The rest of a line behind the name is no part of a recipe, and need not be read: `test: build`, `test *args: build`. */
const RULE = /^@?([^\s:=#][^\s:=#]*)(?: [^:=]*)?::?(?![:=])([^;]*)(?:;(.*))?$/;

/** Lines of recipes by their names. A name without lines stands for what it depends on: as a line, it does nothing. */
export function recipesIn(text: string): Lines {
  const recipes: Record<string, string> = {};
  let name: string | undefined;
  // A line that ends with a backslash goes on with the next one (GNU make, “Splitting Recipe Lines”).
  for (const line of text.replaceAll(/\\\r?\n[\t ]*/g, ' ').split(/\r?\n/)) {
    if (/^[\t ]/.test(line) && name !== undefined) recipes[name] = `${recipes[name] ?? ''}${line.trim().replace(/^[@+-]+/, '')}\n`;
    else if (line.trim() !== '') {
      const [, found, , inline] = (line.length < 10_000 ? RULE.exec(line) : null) ?? [];
      name = found;
      if (name !== undefined) recipes[name] ??= ':\n';
      // A recipe can begin on the line of its rule (“Rule Syntax”).
      if (name !== undefined && inline !== undefined) recipes[name] = `${recipes[name] ?? ''}${inline.trim().replace(/^[@+-]+/, '')}\n`;
    }
  }
  return recipes;
}

/** Tools of Python, by the section of each file that has their settings; a name without a section is enough in a file of its own. */
const PYTHON: readonly { readonly tool: string; readonly kind: CheckKind; readonly line: string; readonly sections: RegExp; readonly own: RegExp }[] = [
  { tool: 'mypy', kind: 'types', line: 'mypy .', sections: /^(?:tool\.)?mypy\b/, own: /^\.?mypy\.ini$/ },
  { tool: 'ruff', kind: 'lint', line: 'ruff check', sections: /^tool\.ruff\b/, own: /^\.?ruff\.toml$/ },
  { tool: 'pytest', kind: 'tests', line: 'pytest', sections: /^(?:tool\.pytest\b|tool:pytest$|pytest$)/, own: /^\.?pytest\.ini$/ },
];
/** docs.astral.sh/uv/reference/cli, `uv run`; python-poetry.org/docs/cli, `run`; pdm-project.org, `run`. Nothing is installed before a check. */
const PYTHON_RUNNERS = [
  ['uv.lock', 'uv run --no-sync '],
  ['poetry.lock', 'poetry run '],
  ['pdm.lock', 'pdm run '],
] as const;

/** The tools of Python that a file has settings for, or that the project depends on. */
export function pythonChecks({ name, text, beside }: NamingFile): Reading {
  const isToml = name.endsWith('.toml');
  const toml = isToml ? readToml(text) : { value: {} };
  if ('problem' in toml) return toml;
  const sections = isToml ? pathsOf(toml.value) : text.split(/\r?\n/).flatMap((line) => /^\[([^\]]+)\]\s*$/.exec(line.slice(0, 200))?.[1] ?? []);
  const needed = name === 'pyproject.toml' ? JSON.stringify([toml.value['project'], toml.value['dependency-groups'], poetryOf(toml.value)]) : '';
  const before = PYTHON_RUNNERS.find(([lock]) => beside.has(lock))?.[1] ?? (beside.has('.venv') ? '.venv/bin/python -m ' : '');
  return PYTHON.filter(
    ({ tool, sections: wanted, own }) => own.test(name) || sections.some((section) => wanted.test(section)) || new RegExp(`"${tool}(?:[^\\w-]|")`).test(needed),
  ).map(({ tool, kind, line }) => ({ name: tool, kind, line: `${before}${line}` }));
}

/** The names of the tables of `tool`. */
function pathsOf({ tool }: Readonly<Record<string, unknown>>): readonly string[] {
  return typeof tool === 'object' && tool !== null ? Object.keys(tool).map((name) => `tool.${name}`) : [];
}

function poetryOf({ tool }: Readonly<Record<string, unknown>>): unknown {
  return typeof tool === 'object' && tool !== null ? Reflect.get(tool, 'poetry') : undefined;
}

/** What Cargo has for every package. */
export function cargoChecks({ text }: NamingFile): Reading {
  const toml = readToml(text);
  if ('problem' in toml) return toml;
  if (!('package' in toml.value || 'workspace' in toml.value)) return [];
  return [
    { name: 'check', kind: 'types', line: 'cargo check --all-targets' },
    { name: 'clippy', kind: 'lint', line: 'cargo clippy --all-targets' },
    { name: 'test', kind: 'tests', line: 'cargo test' },
  ];
}

/** Tasks that the Java plugin has in each build. */
export function gradleChecks({ beside }: NamingFile): Reading {
  if (!['settings.gradle', 'settings.gradle.kts', 'build.gradle', 'build.gradle.kts'].some((name) => beside.has(name))) return [];
  return [
    { name: 'assemble', kind: 'build', line: './gradlew assemble' },
    { name: 'check', kind: 'tests', line: './gradlew check' },
  ];
}

/** Phases of the lifecycle of Maven. */
export function mavenChecks({ beside }: NamingFile): Reading {
  const program = beside.has('mvnw') ? './mvnw' : 'mvn';
  return [
    { name: 'compile', kind: 'build', line: `${program} -B compile` },
    { name: 'test', kind: 'tests', line: `${program} -B test` },
  ];
}

function readToml(text: string): { readonly value: Readonly<Record<string, unknown>> } | { readonly problem: string } {
  try {
    return { value: parse(text, { maxDepth: 100 }) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { problem: t('It is not valid TOML (line {0}).', error.line) };
  }
}
