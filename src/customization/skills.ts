import { present } from '../domain/present.js';
import { dirname } from 'node:path';
import { type CatalogPlan, planCatalog } from '../config/skills/catalog.js';
import { LastHooks } from '../config/hooks/last-hooks.js';
import { type ChosenSkill, chooseSkills, findSkill, type SkillChoice } from '../config/skills/choose.js';
import type { SkillReading } from '../config/skills/read-skill.js';
import type { ConfigProblem } from '../domain/config/problem.js';
import type { Skill } from '../domain/config/skill.js';
import type { HookDefinition } from '../domain/hook/definition.js';
import { ToolInputError } from '../domain/errors.js';
import { withoutUnseen } from '../domain/hidden-characters.js';
import { t } from '../domain/l10n.js';
import type { Log } from '../domain/log.js';
import { type LoadedSkill, type SkillCatalog, type SkillCatalogSource, skillText, type SkillTexts } from '../domain/session/skills.js';
import { findSkills, findWaitingSkills, readSkillFile, type SkillPlace, skillPaths, skillStamp } from '../node/config/skill-files.js';
import type { TurnGrant } from '../domain/tool/turn-grant.js';
import { sha256 } from '../node/files/sha256.js';
import { walkFolder } from '../node/files/walk-folder.js';
import { refusedRules } from '../permission/rules/turn-rules.js';
import { isWithin } from '../node/files/within.js';
import { headOf } from '../text/show.js';
import type { MarkdownPlaces } from '../node/config/markdown-files.js';
import type { ConfigPlaces } from './places.js';
import { WatchedSet } from './watched-set.js';
import type { HostPorts } from '../domain/host/host-ports.js';
import type { WatchedFiles } from '../domain/host/host-ports.js';
import type { Memory } from '../domain/host/memory.js';

const KEY = 'gnomon.pinnedSkills';
/** Characters of the text of a skill that a model gets at once; the rest is in its file. */
const MAX_BODY = 80_000;
/** Files of a skill that are named with its text. */
const MAX_NAMED_FILES = 60;
/** Names that an error lists. */
const MAX_NAMES = 40;

/** A skill that cannot be used, and why. */
export interface SkippedSkill {
  readonly place: SkillPlace;
  /** A sentence for the user. */
  readonly why: string;
}

/** The skills of the window, as they were read last. */
export interface SkillsFound {
  readonly choice: SkillChoice;
  /** Listing of skills for models. */
  readonly plan: CatalogPlan;
  readonly skipped: readonly SkippedSkill[];
  /** Also those because of which skills are skipped, or left out. */
  readonly problems: readonly ConfigProblem[];
  /** Rules that skills request, by `SKILL.md`. */
  readonly grants: ReadonlyMap<string, TurnGrant>;
}

/** A skill that the user has activated. */
export interface ActivatedSkill extends LoadedSkill {
  readonly chosen: ChosenSkill;
}

/** Services that find skill files, and a memory of pinned skills that no workspace can change. */
export interface SkillsDeps {
  readonly ports: Pick<HostPorts, 'trust' | 'keepWatching'>;
  readonly places: ConfigPlaces;
  /** Where it is kept which skills are pinned: out of reach of every workspace. */
  readonly memory: Memory;
  readonly log: Log;
}

/** The skills as they were read, with the stamp that shows changes. */
interface Read {
  readonly choice: SkillChoice;
  readonly skipped: readonly SkippedSkill[];
  readonly problems: readonly ConfigProblem[];
  readonly grants: SkillsFound['grants'];
  /** By their `SKILL.md`. */
  readonly places: ReadonlyMap<string, SkillPlace>;
  /** Stamp that shows whether the files have changed. */
  readonly stamp?: string;
}

const NOTHING: Read = { choice: { skills: [], problems: [] }, skipped: [], problems: [], grants: new Map(), places: new Map() };

/**
 * The skills of this window: the user’s own, and those of the workspace where that is trusted. They are looked for when a message goes out
 * and when the user wants to see them, and from then on whenever one changes. Only what is before their texts is kept.
 */
export class Skills extends WatchedSet<Read> implements SkillCatalogSource, SkillTexts {
  private readonly lastHooks = new LastHooks();
  /** Listing of the current skills for models, once requested. */
  private planned: CatalogPlan | undefined;

  constructor(private readonly deps: SkillsDeps) {
    super({ ...deps, rereads: [deps.ports.trust.onDidGrant], failure: 'Skills could not be read' });
  }

  /** As they were read last. */
  get found(): SkillsFound {
    const { choice, skipped, problems, grants } = this.current;
    this.planned ??= planCatalog(choice.skills, this.pinned);
    return { choice, skipped, problems, grants, plan: this.planned };
  }

  /** Qualified names of the skills that models read about in any case. */
  get pinned(): ReadonlySet<string> {
    const stored = this.deps.memory.get(KEY);
    return new Set(Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : []);
  }

  /** Tells models of a skill in any case, or only where there is room. */
  async pin({ qualifiedName }: ChosenSkill, on: boolean): Promise<void> {
    const others = [...this.pinned].filter((name) => name !== qualifiedName);
    await this.deps.memory.update(KEY, on ? [...others, qualifiedName] : others);
    this.tell();
  }

  /** Resolves when the skills are known as they are now. Reads only what has changed. Does not reject. */
  override ready(): Promise<void> {
    return this.read();
  }

  /**
   * The skills that trust would add, for the user to see: none is read, and nothing else here knows of them. None in a trusted workspace.
   * Rejects only when this is disposed of.
   */
  async waiting(): Promise<readonly SkillPlace[]> {
    if (this.deps.ports.trust.trusted()) return [];
    const { folders, surroundings, guards, layers } = await this.deps.places.forAll();
    return findWaitingSkills({ folders, guards, ...present({ surroundings, layers }) }, this.stopped);
  }

  /** The hooks of all skills, as they were read last. */
  get hooks(): readonly HookDefinition[] {
    return this.lastHooks.all;
  }

  /**
   * The hooks of the skills in some folders, whose files are read when somebody first asks.
   * @param folders absolute paths
   * @throws Error when no skills could be read yet, so that no guard is passed over
   */
  async hooksOf(folders: readonly string[]): Promise<readonly HookDefinition[]> {
    if (folders.length === 0) return [];
    await super.ready();
    this.known();
    return this.hooks.filter(({ origin }) => folders.includes(dirname(origin.file)));
  }

  async catalog(): Promise<SkillCatalog> {
    await this.ready();
    return this.found.plan;
  }

  async find(name: string): Promise<string> {
    await this.ready();
    return this.forModels(name).skill.origin.file;
  }

  async load(name: string, signal: AbortSignal): Promise<LoadedSkill> {
    await this.ready();
    return this.loaded(this.forModels(name), '', signal);
  }

  /**
   * Loads a skill that the user activates, whatever models read about it.
   * @param args what the user wrote behind its name @throws Error with a message for the user
   */
  async activate(name: string, args: string, signal: AbortSignal): Promise<ActivatedSkill> {
    await this.ready();
    const chosen = findSkill(this.current.choice, name);
    if (chosen === undefined) throw new Error(t('There is no skill “{0}” any more.', name));
    return { ...(await this.loaded(chosen, args, signal)), chosen };
  }

  /** Real paths of what may be read without a question when skills of these names are loaded. */
  readable(loaded: Iterable<string>): { readonly files: readonly string[]; readonly folders: readonly string[] } {
    const { choice, places } = this.current;
    const folders = [...loaded].flatMap((name) => {
      const place = places.get(findSkill(choice, name)?.skill.origin.file ?? '');
      return place === undefined ? [] : [place.realFolder];
    });
    return { files: choice.skills.flatMap(({ skill }) => (skill.modelInvocable ? (places.get(skill.origin.file)?.realFile ?? []) : [])), folders };
  }

  protected watched(): WatchedFiles {
    return skillPaths(this.deps.places.watched);
  }

  protected async readFiles(signal: AbortSignal): Promise<Read | undefined> {
    const places = placesFor(await this.deps.places.forAll(), this.deps.ports.trust.trusted());
    const found = await findSkills(places, signal);
    const stamp = await skillStamp(found);
    if (stamp === this.current.stamp) return undefined;
    const read = await readingOf(found.places, signal);
    this.lastHooks.take(
      read.choice.skills.map(({ skill }) => skill),
      read.skipped.map(({ place }) => place.origin.file),
    );
    return {
      ...read,
      stamp,
      problems: [...found.problems, ...read.problems, ...this.lastHooks.problems],
      places: new Map(found.places.map((place) => [place.origin.file, place])),
    };
  }

  protected override noticed(): void {
    super.noticed();
    // Reading finds no others where those of the workspace wait for trust.
    if (!this.deps.ports.trust.trusted()) this.tell();
  }

  protected override tell(): void {
    this.planned = undefined;
    super.tell();
  }

  protected override get current(): Read {
    return super.current ?? NOTHING;
  }

  /** @throws ToolInputError */
  private forModels(name: string): ChosenSkill {
    const chosen = findSkill(this.current.choice, name);
    if (chosen?.skill.modelInvocable === true) return chosen;
    if (chosen !== undefined) throw new ToolInputError(`Only the user may activate the skill ${name}: they type /${name}.`);
    const names = this.current.choice.skills.flatMap((each) => (each.skill.modelInvocable ? [each.name] : []));
    const listed = [...names.slice(0, MAX_NAMES), ...(names.length > MAX_NAMES ? ['and others'] : [])].join(', ');
    throw new ToolInputError(
      `There is no skill ${JSON.stringify(headOf(name, 100))}. ${names.length === 0 ? 'There are no skills at all.' : `The skills are: ${listed}.`}`,
    );
  }

  /** Loads a skill. Its rules are read from the same text as the model gets. */
  private async loaded({ name, skill }: ChosenSkill, args: string, signal: AbortSignal): Promise<LoadedSkill> {
    const { readSkill, skillBody } = await import('../config/skills/read-skill.js');
    const place = this.current.places.get(skill.origin.file);
    const file = place && (await readSkillFile(place, signal));
    if (file === undefined) throw new ToolInputError(t('The skill “{0}” is not there any more.', name));
    if ('problem' in file) throw new ToolInputError(file.problem);
    const body = withoutUnseen(skillBody(file.text).toWellFormed()).text;
    const { files, hasMore } = await filesOf(skill, signal);
    const grant = grantOf(readSkill(file.text, file).skill, file.text);
    const text = skillText({ name, folder: skill.folder, body: filledIn(shortened(body), skill.folder, args), files, hasMore });
    return { text, ...present({ grant }) };
  }
}

/** In a workspace that is not trusted, what is in it does not count as the user’s own, even where it has their home folder. */
function placesFor(places: MarkdownPlaces, trusted: boolean): MarkdownPlaces {
  if (trusted) return places;
  const { folders, home, guards, layers } = places;
  return { folders: [], guards, ...present({ layers }), ...(home === undefined || folders.some((folder) => isWithin(folder, home)) ? {} : { home }) };
}

/** Each file is parsed as it arrives, so that nothing else has to wait for all of them. */
async function readingOf(all: readonly SkillPlace[], signal: AbortSignal): Promise<Pick<Read, 'choice' | 'skipped' | 'problems' | 'grants'>> {
  const readings = await Promise.all(
    all.map(async (place) => {
      const file = await readSkillFile(place, signal);
      if (file === undefined) return [];
      // Where there are no skills, what reads YAML is not loaded.
      const reading = 'problem' in file ? unread(file, file.problem) : (await import('../config/skills/read-skill.js')).readSkill(file.text, file);
      return [{ place, reading, grant: 'problem' in file ? undefined : grantOf(reading.skill, file.text) }];
    }),
  );
  const read = readings.flat();
  const choice = chooseSkills(read.flatMap(({ reading }) => reading.skill ?? []));
  const skipped = read.flatMap(({ place, reading: { skill, skipped: why = '' } }) => (skill === undefined ? [{ place, why }] : []));
  const granted = read.flatMap(({ grant }) => grant ?? []);
  return {
    choice,
    skipped,
    problems: [...read.flatMap(({ reading }) => reading.problems), ...granted.flatMap(refusedRules), ...choice.problems],
    grants: new Map(granted.map((grant) => [grant.origin.file, grant])),
  };
}

/** Rules that a skill requests. @param text of its whole file */
function grantOf(skill: Skill | undefined, text: string): TurnGrant | undefined {
  if (skill === undefined || skill.allowedTools.length === 0) return undefined;
  return { kind: 'skill', name: skill.name, origin: skill.origin, rules: skill.allowedTools, digest: sha256(text) };
}

function unread({ origin: { file } }: SkillPlace, problem: string): SkillReading {
  return { skipped: problem, problems: [{ file, key: '', message: problem }], conforms: false };
}

/** The other files of a skill. What cannot be listed is not named; the model can look for itself. */
async function filesOf({ folder, origin }: Skill, signal: AbortSignal): Promise<{ readonly files: readonly string[]; readonly hasMore: boolean }> {
  const own = origin.file.slice(folder.length + 1);
  const files: string[] = [];
  const isComplete = await walkFolder(
    folder,
    ({ path }) => {
      if (path !== own && !/(?:^|\/)(?:\.git|node_modules)(?:\/|$)/.test(path)) files.push(withoutUnseen(path).text.replace(/[\r\n]/g, ' '));
      return files.length <= MAX_NAMED_FILES;
    },
    signal,
  );
  // Folders are only named by the files in them.
  const named = files.sort().filter((path) => !files.some((other) => other.startsWith(`${path}/`)));
  return { files: named.slice(0, MAX_NAMED_FILES), hasMore: !isComplete };
}

function shortened(body: string): string {
  if (body.length <= MAX_BODY) return body;
  const head = headOf(body, MAX_BODY);
  return `${head.slice(0, head.lastIndexOf('\n') + 1 || head.length)}\n[The text goes on here; read the rest in SKILL.md.]`;
}

/** Fills in the placeholders of Claude Code skills (code.claude.com/docs/en/skills, "Available string substitutions"). */
function filledIn(body: string, folder: string, args: string): string {
  return body.replaceAll('${CLAUDE_SKILL_DIR}', () => folder).replaceAll('$ARGUMENTS', () => args);
}
