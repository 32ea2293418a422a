import type * as vscode from 'vscode';
import { assertNever } from '../../domain/assert-never.js';
import type { AssistantContent, ToolResultContent, UserContent } from '../../domain/model/content.js';
import type { Message } from '../../domain/model/message.js';
import type { Request } from '../../domain/model/provider.js';
import type { ToolSpec } from '../../domain/tool/tool.js';

type SayablePart = vscode.LanguageModelTextPart | vscode.LanguageModelDataPart;
type UserPart = SayablePart | vscode.LanguageModelToolResultPart;
type AssistantPart = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart;

/** A turn in the API's form. */
type Turn = { readonly role: 'user'; readonly parts: UserPart[] } | { readonly role: 'assistant'; readonly parts: AssistantPart[] };

/**
 * A request in the form of VS Code's API. It knows no system prompt, so that is the first message of the user; tool
 * results and what the user said between two answers are one message. Thinking is left out: the API has none.
 */
export function wireMessages(api: LmApi, { systemPrompt, messages }: Pick<Request, 'systemPrompt' | 'messages'>): vscode.LanguageModelChatMessage[] {
  const turns: Turn[] = [];
  for (const message of messages) addTo(turns, turnOf(api, message));
  const system = systemPrompt.trim() === '' ? [] : [api.LanguageModelChatMessage.User(systemPrompt)];
  return [...system, ...turns.map((turn) => messageOf(api, turn))];
}

/** A tool in the form of VS Code's API. */
export function wireTool({ name, description, parameters }: ToolSpec): vscode.LanguageModelChatTool {
  return { name, description, inputSchema: parameters };
}

function addTo(turns: Turn[], turn: Turn): void {
  const last = turns.at(-1);
  if (turn.parts.length === 0) return;
  if (last?.role === 'user' && turn.role === 'user') last.parts.push(...turn.parts);
  else turns.push(turn);
}

function messageOf(api: LmApi, turn: Turn): vscode.LanguageModelChatMessage {
  return turn.role === 'user' ? api.LanguageModelChatMessage.User(turn.parts) : api.LanguageModelChatMessage.Assistant(turn.parts);
}

function turnOf(api: LmApi, message: Message): Turn {
  switch (message.role) {
    case 'user':
      return { role: 'user', parts: sayable(api, message.content) };
    case 'assistant':
      return { role: 'assistant', parts: message.content.flatMap((block) => said(api, block)) };
    case 'tool_result': {
      const content = sayable(api, message.content);
      const words = content.length > 0 ? content : [new api.LanguageModelTextPart(message.isError ? 'The tool failed without a message.' : 'Done.')];
      return { role: 'user', parts: [new api.LanguageModelToolResultPart(message.toolCallId, words)] };
    }
    default:
      return assertNever(message);
  }
}

function sayable(api: LmApi, content: readonly (UserContent | ToolResultContent)[]): SayablePart[] {
  return content.flatMap((block): SayablePart[] => {
    if (block.type === 'image') return [api.LanguageModelDataPart.image(block.data, block.mimeType)];
    return block.text.trim() === '' ? [] : [new api.LanguageModelTextPart(block.text)];
  });
}

function said(api: LmApi, block: AssistantContent): AssistantPart[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [new api.LanguageModelTextPart(block.text)];
    case 'thinking':
      return [];
    case 'tool_call':
      return [new api.LanguageModelToolCallPart(block.id, block.name, inputOf(block.arguments))];
    default:
      return assertNever(block);
  }
}

/** The arguments as the object that the API wants; what is no JSON object was never run and becomes an empty one. */
function inputOf(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** The part of VS Code's Language Model API that is used; passed in, so that tests can replace it. */
export type LmApi = Pick<
  typeof vscode,
  | 'CancellationTokenSource'
  | 'LanguageModelChatMessage'
  | 'LanguageModelDataPart'
  | 'LanguageModelTextPart'
  | 'LanguageModelToolCallPart'
  | 'LanguageModelToolResultPart'
> & { readonly lm: Pick<typeof vscode.lm, 'selectChatModels' | 'onDidChangeChatModels'> };
