import type { ChatBody } from './server.js';

type Fields = Readonly<Record<string, unknown>>;

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Checks a request against the rules of chat completions. Source: platform.openai.com, "Create chat completion", and the messages of
 * the errors that it answers with.
 * @returns what the server would say, or `undefined` when all is well.
 */
export function chatProblem({ model, messages, tools }: ChatBody): string | undefined {
  if (typeof model !== 'string' || model === '') return 'you must provide a model parameter';
  if (messages === undefined || messages.length === 0) return "Invalid 'messages': empty array";
  return toolsProblem(tools) ?? messages.map((message, index) => messageProblem(message, `messages[${index}]`)).find(isProblem) ?? pairsProblem(messages);
}

function isProblem(problem: string | undefined): problem is string {
  return problem !== undefined;
}

function toolsProblem(tools: unknown): string | undefined {
  if (tools === undefined) return undefined;
  const names = listOf(tools).map((tool) => fieldsOf(tool['function'])['name']);
  if (names.length === 0) return "Invalid 'tools': empty array";
  if (new Set(names).size < names.length) return "Invalid 'tools': the same name twice";
  return names.every((name) => typeof name === 'string' && NAME.test(name)) ? undefined : "Invalid 'tools[].function.name'";
}

function messageProblem(message: Fields, at: string): string | undefined {
  const { role, content, tool_calls: calls, tool_call_id: answers } = message;
  switch (role) {
    case 'system':
    case 'developer':
    case 'user':
      return hasContent(content) ? undefined : `${at}.content: must not be empty`;
    case 'assistant':
      return calls === undefined && !hasContent(content)
        ? `${at}: needs content or tool_calls`
        : listOf(calls ?? [])
            .map((call) => callProblem(call, at))
            .find(isProblem);
    case 'tool':
      return typeof answers === 'string' && content !== undefined ? undefined : `${at}.tool_call_id: missing`;
    default:
      return `${at}.role: ${String(role)} is none`;
  }
}

function hasContent(content: unknown): boolean {
  return Array.isArray(content) ? content.length > 0 : typeof content === 'string' && content !== '';
}

function callProblem({ id, type, function: called }: Fields, at: string): string | undefined {
  const { name, arguments: raw } = fieldsOf(called);
  if (typeof id !== 'string' || id === '' || type !== 'function') return `${at}.tool_calls[].id: missing`;
  if (typeof name !== 'string' || !NAME.test(name)) return `${at}.tool_calls[].function.name: does not match`;
  return typeof raw === 'string' && isObject(raw) ? undefined : `${at}.tool_calls[].function.arguments: is no JSON object`;
}

function isObject(raw: string): boolean {
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    // What cannot be read is none.
    return false;
  }
}

/** Every call is answered once, right behind its message, and nothing else is. */
function pairsProblem(messages: readonly Fields[]): string | undefined {
  let open = new Set<unknown>();
  for (const [index, { role, tool_calls: calls, tool_call_id: answers }] of messages.entries()) {
    if (role === 'tool') {
      if (!open.delete(answers)) return `messages[${index}]: role 'tool' must be a response to a preceding message with 'tool_calls'`;
      continue;
    }
    if (open.size > 0) return `messages[${index}]: tool_call_ids did not have response messages: ${[...open].join(', ')}`;
    const ids = listOf(calls ?? []).map(({ id }) => id);
    open = new Set(ids);
    if (open.size < ids.length) return `messages[${index}]: the same tool call id twice`;
  }
  return open.size === 0 ? undefined : 'the last tool_calls have no response';
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
