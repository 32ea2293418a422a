import { parse, type ParseError } from 'jsonc-parser';
import { t } from '../../domain/l10n.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import type { Plan } from '../../domain/tool/tool.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';
import { anyOf } from '../../text/any-of.js';
import type { Call, LocatedUse } from '../call.js';
import type { Surroundings } from '../surroundings.js';
import whole from './build-files.json';
import { isSecretFile } from './sensitive-paths.js';
import { canonicalName } from './canonical-name.js';
import { LOADED_FILES, type LoadedFiles } from './loaded-files.js';

/** Adds to the files that a call changes why an edit of them asks even where edits are accepted. */
export async function lookAtChanges(call: Call, { documents }: Pick<Surroundings, 'documents'>, signal: AbortSignal): Promise<Call> {
  if (call.command !== undefined || call.files.every(({ kind }) => kind === 'read')) return call;
  const files: LocatedUse[] = [];
  for (const use of call.files) {
    const loads = use.kind === 'write' ? await reasonFor(use, call, { documents, signal }) : undefined;
    files.push(loads === undefined ? use : { ...use, loads });
  }
  return { ...call, files };
}

interface Look {
  readonly documents: Surroundings['documents'];
  readonly signal: AbortSignal;
}

/** A file as a plan has it. */
interface PlannedPlace {
  readonly location: FileLocation;
  readonly target: string;
  readonly plan: Plan;
}

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
const ABOUT = new RegExp(
  String.raw`^\s*(?:version|description|keywords|categories|license|authors|homepage|repository|documentation)\s*=\s*` +
    // A text or a list of texts, and a comment.
    String.raw`(?:"[^"\\]*"|\[(?:\s*"[^"\\]*"\s*,?)*\s*\])\s*(?:#.*)?$`,
);

/** Tables of pyproject.toml that load and run nothing. */
const HARMLESS_TABLES = new RegExp(
  `^(?:${anyOf(
    /project\.urls/,
    `tool\\.(?:${anyOf(
      /black|ruff(?:\..+)?|codespell|typos(?:\..+)?|yapf/,
      /pycodestyle|pydocstyle|vulture|interrogate|docformatter/,
      /coverage\.(?:report|html|xml|paths)/,
    )})`,
  )})$`,
);

/**
 * Ordinary files of a project that build tools, task runners, test runners, and package managers run or load without being told, by the names under which they
 * look for them.
 */
const BUILD_FILES: readonly LoadedFiles[] = [
  {
    files: pattern('pyproject.toml'),
    what: { kind: 'sections', harmless: HARMLESS_TABLES, about: ['project', 'tool.poetry'], lines: ABOUT },
    source:
      'packaging.python.org, pyproject.toml: build-system, dependencies, scripts; ' +
      'pytest, mypy, Pylint, tox, Hatch, PDM, Poetry, poethepoet: what they read of it',
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

async function reasonFor({ location, target, removal }: LocatedUse, { plan, bases }: Call, look: Look): Promise<string | undefined> {
  if (location === undefined) return undefined;
  const name = escapeHidden(location.display);
  if (isSecretFile(location, bases)) return t('{0} contains settings or passwords that programs read.', name);
  const listed = [...LOADED_FILES, ...BUILD_FILES].find((entry) => [location.path, location.real].some((path) => isNamed(entry, path)));
  if (listed === undefined) return undefined;
  // Without it, programs look for such a file somewhere else.
  const changes = removal !== undefined || (await changesWhatLoads(listed, { location, target, plan }, look));
  return changes ? t('{0} says what programs load or run, and the edit changes that.', name) : undefined;
}

/** Whether a planned text loads or runs something else than the one that is there. What cannot be compared does. */
async function changesWhatLoads(listed: LoadedFiles, { location, target, plan }: PlannedPlace, look: Look): Promise<boolean> {
  const [next, ...more] = plan.changes.filter(({ path }) => path === target || path === location.path || path === location.real);
  if (next === undefined || more.length > 0 || next.action === 'delete') return true;
  const hash = next.action === 'modify' && next.from === undefined ? next.baseHash : undefined;
  const before = await textBefore(location.real, hash, look);
  return before === undefined || changesLoaded(listed, before, next.text);
}

function isNamed({ files, folders }: LoadedFiles, path: string): boolean {
  const [name = '', folder = ''] = path.split(/[/\\]/).toReversed().map(canonicalName);
  return files.test(name) && (folders === undefined || folders.includes(folder));
}

/** The text that is changed, empty for a file that is not there; `undefined` where it cannot be read, or has changed by now. */
async function textBefore(path: string, hash: string | undefined, { documents, signal }: Look): Promise<string | undefined> {
  if (documents === undefined) return undefined;
  try {
    if ((await documents.stat(path, signal)) === undefined) return hash === undefined ? '' : undefined;
    const file = await documents.read(path, signal);
    return file.kind === 'text' && file.hash === hash ? file.text : undefined;
  } catch {
    // What cannot be read cannot be compared, so the edit asks.
    signal.throwIfAborted();
    return undefined;
  }
}

/** Whether a new text loads or runs something else than the one before. What cannot be decided does. */
export async function changesLoaded({ what }: Pick<LoadedFiles, 'what'>, before: string, after: string): Promise<boolean> {
  if (before === after) return false;
  switch (what.kind) {
    case 'text':
      return true;
    case 'lines':
      return linesOf(before, what.fitting) !== linesOf(after, what.fitting);
    case 'sections':
      return sectionsOf(before, what) !== sectionsOf(after, what);
    case 'keys': {
      const [old, now] = [await valuesOf(before, what), await valuesOf(after, what)];
      return old === undefined || now === undefined || old !== now;
    }
  }
}

function linesOf(text: string, fitting: RegExp): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => fitting.test(line))
    .join('\n');
}

/**
 * Sections of a file, as in TOML, without those that load and run nothing. In texts of several lines, a line may look like the beginning of a
 * section, so with one, all is left.
 */
function sectionsOf(text: string, { harmless, about, lines }: Extract<LoadedFiles['what'], { readonly kind: 'sections' }>): string {
  if (/"""|'''/.test(text)) return text;
  const left: string[] = [];
  let section = '';
  for (const line of text.split(/\r?\n/)) {
    const [, name] = /^\s*\[+\s*([^\]]*?)\s*\]/.exec(line) ?? [];
    if (name !== undefined) section = name.replace(/[\s"']/g, '').toLowerCase();
    const isLeft = !harmless.test(section) && !(about.includes(section) && lines.test(line)) && !/^\s*(?:#.*)?$/.test(line);
    if (isLeft) left.push(line.trim());
  }
  return left.join('\n');
}

/**
 * The values of keys at any depth, as one text; `undefined` for a text that cannot be parsed. What is a comment in JSON can be a value in YAML, and
 * one program reads a file as either, so both readings count where both are possible.
 */
async function valuesOf(text: string, { keys, yaml }: Extract<LoadedFiles['what'], { readonly kind: 'keys' }>): Promise<string | undefined> {
  if (text.trim() === '') return '[]';
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const inJson = errors.length === 0 ? JSON.stringify(pick(value, keys)) : undefined;
  const inYaml = yaml === true ? await yamlValues(text, keys) : undefined;
  if (inJson === undefined || inYaml === undefined || inJson === inYaml) return inJson ?? inYaml;
  return `${inJson}\n${inYaml}`;
}

async function yamlValues(text: string, keys: readonly string[]): Promise<string | undefined> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { merge: true });
  if (document.errors.length > 0 || document.warnings.length > 0) return undefined;
  return JSON.stringify(pick(document.toJS({ maxAliasCount: 50 }), keys));
}

/** A text in place of settings is the name of others, which are loaded. */
function pick(value: unknown, keys: readonly string[]): readonly unknown[] {
  if (typeof value === 'string') return [value];
  return pickWithin(value, keys, '');
}

function pickWithin(value: unknown, keys: readonly string[], path: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
    const own = `${path}/${key}`;
    return keys.includes(key) ? [[own, item]] : pickWithin(item, keys, own);
  });
}
