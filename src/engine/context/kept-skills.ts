import type { Message } from '../../domain/model/message.js';
import { skillsNote } from '../../domain/session/attached.js';
import type { Compaction } from '../../domain/session/context.js';
import { type CatalogEntry, type SkillCatalog, skillIn, skillTextsIn } from '../../domain/session/skills.js';
import { textTokens } from '../../text/text-tokens.js';

/** Characters of skills that stay behind a summary, and the share of what there was before, in characters for each token of it. */
const MAX_CHARACTERS = 60_000;
const CHARACTERS_PER_TOKEN = 1;
/** The share of what there was before that the list of skills may take. */
const LIST_SHARE = 0.1;

/** Skills that a model knows: the description of each, empty where it only knows the name, and the number of unlisted ones. */
interface ToldSkills {
  readonly skills: ReadonlyMap<string, string>;
  readonly unlisted: number;
}

/** The state before any skill was listed. */
const NOTHING_TOLD: ToldSkills = { skills: new Map(), unlisted: 0 };

const FIRST =
  'Skills are instructions for kinds of tasks. When a task fits one, load it with the tool skill before you begin. ' +
  'Each line has the name of a skill and when to use it:';
const CHANGED = 'The skills have changed. These are new, or take the place of those of the same name:';
const GONE = 'These skills are gone: ';
const ALL_LISTED = 'No skill is left out of the list any more.';
/** A skill; nothing else in a note begins so, since names have no spaces and descriptions no line breaks. */
const LINE = /^- ([a-z0-9:-]+)(?:: (.*))?$/;
const UNLISTED = /^(\d+) more skills? (?:is|are) not listed/;

/** Text about changed skills for a model that has an earlier list; `undefined` where nothing has changed. */
export function skillChanges(told: ToldSkills, { entries, unlisted }: SkillCatalog): string | undefined {
  const names = new Set(entries.map(({ name }) => name));
  const fresh = entries.filter(({ name, description = '' }) => told.skills.get(name) !== description).map(lineOf);
  const gone = [...told.skills.keys()].filter((name) => !names.has(name));
  const lines = [
    ...(fresh.length === 0 ? [] : [told.skills.size === 0 ? FIRST : CHANGED, ...fresh]),
    ...(gone.length === 0 ? [] : [GONE + gone.join(', ')]),
    ...(unlisted === told.unlisted ? [] : [unlistedLine(unlisted)]),
  ];
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** The complete list of skills, as one text. */
export function skillsText({ skills, unlisted }: ToldSkills): string | undefined {
  const entries = [...skills].map(([name, description]) => ({ name, ...(description === '' ? {} : { description }) }));
  return skillChanges(NOTHING_TOLD, { entries, unlisted });
}

/** The list of skills that messages have built up, one after another. */
function toldSkills(messages: readonly Message[], before: ToldSkills = NOTHING_TOLD): ToldSkills {
  const skills = new Map(before.skills);
  let { unlisted } = before;
  for (const line of messages.flatMap((message) => (message.role === 'user' ? skillsNote(message).split('\n') : []))) {
    const [, name, description = ''] = LINE.exec(line) ?? [];
    if (name !== undefined) skills.set(name, description);
    if (line.startsWith(GONE)) for (const gone of line.slice(GONE.length).split(', ')) skills.delete(gone);
    unlisted = line === ALL_LISTED ? 0 : Number(UNLISTED.exec(line)?.[1] ?? unlisted);
  }
  return { skills, unlisted };
}

function lineOf({ name, description }: CatalogEntry): string {
  return description === undefined ? `- ${name}` : `- ${name}: ${description}`;
}

function unlistedLine(unlisted: number): string {
  if (unlisted === 0) return ALL_LISTED;
  return `${unlisted} more ${unlisted === 1 ? 'skill is' : 'skills are'} not listed; the user can activate them.`;
}

/** Skills that stay in the conversation when a summary replaces its beginning. */
export interface KeptSkills {
  readonly told: ToldSkills;
  /** Texts of loaded skills, each skill once, in the order in which they were loaded. */
  readonly texts: readonly string[];
}

/**
 * Selects the skills that a summary keeps: the list of them, and the texts of those that were loaded, the newest first where they are
 * too much. Depends on nothing behind the cut, so that requests go on to begin with the same.
 */
export function keptSkills(messages: readonly Message[], { upTo, tokensBefore }: Pick<Compaction, 'upTo' | 'tokensBefore'>): KeptSkills {
  const covered = messages.slice(0, upTo);
  const told = toldSkills(covered);
  const fits = textTokens(skillsText(told) ?? '') <= tokensBefore * LIST_SHARE;
  let room = Math.min(MAX_CHARACTERS, tokensBefore * CHARACTERS_PER_TOKEN);
  const texts = [...latestTexts(covered).values()].toReversed().filter((text) => (text.length > room ? false : (room -= text.length) >= 0));
  return { told: fits ? told : NOTHING_TOLD, texts: texts.toReversed() };
}

/** Skills in the messages that the model gets: the texts of loaded ones, by name, and the list of the others. */
export function skillsOnWire(
  messages: readonly Message[],
  compaction: Compaction | undefined,
): { readonly loaded: ReadonlyMap<string, string>; readonly told: ToldSkills } {
  const isUsed = compaction !== undefined && compaction.upTo <= messages.length;
  const kept = isUsed ? keptSkills(messages, compaction) : { told: NOTHING_TOLD, texts: [] };
  const after = messages.slice(isUsed ? compaction.upTo : 0);
  return { loaded: new Map([...kept.texts.map((text) => [skillIn(text) ?? '', text] as const), ...latestTexts(after)]), told: toldSkills(after, kept.told) };
}

/** The last text of each skill, in the order in which these were given. */
function latestTexts(messages: readonly Message[]): ReadonlyMap<string, string> {
  const latest = new Map<string, string>();
  for (const text of messages.flatMap(skillTextsIn)) {
    const name = skillIn(text) ?? '';
    latest.delete(name);
    latest.set(name, text);
  }
  return latest;
}
