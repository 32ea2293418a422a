import type { ConfigProblem } from '../../domain/config/problem.js';
import type { Skill } from '../../domain/config/skill.js';
import { t } from '../../domain/l10n.js';
import { type Reached, reachedByName } from '../choose-by-name.js';

/** A skill that can be used. */
export interface ChosenSkill extends Reached {
  readonly skill: Skill;
}

/** The skills of all files, put together. */
export interface SkillChoice {
  /** Those that have their name first, then those that are reached by their qualified names; each in the order of names. */
  readonly skills: readonly ChosenSkill[];
  /** Skills that are not used at all, because of another one in the same layer. */
  readonly problems: readonly ConfigProblem[];
}

/**
 * Chooses between skills of the same name: that of the project wins over that of the user, which is reached as `user:name`, so a
 * repository cannot hide it.
 * In one layer, the first in the order of paths wins, and the others are not used.
 */
export function chooseSkills(skills: readonly Skill[]): SkillChoice {
  const reachedAs = (place: string, name: string): string => t('{0} has the same name and counts more. This skill is reached as “{1}”.', place, name);
  const { reached, problems } = reachedByName(skills, (name) => name, { placeOf: ({ origin }) => origin.display, reachedAs, clash });
  return { skills: reached.map(({ definition, ...rest }) => ({ skill: definition, ...rest })), problems };
}

/** The skill of a name or a qualified name; `undefined` where there is none. */
export function findSkill({ skills }: SkillChoice, name: string): ChosenSkill | undefined {
  return skills.find((each) => each.name === name) ?? skills.find(({ qualifiedName }) => qualifiedName === name);
}

function clash(first: Skill, loser: Skill): ConfigProblem {
  return {
    file: loser.origin.file,
    key: 'name',
    message: t('The skill “{0}” is in {1} and in {2}. That in {1} is used.', loser.name, first.origin.file, loser.origin.file),
  };
}
