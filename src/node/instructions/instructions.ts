import { dirname } from 'node:path';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { FoundInstructions, InstructionFile, Instructions } from '../../domain/session/context.js';
import type { MayShow } from '../../domain/workspace/search.js';
import type { Workspace } from '../../domain/workspace/workspace.js';
import { compileGlobs } from '../search/glob-match.js';
import { type FoundFile, type IncludeConsent, Reading } from './reading.js';
import { onlyRefers } from './references.js';
import { type Source, foldersTo, ownSources, placeOf, ruleSources, sharedIn, sourcesAbove, sourcesIn } from './sources.js';

/** Characters of instructions in one result of {@link Instructions}. */
const MAX_CHARACTERS = 120_000;
/** Files that were found for single files and are looked for again. */
const MAX_GIVEN = 200;

/** Which instructions beside `AGENTS.md` and `CLAUDE.md` of the project count. */
export interface InstructionChoices {
  /** The user's own, which apply in every workspace. */
  readonly own: boolean;
  /** Those for other tools. */
  readonly otherTools: boolean;
}

/** What instructions are found with. */
export interface InstructionsDeps {
  readonly workspace: Workspace;
  /** Absolute path of the home folder. */
  readonly home: string;
  /** Whether the user trusts the workspace: nothing of it is read otherwise. */
  readonly trusted: () => boolean;
  readonly choices: () => InstructionChoices;
  readonly consent: IncludeConsent;
  /** Makes the guard that says which files may be shown to a model without a question. */
  readonly readGuard: () => Promise<MayShow>;
  /** Takes the real paths of the files that are given out: changing one changes what models are told. */
  readonly used?: Set<string>;
  readonly log: Log;
}

/** Finds instructions on the disk. */
export function createInstructions(deps: InstructionsDeps): Instructions {
  return new DiskInstructions(deps);
}

class DiskInstructions implements Instructions {
  private readonly deps: InstructionsDeps;
  /** What was logged: the files are looked at with every message. */
  private readonly logged = new Set<string>();

  constructor(deps: InstructionsDeps) {
    this.deps = deps;
  }

  async ofWorkspace(signal: AbortSignal, given: readonly string[] = []): Promise<FoundInstructions> {
    const { home, choices } = this.deps;
    const [reading, ofFolders, ofGiven] = await Promise.all([this.begin(signal), this.sourcesOfFolders(signal), this.sourcesOfGiven(given)]);
    const [found, below] = await Promise.all([findAll([...(choices().own ? ownSources(home) : []), ...ofFolders], reading), findAll(ofGiven, reading)]);
    const wanted = found.filter(({ delivery, file }) => delivery.when !== 'files' || given.includes(file.display));
    return this.result([...wanted, ...below.filter(({ file }) => given.includes(file.display))], reading);
  }

  /** Where there is no trust it is refused and not answered with nothing, so that it is asked for again once there is. */
  async ofFile(path: string, signal: AbortSignal): Promise<FoundInstructions> {
    if (!this.deps.trusted()) throw new Error('the workspace is not trusted');
    const [reading, place] = await Promise.all([this.begin(signal), placeOf(path, this.deps.workspace)]);
    if (place === undefined) return { files: [], leftOut: [] };
    const rules = this.deps.choices().otherTools ? await findAll(await ruleSources(place.root, signal), reading) : [];
    const name = place.parts.join('/');
    const fitting = await Promise.all(rules.map(async (rule) => ((await fits(rule, name, reading)) ? [rule] : [])));
    return this.result([...fitting.flat(), ...(await findAll(foldersTo(place).flatMap(sharedIn), reading))], reading);
  }

  private async begin(signal: AbortSignal): Promise<Reading> {
    const { workspace, home, consent, trusted, readGuard } = this.deps;
    return new Reading({ workspace, home, consent, trusted: trusted(), mayShow: await readGuard(), signal });
  }

  /** Those of the workspace folders and above, the nearest last. */
  private async sourcesOfFolders(signal: AbortSignal): Promise<readonly Source[]> {
    const { workspace, home, trusted, choices } = this.deps;
    if (!trusted()) return [];
    const { otherTools } = choices();
    const sources = await Promise.all(workspace.folders().map(({ path }) => Promise.all([sourcesAbove(path, home), sourcesIn(path, otherTools, signal)])));
    return sources.flat(2);
  }

  /** Those of the folders that files with these display names are in. */
  private async sourcesOfGiven(given: readonly string[]): Promise<readonly Source[]> {
    const { workspace, trusted } = this.deps;
    if (!trusted()) return [];
    // What a name with hidden characters stands for is not found again.
    const placed = given.slice(0, MAX_GIVEN).map((name) => workspace.locate(name).then(({ path }) => placeOf(path, workspace)).catch(() => undefined));
    const places = await Promise.all(placed);
    const folders = new Set(places.flatMap((place) => (place === undefined ? [] : foldersTo(place))));
    return [...folders].sort().flatMap(sharedIn);
  }

  /** The files, each once, behind those that they include. */
  private async result(found: readonly FoundFile[], reading: Reading): Promise<FoundInstructions> {
    const fresh = withoutRepeats(found.filter(({ file }) => reading.take(file)));
    const files: InstructionFile[] = [];
    for (const { file, source } of fresh) {
      files.push(...(await reading.includedBy(file, source)));
      if (!onlyRefers(file.text)) files.push(file);
    }
    const fitting = await withinLimit(files, reading);
    for (const { path, reason } of reading.leftOut) this.warn(`The instructions in ${path} were left out: ${reason}`);
    for (const { path } of fitting) this.deps.used?.add(path);
    return { files: fitting, leftOut: reading.leftOut };
  }

  private warn(line: string): void {
    if (!this.logged.has(line)) this.deps.log.warn(line);
    this.logged.add(line);
  }
}

async function findAll(sources: readonly Source[], reading: Reading): Promise<readonly FoundFile[]> {
  const found = await Promise.all(sources.map((source) => reading.find(source)));
  return found.filter((file) => file !== undefined);
}

/** Whether a file fits a pattern of a rule. @param name relative to the workspace folder, with `/` between its parts */
async function fits({ delivery, file }: FoundFile, name: string, reading: Reading): Promise<boolean> {
  if (delivery.when !== 'files') return false;
  try {
    return compileGlobs(delivery.patterns)?.matches(name) ?? false;
  } catch (error) {
    await reading.leaveOut(file.path, errorMessage(error));
    return false;
  }
}

/** The first files that fit together. */
async function withinLimit(files: readonly InstructionFile[], reading: Reading): Promise<readonly InstructionFile[]> {
  let left = MAX_CHARACTERS;
  const fitting: InstructionFile[] = [];
  for (const file of files) {
    if (file.text.length > left) await reading.leaveOut(file.path, t('There are more than {0} characters of instructions.', MAX_CHARACTERS));
    else {
      left -= file.text.length;
      fitting.push(file);
    }
  }
  return fitting;
}

/** Leaves out what another file of the same folder says. */
function withoutRepeats(found: readonly FoundFile[]): readonly FoundFile[] {
  const isRepeat = (one: FoundFile, other: FoundFile): boolean => dirname(one.source.path) === dirname(other.source.path) && one.file.text === other.file.text;
  return found.filter((each, index) => !found.slice(0, index).some((other) => isRepeat(each, other)));
}
