import type { Overridden } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import type { Skill } from '../../domain/config/skill.js';
import { t } from '../../domain/l10n.js';
import { chooseByName, compareNames } from '../choose-by-name.js';

/** A skill that can be used. */
export interface ChosenSkill {
  readonly skill: Skill;
  /** What it is activated by: its name, or `layer:name` where a skill of a stronger layer has that name. */
  readonly name: string;
  /** `layer:name`, which means this skill whatever others there are. */
  readonly qualifiedName: string;
  /** Skills of the same name that lost against it, and why; none for those that lost themselves. */
  readonly overridden: readonly Overridden[];
}

/** The skills of all files, put together. */
export interface SkillChoice {
  /** Those that have their name first, then those that are reached by their qualified names; each in the order of names. */
  readonly skills: readonly ChosenSkill[];
  /** Skills that are not used at all, because of another one in the same layer. */
  readonly problems: readonly ConfigProblem[];
}

/**
 * Chooses between skills of the same name: that of the project wins over that of the user, which is reached as `user:name` (decision 33).
 * In one layer, the first in the order of paths wins, and the others are not used.
 */
export function chooseSkills(skills: readonly Skill[]): SkillChoice {
  const chosen: ChosenSkill[] = [];
  const problems: ConfigProblem[] = [];
  for (const { layers } of chooseByName(skills, (name) => name)) {
    const [{ first, others, qualifiedName }, ...weaker] = layers;
    for (const layer of layers) problems.push(...layer.others.map((loser) => clash(layer.first, loser)));
    const reached = [...layers.flatMap(({ below }) => below), ...weaker.map((loser) => ({ definition: loser.first, qualifiedName: loser.qualifiedName }))];
    const why = (name: string): string => t('{0} has the same name and counts more. This skill is reached as “{1}”.', first.origin.display, name);
    const lost = [
      ...others.map(({ origin }) => ({ origin, why: t('{0} has the same name and comes first.', first.origin.display) })),
      ...reached.map((loser) => ({ origin: loser.definition.origin, why: why(loser.qualifiedName) })),
    ];
    chosen.push({ skill: first, name: first.name, qualifiedName, overridden: lost });
    chosen.push(...reached.map(({ definition, qualifiedName: name }) => ({ skill: definition, name, qualifiedName: name, overridden: [] })));
  }
  const isQualified = ({ name, skill }: ChosenSkill): number => Number(name !== skill.name);
  return { skills: chosen.sort((a, b) => isQualified(a) - isQualified(b) || compareNames(a.name, b.name)), problems };
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
