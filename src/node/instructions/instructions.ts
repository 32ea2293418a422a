import { once } from '../../concurrency/once.js';
import { dirname, join, relative, sep } from 'node:path';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import { type FileLayer, isRead } from '../../domain/config/origin.js';
import type { FoundInstructions, InstructionFile, Instructions } from '../../domain/session/context.js';
import type { Workspace } from '../../domain/workspace/workspace.js';
import type { LinkGuards } from '../config/bases.js';
import { foldersAbove } from '../config/surroundings.js';
import { realPathOf } from '../files/real-path.js';
import { isWithin } from '../files/within.js';
import { compileGlobs } from '../search/glob-match.js';
import { type FoundFile, type IncludeConsent, Reading } from './reading.js';
import { onlyRefers } from './references.js';
import { foldersTo, localIn, type Looking, ownSources, type PlacedFile, placeOf, ruleSources, sharedIn, type Source, sourcesIn } from './sources.js';

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
  /** Whether that stays as it is, so that only the instructions of the user count. */
  readonly staysUntrusted?: true;
  readonly choices: () => InstructionChoices;
  /** The layers whose files are read; absent: all. */
  readonly layers?: readonly FileLayer[];
  readonly consent: IncludeConsent;
  /** Makes what says which files may be shown to a model without a question. */
  readonly guards: () => LinkGuards;
  /** Takes the real paths of the files that are given out: changing one changes the model's instructions. */
  readonly used?: Set<string>;
  readonly log: Log;
}

/** Finds instructions on the disk. */
export function createInstructions(deps: InstructionsDeps): Instructions {
  return new DiskInstructions(deps);
}

/** One look at all of them. */
interface Look extends Looking {
  readonly reading: Reading;
  readonly guards: LinkGuards;
  /** The folders of a workspace that is trusted, with those that they are in up to their repositories’, the outermost first. */
  readonly around: readonly { readonly folder: string; readonly above: readonly string[] }[];
}

class DiskInstructions implements Instructions {
  /** What was logged: the files are looked at with every message. */
  private readonly logged = new Set<string>();

  constructor(private readonly deps: InstructionsDeps) {}

  async ofWorkspace(signal: AbortSignal, given: readonly string[] = []): Promise<FoundInstructions> {
    const look = await this.begin(signal);
    const [own, ofFolders, ofGiven] = await Promise.all([this.ownSources(look), this.sourcesOfFolders(look), this.sourcesOfGiven(given, look)]);
    const [found, below] = await Promise.all([findAll([...own, ...ofFolders], look.reading), findAll(ofGiven, look.reading)]);
    const wanted = found.filter(({ delivery, file }) => delivery.when !== 'files' || given.includes(file.display));
    return this.result([...wanted, ...below.filter(({ file }) => given.includes(file.display))], look.reading);
  }

  /** Where there is no trust yet it is refused and not answered with nothing, so that it is asked for again once there is. */
  async ofFile(path: string, signal: AbortSignal): Promise<FoundInstructions> {
    const trusted = this.deps.trusted();
    if (!trusted && this.deps.staysUntrusted !== true) throw new Error('the workspace is not trusted');
    const [look, place] = await Promise.all([this.begin(signal), placeOf(path, this.deps.workspace)]);
    if (place === undefined) return { files: [], leftOut: [] };
    const { reading, around } = look;
    const { otherTools } = this.deps.choices();
    const below = foldersTo(place);
    const [real, ...folders] = await Promise.all([join(place.root, ...place.parts), ...around.map(({ folder }) => folder)].map((each) => realPathOf(each)));
    const { above = [] } = around.find((_, index) => isWithin(folders[index] ?? '', real ?? path)) ?? {};
    const ofProject = trusted && this.reads('project');
    const withRules = ofProject ? [...above, place.root, ...below] : [];
    const lists = await Promise.all(withRules.map((folder) => ruleSources(folder, otherTools, look)));
    const rules = await findAll([...(await this.ownSources(look)), ...lists.flat()], reading);
    const file = (rule: FoundFile): RuledFile => ({ place, real: real ?? path, isNear: below.includes(rule.source.folder) });
    const fitting = await Promise.all(rules.map(async (rule) => ((await fits(rule, file(rule), reading)) ? [rule] : [])));
    return this.result([...fitting.flat(), ...(await findAll(ofProject ? below.flatMap(sharedIn) : [], reading))], reading);
  }

  private async begin(signal: AbortSignal): Promise<Look> {
    const { workspace, home, consent, trusted, guards: guardsNow } = this.deps;
    const folders = trusted() ? workspace.folders().map(({ path }) => path) : [];
    const aboveOf = async (folder: string): Promise<Look['around'][number]> => ({ folder, above: [...(await foldersAbove(folder, home))].reverse() });
    const guards = guardsNow();
    const around = await Promise.all(folders.map(aboveOf));
    const within = once(() => Promise.all(around.map(({ folder, above }) => realPathOf(above[0] ?? folder))));
    const reading = new Reading({ workspace, home, consent, trusted: trusted(), guards, within, signal });
    return { reading, around, guards, reach: { within, mayShow: guards.ofRepository }, signal };
  }

  private async ownSources({ guards, signal }: Look): Promise<readonly Source[]> {
    const { home, workspace, choices } = this.deps;
    const { own, otherTools } = choices();
    return own && this.reads('user')
      ? ownSources(home, { others: otherTools, folder: workspace.folders()[0]?.path ?? home }, { reach: { mayShow: guards.ofUser }, signal })
      : [];
  }

  private reads(layer: FileLayer): boolean {
    return isRead(layer, this.deps.layers);
  }

  /** Those of the workspace folders and above, the nearest last. */
  private async sourcesOfFolders(look: Look): Promise<readonly Source[]> {
    const { otherTools } = this.deps.choices();
    const sources = look.around.map(async ({ folder, above }) => {
      const shared = this.reads('project') ? await Promise.all([...above, folder].map((each) => sourcesIn(each, otherTools, look))) : [];
      return [...shared.flat(), ...(this.reads('local') ? localIn(folder) : [])];
    });
    return (await Promise.all(sources)).flat();
  }

  /** Those of the folders that files with these display names are in. */
  private async sourcesOfGiven(given: readonly string[], look: Look): Promise<readonly Source[]> {
    const { workspace, trusted, choices } = this.deps;
    if (!trusted() || !this.reads('project')) return [];
    // What a name with hidden characters stands for is not found again.
    const placed = given.slice(0, MAX_GIVEN).map((name) =>
      workspace
        .locate(name)
        .then(({ path }) => placeOf(path, workspace))
        .catch(() => undefined),
    );
    const places = (await Promise.all(placed)).filter((place) => place !== undefined);
    const folders = new Set(places.flatMap(foldersTo));
    const withRules = new Set(
      places.flatMap(({ root, parts }) => {
        const index = parts.findIndex((part) => part.startsWith('.'));
        return index > 0 ? [join(root, ...parts.slice(0, index))] : [];
      }),
    );
    const rules = await Promise.all([...withRules].sort().map((folder) => ruleSources(folder, choices().otherTools, look)));
    return [...rules.flat(), ...[...folders].sort().flatMap(sharedIn)];
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
    for (const doubt of reading.doubts) this.warn(`In the instructions in ${doubt}`);
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

/** A file that rules may be for. */
interface RuledFile {
  readonly place: PlacedFile;
  /** Absolute path without links. */
  readonly real: string;
  /** Whether the rule is in a folder below the workspace folder that the file is in: then it needs no pattern. */
  readonly isNear: boolean;
}

/** Whether a rule comes with a file. Patterns are relative to the folder that the rule is for, or to the workspace folder. */
async function fits({ delivery, file, source }: FoundFile, { place, real, isNear }: RuledFile, reading: Reading): Promise<boolean> {
  if (delivery.when !== 'files') return isNear;
  try {
    const globs = compileGlobs(delivery.patterns);
    const names = [
      place.parts.join('/'),
      relative(await realPathOf(source.folder), real)
        .split(sep)
        .join('/'),
    ];
    return names.some((name) => globs?.matches(name) ?? false);
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
