import { ProviderError } from '../../domain/errors.js';
import { withoutUnseen } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import { text } from '../../domain/model/content.js';
import type { Timestamp } from '../../domain/model/message.js';
import type { ModelInfo, Request } from '../../domain/model/provider.js';
import { headOf } from '../../text/show.js';
import { type AskedModel, askOnce, errorOf } from './ask-once.js';

/** The user's description of a new agent. */
export interface AgentWish {
  readonly name: string;
  readonly description: string;
  /** Names of the only tools that it gets; absent: all. */
  readonly tools?: readonly string[];
}

/** Characters of the text of an agent, and of what the user says of it. */
const MAX_LENGTH = 12_000;
const MAX_DESCRIPTION = 4_000;
/** Tokens of an answer at most. */
const MAX_TOKENS = 3_000;
/** A fence that models put around a text although they were asked not to. */
const FENCED = /^```[^\n]*\n([^]*?)\n?```$/;

const SYSTEM_PROMPT =
  'You write the instructions of an agent that works in a code editor: the text that is added to its system prompt. Address the agent as “you”. ' +
  'Say what its task is, how it goes about it step by step, what it pays attention to, what it leaves alone, and in which form it answers. ' +
  'Be concrete and brief: at most 400 words, Markdown, in the language of the description. Invent no facts about the project. ' +
  'Answer with the text alone: no front matter, no code fence, nothing before or behind it.';

/**
 * Has a model write the text of an agent.
 * @throws what went wrong with the request, or ProviderError when it brought no text
 */
export async function writeAgentPrompt(wish: AgentWish, asked: AskedModel): Promise<string> {
  let written = '';
  const answer = await askOnce(promptRequest(wish, asked.model, asked.clock.timestamp()), asked, (piece) => {
    written += piece;
  });
  const error = errorOf(answer);
  if (error !== undefined) throw error;
  const prompt = cleanAgentPrompt(written);
  if (prompt === '') throw new ProviderError('protocol', t('The model did not return a text for the agent.'));
  return prompt;
}

/** The text in what a model wrote: without a fence around it, and without front matter, which is not the model’s to decide. */
export function cleanAgentPrompt(written: string): string {
  const plain = withoutUnseen(written).text.replace(/\r\n?/g, '\n').trim();
  const bare = FENCED.exec(plain)?.[1]?.trim() ?? plain;
  const body = bare.replace(/^---\n[^]*?\n---(?:\n|$)/, '');
  return headOf(body, MAX_LENGTH).trim().toWellFormed();
}

function promptRequest({ name, description, tools }: AgentWish, model: ModelInfo, timestamp: Timestamp): Request {
  const words = [
    `<name>${name}</name>`,
    `<description>\n${headOf(description, MAX_DESCRIPTION)}\n</description>`,
    tools === undefined ? 'It may use all tools.' : `It has only these tools: ${tools.join(', ')}.`,
    'Write its instructions.',
  ].join('\n\n');
  return {
    model: model.id,
    systemPrompt: SYSTEM_PROMPT,
    messages: [{ role: 'user', content: [text(words.toWellFormed())], timestamp }],
    tools: [],
    maxTokens: MAX_TOKENS,
    effort: 'off',
  };
}
