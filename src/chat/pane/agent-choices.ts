import type { AgentFile } from '../../domain/config/agent.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { ChosenAgent } from '../../config/agents/choose.js';
import type { Choice } from '../../protocol/host/composer-messages.js';
import { modeChoices } from './choices.js';

/** Characters of a description that the menu shows. */
const MAX_DESCRIPTION = 160;

/** The agents that are offered, by name, with what each does and limits, and its file. */
export function agentChoices(agents: readonly ChosenAgent[]): readonly Choice[] {
  return agents
    .filter(({ agent }) => agent.userInvocable)
    .map(({ name, agent }) => ({
      id: name,
      label: escapeHidden(name),
      description: [shortened(escapeHidden(agent.description)), ...limitsOf(agent), escapeHidden(agent.origin.display)]
        .filter((part) => part !== '')
        .join(' · '),
    }));
}

/** What an agent changes, for a user who has just chosen it. */
export function agentWords(agent: AgentFile): string {
  return [t('The agent “{0}” works from your next message on.', escapeHidden(agent.name)), ...limitsOf(agent).map((limit) => `${limit}.`)].join(' ');
}

function limitsOf(agent: AgentFile): readonly string[] {
  const mode = modeChoices().find(({ id }) => id === agent.permissionMode)?.label;
  return [
    ...(agent.allowedTools.includes('*')
      ? agent.disallowedTools.length === 0
        ? []
        : [t('Without {0}', agent.disallowedTools.join(', '))]
      : [agent.allowedTools.length === 0 ? t('No tools') : t('Tools: {0}', agent.allowedTools.join(', '))]),
    ...(mode === undefined ? [] : [t('At most: {0}', mode)]),
    ...(agent.deniesPrompts === true ? [t('Never asks')] : []),
    ...(agent.skills.length === 0 ? [] : [t('Skills: {0}', escapeHidden(agent.skills.join(', ')))]),
    ...(agent.maxTurns === undefined ? [] : [t('At most {0} requests per message', agent.maxTurns)]),
  ];
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_DESCRIPTION ? line : `${line.slice(0, MAX_DESCRIPTION - 1).trimEnd()}…`;
}
