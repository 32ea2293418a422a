import { CHECK_KINDS, type Check, type CheckProblem, type FoundChecks } from '../domain/check.js';
import { compileName, nameFits } from '../text/wildcards.js';
import { CHECK_SOURCES, type CheckSource } from './ecosystems.js';
import { pathIn, type ProjectFiles } from './project-files.js';

/** Checks that are offered: more would not be looked through. */
const MAX_CHECKS = 60;
/** Folders below that of the project in which checks are looked for, where it has none itself. */
const MAX_FOLDERS = 20;
/** Folders that contain the work of others. */
const OTHERS = /^(?:\.|node_modules$|vendor$|target$|dist$|build$|out$|third_party$|venv$)/;

const SOURCES = CHECK_SOURCES.map((source) => ({ ...source, pattern: compileName(source.file) }));

/** Finds the checks of a project by what its files say. Nothing is run for that. Those of the folders in it count where it has none itself. */
export async function findChecks(files: ProjectFiles): Promise<FoundChecks> {
  const here = await checksIn(files, '');
  if (here.checks.length > 0) return sorted([here]);
  const folders = (await files.list('')).filter(({ name, isFolder }) => isFolder && !OTHERS.test(name)).slice(0, MAX_FOLDERS);
  return sorted([here, ...(await Promise.all(folders.map(({ name }) => checksIn(files, name))))]);
}

/** The quickest kinds first, each in the order in which they were found. */
function sorted(found: readonly FoundChecks[]): FoundChecks {
  const checks = found.flatMap((each) => each.checks);
  return {
    checks: CHECK_KINDS.flatMap((kind) => checks.filter((check) => check.kind === kind)).slice(0, MAX_CHECKS),
    problems: found.flatMap(({ problems }) => problems),
  };
}

async function checksIn(files: ProjectFiles, folder: string): Promise<FoundChecks> {
  const entries = await files.list(folder);
  const beside = new Set(entries.map(({ name }) => name));
  const read = await Promise.all(
    SOURCES.flatMap((source) =>
      entries.filter(({ name, isFolder }) => !isFolder && nameFits(source.pattern, name)).map(({ name }) => checksOf(files, { source, name, folder, beside })),
    ),
  );
  const checks = new Map<string, Check>();
  for (const check of read.flatMap((each) => each.checks)) if (!checks.has(check.line)) checks.set(check.line, check);
  return { checks: [...checks.values()], problems: read.flatMap(({ problems }) => problems) };
}

interface Place {
  readonly source: CheckSource;
  readonly name: string;
  readonly folder: string;
  readonly beside: ReadonlySet<string>;
}

async function checksOf(files: ProjectFiles, { source, name, folder, beside }: Place): Promise<FoundChecks> {
  const path = pathIn(folder, name);
  const file = await files.read(path);
  const wrong = (message: string): { readonly checks: readonly Check[]; readonly problems: readonly CheckProblem[] } => ({
    checks: [],
    problems: [{ file: path, message }],
  });
  if (file === undefined) return { checks: [], problems: [] };
  if ('problem' in file) return wrong(file.problem);
  const named = source.read({ name, text: file.text, beside });
  if ('problem' in named) return wrong(named.problem);
  return { checks: named.map((check) => ({ id: `${path}#${check.name}`, kind: check.kind, folder, line: check.line, file: path })), problems: [] };
}
