import { withoutUnseen } from '../../domain/hidden-characters.js';
import type { CatalogEntry, SkillCatalog } from '../../domain/session/skills.js';
import { headOf } from '../../text/show.js';
import { textTokens } from '../../text/text-tokens.js';
import type { ChosenSkill } from './choose.js';

/** Tokens of one skill in the list, its name included. */
export const MAX_ENTRY_TOKENS = 100;
/** Tokens of the whole list. */
export const MAX_CATALOG_TOKENS = 4_000;
/** Tokens of a line beside its name and its description. */
const LINE_TOKENS = 2;

/** Listing of a skill for models: its name and description, only its name, or nothing because there are too many; `never` if its file says so. */
export type SkillShowing = 'described' | 'named' | 'unlisted' | 'never';

/** The list of skills that a model gets, and how each is listed. */
export interface CatalogPlan extends SkillCatalog {
  /** By qualified name. */
  readonly showing: ReadonlyMap<string, SkillShowing>;
}

/**
 * Decides how much of each skill a model sees within the token limits. Those that are pinned are described in any case. Of the others, the
 * skills of the project come first; where descriptions do not fit, names do, and where names do not, there is a number.
 * @param pinned qualified names
 */
export function planCatalog(skills: readonly ChosenSkill[], pinned: ReadonlySet<string>): CatalogPlan {
  const offered = skills
    .filter(({ skill }) => skill.modelInvocable)
    .map((chosen) => ({ chosen, full: describedEntry(chosen), isPinned: pinned.has(chosen.qualifiedName) }));
  const ordered = [
    ...offered.filter(({ isPinned }) => isPinned),
    ...offered.filter(({ isPinned, chosen }) => !isPinned && chosen.skill.origin.layer !== 'user'),
    ...offered.filter(({ isPinned, chosen }) => !isPinned && chosen.skill.origin.layer === 'user'),
  ];
  const showing = new Map<string, SkillShowing>(skills.map(({ qualifiedName }) => [qualifiedName, 'never']));
  const entries: CatalogEntry[] = [];
  // What all names take is set aside first: a name is worth more than the description of another skill.
  let names = ordered.reduce((total, { full }) => total + tokensOf({ name: full.name }), 0);
  let used = 0;
  for (const { chosen, full, isPinned } of ordered) {
    const short = { name: full.name };
    names -= tokensOf(short);
    const state =
      isPinned || used + tokensOf(full) + names <= MAX_CATALOG_TOKENS ? 'described' : used + tokensOf(short) <= MAX_CATALOG_TOKENS ? 'named' : 'unlisted';
    showing.set(chosen.qualifiedName, state);
    if (state === 'unlisted') continue;
    const entry = state === 'described' ? full : short;
    used += tokensOf(entry);
    entries.push(entry);
  }
  return { entries, unlisted: ordered.length - entries.length, showing };
}

/** Estimated tokens of a skill in the list. */
export function entryTokens(chosen: ChosenSkill): number {
  return tokensOf(describedEntry(chosen));
}

/**
 * A skill with its description on one line, without what cannot be seen, and cut to the limit. Roo Code offers a skill for one of its modes in no
 * other (docs.roocode.com/features/skills); the listing for models names it.
 */
function describedEntry({ name, skill }: ChosenSkill): Required<CatalogEntry> {
  const purpose = skill.mode === undefined ? '' : `Only for work in the mode “${skill.mode}” of Roo Code: `;
  const line = withoutUnseen(`${purpose}${skill.description}`.toWellFormed()).text.replace(/\s+/g, ' ').trim();
  let description = line;
  // Tokens are not all of one length: the text is cut in proportion until it fits.
  while (tokensOf({ name, description }) > MAX_ENTRY_TOKENS) {
    const share = (MAX_ENTRY_TOKENS - tokensOf({ name })) / textTokens(description);
    description = `${headOf(line, Math.max(1, Math.floor((description.length - 1) * Math.min(share, 0.97)))).trimEnd()}…`;
  }
  return { name, description };
}

function tokensOf({ name, description }: CatalogEntry): number {
  return Math.ceil(textTokens(description === undefined ? name : `${name}: ${description}`)) + LINE_TOKENS;
}
