import type { ElfLimit } from '../../../src/domain/session/elf.js';
import { formatNumber, t } from '../../../src/protocol/l10n.js';
import type { ViewElf, ViewElfLimit } from '../../../src/protocol/view-state.js';
import { visibleText } from '../approval/visible-text.js';
import { oneLine } from './agent-labels.js';

/** What has happened: the name of the card, and what screen readers are told. */
export function limitTitle(limit: ElfLimit): string {
  const titles: Readonly<Record<ElfLimit, string>> = {
    money: t('Agents reached their cost limit'),
    tokens: t('Agents reached their token limit'),
    agents: t('This chat reached its limit of agents'),
  };
  return titles[limit];
}

/** What was used of a limit, and whom it has stopped. */
export function limitFacts({ limit, value, used, stopped, refused }: ViewElfLimit): readonly string[] {
  return [
    usedText(limit, used, value),
    ...(stopped === 0 ? [] : [stopped === 1 ? t('1 agent stopped') : t('{0} agents stopped', formatNumber(stopped))]),
    ...(refused === 0 ? [] : [refused === 1 ? t('1 start refused') : t('{0} starts refused', formatNumber(refused))]),
  ];
}

/** Who waits for the user’s answer about it, as they have asked for; empty for no one. Hidden characters are visible. */
export function wantedText({ wanted = [] }: Pick<ViewElfLimit, 'wanted'>, elves: readonly Pick<ViewElf, 'id' | 'task'>[]): string {
  const waiting = elves.filter(({ id }) => wanted.includes(id));
  const [only] = waiting;
  if (only === undefined) return '';
  return waiting.length === 1
    ? t('“{0}” waits for this to continue.', visibleText(oneLine(only.task)))
    : t('{0} agents wait for this to continue.', formatNumber(waiting.length));
}

function usedText(limit: ElfLimit, used: string, value: string): string {
  switch (limit) {
    case 'money':
      return t('{0} of {1} used', used, value);
    case 'tokens':
      return t('{0} of {1} tokens used', used, value);
    case 'agents':
      return t('{0} of {1} starts used', used, value);
  }
}

/** What the main button does; `undefined` where raising would not help. */
export function raiseLabel({ limit, higher }: ViewElfLimit): string | undefined {
  if (higher === undefined) return undefined;
  const { text } = higher;
  switch (limit) {
    case 'money':
      return t('Raise to {0}', text);
    case 'tokens':
      return t('Raise to {0} tokens', text);
    case 'agents':
      return t('Raise to {0} agents', text);
  }
}

/** What comes of it, or why it is not offered. */
export function raiseHint({ limit, higher, stopped }: ViewElfLimit): string {
  if (higher === undefined) return t('A price is unknown, so the limit cannot be checked. Use models with known prices, or remove the limit in the settings.');
  if (limit === 'agents' || stopped === 0) return t('Raising it applies to this chat only.');
  return t('Raising it applies to this chat only. Stopped agents then continue.');
}
