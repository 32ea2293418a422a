import type { Message } from '../../domain/model/message.js';
import type { Compaction } from '../../domain/session/context.js';
import { skillIn, skillTextsIn } from '../../domain/session/skills.js';
import { textTokens } from '../../text/text-tokens.js';
import { NOTHING_TOLD, skillsText, type ToldSkills, toldSkills } from './skill-notes.js';

/** Characters of skills that stay behind a summary, and the share of what there was before, in characters for each token of it. */
const MAX_CHARACTERS = 60_000;
const CHARACTERS_PER_TOKEN = 1;
/** The share of what there was before that the list of skills may take. */
const LIST_SHARE = 0.1;

/** What of skills stays in the conversation when a summary takes the place of its beginning. */
export interface KeptSkills {
  readonly told: ToldSkills;
  /** Texts of loaded skills, each skill once, in the order in which they were loaded. */
  readonly texts: readonly string[];
}

/**
 * What a summary keeps of skills beside itself: the list of them, and the texts of those that were loaded, the newest first where they are
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

/** What the model has seen of skills: the texts of those that are loaded, by name, and the list of the others. */
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
