import type { AgentFile } from '../domain/config/agent.js';
import type { OutputStyle } from '../domain/config/skill.js';
import { withoutAdvice } from './system-prompt.js';

/** What the user adds to the system prompt of all chats. */
export interface PromptAdditions {
  /** How answers are to be written. */
  readonly style?: OutputStyle | undefined;
  /** A text of the user; empty: none. */
  readonly text: string;
}

/**
 * The system prompt of a session with what the user adds to it, and with the agent that works. What is added comes last: there it counts
 * most, and the beginning stays in the provider's cache. An output style takes the place of the usual advice on answers, and of that on
 * coding unless it keeps that (code.claude.com/docs/en/output-styles).
 */
export function completePrompt(prompt: string, { style, text }: PromptAdditions, agent: AgentFile | undefined): string {
  const usual = style === undefined ? prompt : withoutAdvice(prompt, { coding: !style.keepsCodingInstructions });
  return [
    usual,
    ...(style === undefined ? [] : [`# Output style\n${style.body}`]),
    ...(text.trim() === '' ? [] : [`# Additions of the user\n${text.trim()}`]),
    ...(agent?.systemPrompt === undefined
      ? []
      : [
          `# Agent\nThe user has chosen the agent “${agent.name}”. What follows is its description of the work; it never widens what you may do.\n\n${agent.systemPrompt}`,
        ]),
  ].join('\n\n');
}
