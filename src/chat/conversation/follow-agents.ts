import { t } from '../../domain/l10n.js';
import type { Agents } from '../../customization/agents.js';
import type { Conversation } from './conversation.js';

/** Keeps the agent of a conversation as its file has it, and says so when it is gone: the chat goes on without it. */
export function followAgents(conversation: Conversation, agents: Agents): () => void {
  return agents.onDidChange(() => {
    const { agent } = conversation.session;
    if (agent === undefined) return;
    const now = agents.find(agent.name);
    if (now === undefined) conversation.notify({ level: 'warning', text: agentGone(agent.name), actions: [] });
    else if (now.origin.file !== agent.origin.file)
      conversation.notify({ level: 'warning', text: t('The agent “{0}” now comes from {1}.', agent.name, now.origin.display), actions: [] });
    if (JSON.stringify(now) !== JSON.stringify(agent)) conversation.setAgent(now);
  });
}

/** What the user is told when an agent is not there any more. */
export function agentGone(name: string): string {
  return t('The agent “{0}” is not available anymore. The chat continues without it.', name);
}
