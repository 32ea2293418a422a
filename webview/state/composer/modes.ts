import type { Choice } from '../../../src/protocol/host/composer-messages.js';
import type { IconName } from '../../ui/icons.js';

/** The mode that asks for nothing: never chosen in passing. */
export const BYPASS = 'bypassPermissions';

const ICONS: Readonly<Record<string, IconName>> = { default: 'shield', acceptEdits: 'accept', plan: 'plan', ask: 'guard', [BYPASS]: 'bolt' };

/** The icon of a permission mode. */
export function modeIcon(mode: string): IconName {
  return ICONS[mode] ?? 'shield';
}

/** The mode after another one, in a circle that leaves out {@link BYPASS}; `undefined` where there is no other. */
export function nextMode(modes: readonly Choice[], current: string): Choice | undefined {
  const circle = modes.filter(({ id }) => id !== BYPASS);
  const next = circle[(circle.findIndex(({ id }) => id === current) + 1) % Math.max(1, circle.length)];
  return next?.id === current ? undefined : next;
}
