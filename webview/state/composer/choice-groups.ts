import type { Choice } from '../../../src/protocol/host/composer-messages.js';

/** Choices under one heading; without a name they have none. */
export interface ChoiceGroup {
  readonly name: string;
  readonly choices: readonly Choice[];
}

/** The most choices that a list shows; more cannot be looked through, and cost time. */
export const MAX_CHOICES = 40;
/** What every group shows at least of a list that is too long. */
const MIN_SHARE = 3;

/**
 * Choices by group, in the order in which they come. Of more than {@link MAX_CHOICES} each group shows its first ones,
 * and the current choice is always among them; `left` says how many are not shown.
 */
export function groupChoices(choices: readonly Choice[], current: string): { readonly groups: readonly ChoiceGroup[]; readonly left: number } {
  const byName = new Map<string, Choice[]>();
  for (const choice of choices) {
    const name = choice.group ?? '';
    const group = byName.get(name);
    if (group === undefined) byName.set(name, [choice]);
    else group.push(choice);
  }
  const share = choices.length <= MAX_CHOICES ? MAX_CHOICES : Math.max(MIN_SHARE, Math.floor(MAX_CHOICES / byName.size));
  const groups = [...byName].map(([name, all]) => ({ name, choices: all.filter(({ id }, index) => index < share || id === current) }));
  const shown = groups.reduce((sum, group) => sum + group.choices.length, 0);
  return { groups, left: choices.length - shown };
}
