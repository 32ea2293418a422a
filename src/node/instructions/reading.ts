import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { InstructionFile, LeftOutInstructions } from '../../domain/session/context.js';
import type { Workspace } from '../../domain/workspace/workspace.js';
import type { LinkGuards } from '../config/bases.js';
import { readProblem } from '../files/configuration-file.js';
import { type LinkReach, linkRefusal } from '../files/link-reach.js';
import { pathFromInput } from '../files/workspace.js';
import { realPathOf } from '../files/real-path.js';
import { isWithin } from '../files/within.js';
import { exists } from '../files/exists.js';
import { readText } from './read.js';
import type { Delivery, Format, Rule } from './read-rule.js';
import { linkIn, referencesIn } from './references.js';
import type { Source } from './sources.js';

/** How far includes lead on: a file that is included by one that is included, and so on. Source: code.claude.com/docs/en/memory. */
const MAX_HOPS = 4;
/** Files that are included altogether, and references that are followed to find them: it must not take long. */
const MAX_INCLUDED = 50;
const MAX_FOLLOWED = 300;
/** References to such files that lead nowhere are mistakes; others may be anything, such as the name of a person or a package. */
const NAMES_TEXT = /\.(md|mdc|txt)$/i;
/** Most characters of the description of a rule that the model gets. */
const MAX_DESCRIPTION = 500;

/** What the user says of files from outside that instructions want to include. */
export interface IncludeConsent {
  /** Whether a file may be included; `undefined` when the user has not decided. @param target absolute, without links */
  allows(target: string): boolean | undefined;
  /** Asks the user, unless that was done. @param by display name of the file that wants to include it */
  ask(by: string, target: string): void;
}

/** What a {@link Reading} is done with. */
export interface ReadingOptions {
  readonly workspace: Workspace;
  /** Absolute path of the home folder. */
  readonly home: string;
  /** Whether files of the workspace may be read. */
  readonly trusted: boolean;
  readonly consent: IncludeConsent;
  readonly guards: LinkGuards;
  /** Absolute paths without links of the workspace folders and of their repositories: the files of a workspace lie in them. */
  readonly within: () => Promise<readonly string[]>;
  readonly signal: AbortSignal;
}

/** A file with instructions, and when the model gets them. */
export interface FoundFile {
  readonly file: InstructionFile;
  readonly source: Source;
  readonly delivery: Delivery;
}

/** Where a text was read in the end; nothing where it is blank. */
interface ReadSource {
  readonly real: string;
  readonly read: Awaited<ReturnType<typeof readText>>;
}

/** One look at the instructions that there are: reads files, each once, and keeps what was left out and why. */
export class Reading {
  readonly leftOut: LeftOutInstructions[] = [];
  /** What of files that the model gets could not be read. */
  readonly doubts: string[] = [];
  /** Paths without links of what there is already. */
  private readonly seen = new Set<string>();
  private followed = 0;
  /** Files that references led to. */
  private included = 0;

  constructor(private readonly options: ReadingOptions) {}

  /** Reads what a source has; `undefined` when there is nothing, or it is left out. */
  async find(source: Source): Promise<FoundFile | undefined> {
    try {
      if (source.refusal !== undefined) throw new Error(source.refusal);
      if (!(await exists(source.path))) return undefined;
      return await this.read(source);
    } catch (error) {
      this.options.signal.throwIfAborted();
      await this.leaveOut(source.path, readProblem(error));
      return undefined;
    }
  }

  /** Marks a file as one that is not read again. Returns whether it was not there yet. */
  take({ path }: InstructionFile): boolean {
    const isNew = !this.seen.has(path);
    this.seen.add(path);
    return isNew;
  }

  /** The files that a file includes, and those that they include: each before the one that includes it, as that goes before. */
  async includedBy(file: InstructionFile, source: Source, hops = 1): Promise<readonly InstructionFile[]> {
    const files: InstructionFile[] = [];
    for (const reference of referencesIn(file.text)) {
      const found = await this.include(reference, file, { source, hops });
      if (found !== undefined) files.push(...(await this.includedBy(found, source, hops + 1)), found);
    }
    return files;
  }

  /** Keeps why the model does not get a file. */
  async leaveOut(path: string, reason: string, consent: Pick<LeftOutInstructions, 'wantedBy'> = {}): Promise<void> {
    this.leftOut.push({ path, display: await this.displayOf(path), reason, ...consent });
  }

  private async read(source: Source): Promise<FoundFile | undefined> {
    const { workspace, guards, within } = this.options;
    const { real: path, throughLink } = await workspace.locate(source.path);
    const reach = source.of === 'user' ? { mayShow: guards.ofUser } : { within, mayShow: guards.ofRepository };
    const refusal = await linkRefusal(path, reach);
    if (refusal !== undefined) throw new Error(throughLink ? refusal : excluded());
    const { real, read } = await this.textOf(path, { format: source.format, reach });
    if (read === undefined) return undefined;
    const rule = await ruleIn(read.text, source.format);
    this.doubts.push(...rule.problems.map((problem) => `${real}: ${problem}`));
    const delivery = source.delivery ?? rule.delivery;
    const text = delivery.when === 'asked' ? listed(delivery.description) : rule.body.trim();
    if (text === '') return undefined;
    return { file: { path: real, display: await this.displayOf(source.path), ...read, text }, source, delivery };
  }

  /** What a file says, or the one that it stands for: Git writes a link as a file with its target where the system or the user has no links. */
  private async textOf(real: string, how: { readonly format: Format; readonly reach: LinkReach }, hops = 1): Promise<ReadSource> {
    const read = await readText(real, this.options.signal);
    const named = how.format === 'plain' && hops <= MAX_HOPS ? linkIn(read?.text ?? '') : undefined;
    const target = named === undefined ? real : await realPathOf(resolve(dirname(real), named));
    if (target === real || !(await isFile(target))) return { real, read };
    const refusal = await linkRefusal(target, how.reach);
    if (refusal !== undefined) throw new Error(refusal);
    return this.textOf(target, how, hops + 1);
  }

  private async include(
    reference: string,
    by: InstructionFile,
    { source, hops }: { readonly source: Source; readonly hops: number },
  ): Promise<InstructionFile | undefined> {
    this.followed += 1;
    const target = this.followed > MAX_FOLLOWED ? undefined : await this.targetOf(reference, by);
    if (target === undefined || this.seen.has(target)) return undefined;
    this.seen.add(target);
    this.included += 1;
    try {
      if (hops > MAX_HOPS) throw new Error(t('It is more than {0} includes away.', MAX_HOPS));
      if (this.included > MAX_INCLUDED) throw new Error(t('More than {0} files are included.', MAX_INCLUDED));
      if (!(await this.mayInclude(target, by, source))) return undefined;
      const read = await readText(target, this.options.signal);
      if (read === undefined) return undefined;
      return { path: target, display: await this.displayOf(target), ...read };
    } catch (error) {
      this.options.signal.throwIfAborted();
      await this.leaveOut(target, readProblem(error));
      return undefined;
    }
  }

  /** The file that a reference names, links resolved. None for words that only look like one. */
  private async targetOf(reference: string, by: InstructionFile): Promise<string | undefined> {
    const path = pathOf(reference, dirname(by.path), this.options.home);
    if (path === undefined) return undefined;
    try {
      const target = await realPathOf(path);
      if (await exists(target)) return (await isFile(target)) ? target : undefined;
      if (NAMES_TEXT.test(target)) await this.leaveOut(target, t('It does not exist.'));
    } catch (error) {
      this.options.signal.throwIfAborted();
      await this.leaveOut(path, readProblem(error));
    }
    return undefined;
  }

  private async mayInclude(target: string, by: InstructionFile, source: Source): Promise<boolean> {
    const { workspace, home, trusted, guards, consent } = this.options;
    const { inside } = await workspace.locate(target);
    const isOwn = source.of === 'user' && isWithin(await realPathOf(ownFolder(source, home)), target);
    if (isOwn && (await linkRefusal(target, { mayShow: guards.ofUser })) === undefined) return true;
    if ((await linkRefusal(target, { mayShow: guards.ofRepository })) !== undefined) throw new Error(excluded());
    if (inside && !trusted) throw new Error(t('The workspace is not trusted.'));
    if (inside || consent.allows(target) === true) return true;
    const isDenied = consent.allows(target) === false;
    if (!isDenied) consent.ask(by.display, target);
    const reason = isDenied ? t('You did not allow {0} to include it.', by.display) : t('{0} includes it, which you have not allowed yet.', by.display);
    await this.leaveOut(target, reason, { wantedBy: by.display });
    return false;
  }

  /** A short name for a file: relative to its workspace folder, or to the home folder. */
  private async displayOf(path: string): Promise<string> {
    const { workspace, home } = this.options;
    // A loop of links, or a folder that may not be looked at, leads nowhere.
    const display = await workspace.locate(path).then(
      (location) => location.display,
      () => path,
    );
    const isHome = isAbsolute(display) && display !== home && isWithin(home, display);
    return escapeHidden(isHome ? `~/${relative(home, display).split(sep).join('/')}` : display);
  }
}

/** The folder of a program in the home folder that a file of the user is in: what lies there is theirs as well. */
function ownFolder({ path }: Source, home: string): string {
  const names = relative(home, dirname(path)).split(sep);
  return join(home, ...names.slice(0, names[0] === '.config' ? 2 : 1));
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** The absolute path that a reference means; `undefined` for what is not a file on this machine, such as a web address. */
function pathOf(reference: string, folder: string, home: string): string | undefined {
  try {
    return resolve(folder, pathFromInput(reference, home));
  } catch {
    return undefined;
  }
}

function excluded(): string {
  return t('It may contain passwords or keys, or a permission rule excludes it.');
}

/** Line for the model about a rule that it reads where the task needs it. */
function listed(description: string): string {
  const about = description === '' ? '' : ` It is about: ${description.slice(0, MAX_DESCRIPTION)}`;
  return `A rule that is not loaded. Read the file where the task needs it.${about}`;
}

/** The text of a file with its front matter. What reads that brings YAML, and most files have none. */
async function ruleIn(text: string, format: Format): Promise<Rule> {
  return format === 'plain' ? { delivery: { when: 'always' }, body: text, problems: [] } : (await import('./read-rule.js')).readRule(text, format);
}
