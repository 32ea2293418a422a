import type { AgentFile } from '../../domain/config/agent.js';

/** What a model is told with an agent: the usual, and behind it what the agent is told. The end counts most, and the beginning stays in the provider's cache. */
export function promptWithAgent(prompt: string, agent: AgentFile | undefined): string {
  if (agent?.systemPrompt === undefined) return prompt;
  return `${prompt}\n\n# Agent\nThe user has chosen the agent “${agent.name}”. What follows is its description of the work; it never widens what you may do.\n\n${agent.systemPrompt}`;
}
