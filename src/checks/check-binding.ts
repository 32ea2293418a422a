import type { Check } from '../domain/check.js';
import type { Binding, NotBound } from '../domain/workspace/binding.js';
import { bindingOf } from '../text/command-line/bind.js';
import { readLine } from '../text/command-line/read-line.js';
import { programOf } from '../text/command-paths.js';
import { compileName, nameFits } from '../text/wildcards.js';
import { DECIDING_FILES, type DecidingFiles } from './ecosystems.js';
import { type FollowedScript, followScripts, readPackage } from './package-scripts.js';
import { pathIn, type ProjectFiles, withFoldersAbove } from './project-files.js';
import { composerLines, denoLines, recipesIn } from './readers.js';

/** Where a check runs. */
export interface CheckPlace {
  /** Absolute path of the folder that was searched. */
  readonly folder: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** What decides what a check runs. */
export interface CheckBinding {
  /** The scripts of `package.json` that its line has run. */
  readonly scripts: readonly FollowedScript[];
  readonly binding: Binding;
}

/** Words of all lines that may be programs; more are not looked for. */
const MAX_PROGRAMS = 60;

const DECIDING = DECIDING_FILES.map((each) => ({ ...each, patterns: each.names.map(compileName) }));

/**
 * Computes what the approval of a check is bound to: what `bindingOf` finds in its line, in the scripts that these run in turn, and in the recipes of
 * its file; the files by which the programs in all of these decide what they run; and the starters of programs in `node_modules`.
 */
export async function bindingOfCheck(check: Check, files: ProjectFiles, place: CheckPlace): Promise<CheckBinding> {
  const [naming, manifest] = await Promise.all([files.read(check.file), files.read(pathIn(check.folder, 'package.json'))]);
  const others = naming !== undefined && 'text' in naming ? linesBehind(check.file, naming.text) : [];
  const file = manifest !== undefined && 'text' in manifest ? readPackage(manifest.text) : undefined;
  const scripts = file === undefined || 'problem' in file ? {} : file.scripts;
  const own = followScripts(check.line, scripts);
  const called = others.flatMap((line) => followScripts(line, scripts).scripts);
  const run = [check.line, ...own.scripts.map(({ line }) => line)];
  const bindings = run.map((line) => bindingOfLine(line, check, place));
  const more = [...others, ...called.map(({ line }) => line)].map((line) => bindingOfLine(line, check, place));
  const programs = programsIn([...run, ...others, ...called.map(({ line }) => line)]);
  const deciding = await decidingFiles(check.folder, files, programs);
  const all = [...bindings, ...more];
  return {
    scripts: [...new Map([...own.scripts, ...called].map((script) => [script.name, script])).values()],
    binding: {
      files: [...new Set([check.file, ...all.flatMap((each) => each.files), ...deciding.files])],
      scripts: [...new Set(all.flatMap((each) => each.scripts))],
      earlier: { cwd: '', paths: [] },
      folders: [...new Set([...all.flatMap((each) => each.folders), ...deciding.folders])],
      notBound: distinct(bindings.flatMap((each) => each.notBound)).filter((reason) => !(own.complete && isFollowed(reason))),
    },
  };
}

/** The lines of all recipes of a file: which of them a name leads to is decided by the program that reads it. */
function linesBehind(file: string, text: string): readonly string[] {
  const name = file.slice(file.lastIndexOf('/') + 1);
  if (/makefile$/i.test(name) || /^\.?justfile$/i.test(name)) return Object.values(recipesIn(text)).flatMap((lines) => lines.split('\n'));
  if (name === 'composer.json') return Object.values(composerLines(text));
  return /^deno\.jsonc?$/.test(name) ? Object.values(denoLines(text)) : [];
}

function bindingOfLine(line: string, { folder }: Check, { folder: project, home, platform }: CheckPlace): Binding {
  const shell = platform === 'win32' ? 'other' : 'posix';
  return bindingOf({ line: { text: line, shell }, cwd: folder, folder: project, home, env: {}, places: {} }, { cwd: '', paths: [] });
}

/** Of a package manager whose scripts were all followed, it is known what it runs. */
function isFollowed(reason: NotBound): boolean {
  return reason.kind === 'program' && /^(?:npm|pnpm|yarn|bun|npm-run-all2?|run-s|run-p)$/.test(reason.text);
}

function distinct(reasons: readonly NotBound[]): readonly NotBound[] {
  return [...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values()];
}

/** The words of some lines that may be programs: which word of a command is one depends on those before it. */
function programsIn(lines: readonly string[]): readonly string[] {
  const words = lines.flatMap((line) => readLine(line, new Map())?.flatMap((command) => command.words.map(({ value }) => value)) ?? line.split(/[\s;&|"'()]+/));
  return [...new Set(words.filter((word) => /^[\w@./\\+-]+$/.test(word) && !word.startsWith('-')).map(programOf))].slice(0, MAX_PROGRAMS);
}

/** The files and folders by which programs decide what they run, in a folder and those above it. */
async function decidingFiles(folder: string, files: ProjectFiles, programs: readonly string[]): Promise<Pick<Binding, 'files' | 'folders'>> {
  const rows = DECIDING.filter((row) => isFor(row, programs));
  const found = await Promise.all(
    withFoldersAbove(folder).map(async (place) => {
      const names = (await files.list(place)).flatMap(({ name, isFolder }) => (isFolder ? [] : [name]));
      return {
        files: names.filter((name) => rows.some(({ patterns }) => patterns.some((pattern) => nameFits(pattern, name)))).map((name) => pathIn(place, name)),
        folders: rows.flatMap((row) => row.folders ?? []).map((name) => pathIn(place, name)),
        // What starts a program of a package, by docs.npmjs.com, folders, “Executables”.
        starters: programs.map((program) => pathIn(place, `node_modules/.bin/${program}`)),
      };
    }),
  );
  return { files: found.flatMap((each) => [...each.files, ...each.starters]), folders: found.flatMap((each) => each.folders) };
}

function isFor({ programs }: DecidingFiles, names: readonly string[]): boolean {
  return programs === undefined || names.some((name) => programs.test(name));
}
