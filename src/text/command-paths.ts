/** Endings of files that programs write while they run: each use of such a program would seem to change it. */
export const DATA_FILE = /\.(?:db|sqlite3?|duckdb|log|jsonl|ndjson|csv|tsv|parquet|pid|lock|sock)$/i;

/**
 * Suffixes that programs add to a path to find what they run. Node.js: nodejs.org/api/modules.html, “All together”, and those that do as it does.
 * Python: docs.python.org/3/using/cmdline.html, which runs a folder by its `__main__.py`.
 */
const RESOLVED = ['.js', '.json', '.node', '.ts', '/package.json', '/index.js', '/index.ts', '/__main__.py'];

/** Files in the working directory by which programs decide what a name among their arguments runs. */
const PROJECT_FILES: readonly { readonly programs: RegExp; readonly files: readonly string[] }[] = [
  { programs: /^(?:npm|pnpm|yarn|bun|npx|bunx)$/, files: ['package.json'] },
  { programs: /^deno$/, files: ['deno.json', 'deno.jsonc', 'package.json'] },
  { programs: /^(?:uv|poetry|pdm|hatch|pipenv|rye)$/, files: ['pyproject.toml', 'Pipfile'] },
  { programs: /^g?make$/, files: ['GNUmakefile', 'makefile', 'Makefile'] },
  { programs: /^just$/, files: ['justfile', 'Justfile', '.justfile'] },
  { programs: /^task$/, files: ['Taskfile.yml', 'Taskfile.yaml'] },
  {
    programs: /^(?:docker|podman|docker-compose|podman-compose)$/,
    files: ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml', 'Dockerfile'],
  },
  { programs: /^cargo$/, files: ['Cargo.toml'] },
];

/** The name of a program, in lower case and without its ending, from its path. */
export function programOf(command: string): string {
  return (command.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(?:exe|cmd|bat|com|ps1)$/, '');
}

/**
 * The paths of what a command line may run, for an approval to be bound to its contents. Which program is started in the end is not
 * asked, as `env`, `uv run`, and shells start any; what a script loads in turn is not followed, as that takes running it.
 * @param named paths that the command line names
 * @param words all of its words, in order
 */
export function pathsThatMayRun(named: readonly string[], words: readonly string[]): readonly string[] {
  const project = projectFilesOf(words.map(programOf));
  return [...new Set([...named.flatMap((path) => [path, ...RESOLVED.map((ending) => `${path}${ending}`)]), ...pythonModules(words), ...project])];
}

/** The files by which programs decide what a name among their arguments runs. @param names of programs */
export function projectFilesOf(names: readonly string[]): readonly string[] {
  const programs = [...new Set(names)];
  return PROJECT_FILES.flatMap(({ programs: those, files }) => (programs.some((program) => those.test(program)) ? files : []));
}

/** Files that `python -m package.module` runs, searched in the working directory first. */
function pythonModules(words: readonly string[]): readonly string[] {
  const name = words[words.indexOf('-m') + 1] ?? '';
  if (!words.includes('-m') || !/^[\w.]+$/.test(name)) return [];
  const path = name.replaceAll('.', '/');
  return [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`];
}
