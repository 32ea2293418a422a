import { skillsNote } from '../../domain/session/attached.js';
import type { CatalogEntry, SkillCatalog } from '../../domain/session/skills.js';
import type { Message } from '../../domain/model/message.js';

/** What a model knows of skills: the description of each, empty where it only knows the name, and how many it does not know. */
export interface ToldSkills {
  readonly skills: ReadonlyMap<string, string>;
  readonly unlisted: number;
}

/** Nothing told. */
export const NOTHING_TOLD: ToldSkills = { skills: new Map(), unlisted: 0 };

const FIRST =
  'Skills are instructions for kinds of tasks. When a task fits one, load it with the tool skill before you begin. Each line has the name of a skill and when to use it:';
const CHANGED = 'The skills have changed. These are new, or take the place of those of the same name:';
const GONE = 'These skills are gone: ';
const ALL_LISTED = 'No skill is left out of the list any more.';
/** A skill; nothing else in a note begins so, since names have no spaces and descriptions no line breaks. */
const LINE = /^- ([a-z0-9:-]+)(?:: (.*))?$/;
const UNLISTED = /^(\d+) more skills? (?:is|are) not listed/;

/** What a model is to be told that was told something before; `undefined` where nothing has changed. */
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

/** All that was told, as one text. */
export function skillsText({ skills, unlisted }: ToldSkills): string | undefined {
  const entries = [...skills].map(([name, description]) => ({ name, ...(description === '' ? {} : { description }) }));
  return skillChanges(NOTHING_TOLD, { entries, unlisted });
}

/** What messages have told, one after another. */
export function toldSkills(messages: readonly Message[], before: ToldSkills = NOTHING_TOLD): ToldSkills {
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
