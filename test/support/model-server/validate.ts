import type { IncomingHttpHeaders } from 'node:http';
import { type WireBlock, type WireMessage, type WireRequest, blocksOf } from './wire.js';

/** Thinking that the server has sent, so that it can tell what comes back. */
export interface KnownThinking {
  /** Signatures with the text they sign. */
  readonly signatures: ReadonlyMap<string, string>;
  /** Payloads of encrypted thinking. */
  readonly redacted: ReadonlySet<string>;
}

const MAX_BREAKPOINTS = 4;
const TOOL_ID = /^[a-zA-Z0-9_-]+$/;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const IMAGE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/**
 * Checks a request against the rules of the Messages API.
 * @returns the message of the API's `invalid_request_error`, or `undefined` when all is well.
 */
export function problemOf(body: unknown, headers: IncomingHttpHeaders, known: KnownThinking | undefined): string | undefined {
  try {
    demand(typeof body === 'object' && body !== null, 'The request body is not valid JSON');
    checkVersion(body, headers);
    checkRequest(body as WireRequest, known);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

class Problem extends Error {}

function demand(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Problem(message);
}

function checkRequest(body: WireRequest, known: KnownThinking | undefined): void {
  demand(typeof body.model === 'string' && body.model !== '', 'model: Field required');
  demand(Number.isInteger(body.max_tokens) && body.max_tokens > 0, 'max_tokens: Field required');
  demand(isList(body.messages) && body.messages.length > 0, 'messages: at least one message is required');
  checkSettings(body);
  checkTools(body);
  body.messages.forEach((message, index) => checkMessage(message, `messages.${index}`, known));
  demand(body.messages[0]?.role === 'user', 'messages: first message must use the "user" role');
  const last = body.messages.at(-1);
  demand(last?.role === 'user', 'This model does not support assistant message prefill. The conversation must end with a user message.');
  checkToolPairs(merged(body.messages));
  checkReferences(body);
  checkBreakpoints(body);
}

/** Whether it is a list at all; the type says so, the body may not. */
function isList(value: unknown): boolean {
  return Array.isArray(value);
}

/** Since API version 2026-10-21 there are no sampling parameters any more. */
function checkVersion(body: object, headers: IncomingHttpHeaders): void {
  if (headers['anthropic-version'] === '2023-06-01') return;
  for (const removed of ['temperature', 'top_p', 'top_k']) {
    demand(!(removed in body), `${removed}: Extra inputs are not permitted`);
  }
}

function checkSettings({ thinking, temperature, max_tokens: maxTokens, system }: WireRequest): void {
  if (temperature !== undefined) {
    demand(temperature >= 0 && temperature <= 1, 'temperature: range: 0..1');
    const on = thinking?.['type'] === 'enabled' || thinking?.['type'] === 'adaptive';
    demand(!on || temperature === 1, '`temperature` may only be set to 1 when thinking is enabled.');
  }
  if (thinking?.['type'] === 'enabled') {
    const budget = Number(thinking['budget_tokens']);
    demand(budget >= 1024, 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
    demand(budget < maxTokens, '`max_tokens` must be greater than `thinking.budget_tokens`.');
  }
  if (typeof system !== 'string') system?.forEach((block, index) => checkText(block, `system.${index}`));
}

function checkTools({ tools = [] }: WireRequest): void {
  const names = new Set<unknown>();
  tools.forEach((tool, index) => {
    demand(TOOL_NAME.test(String(tool['name'])), `tools.${index}.custom.name: String should match pattern '${TOOL_NAME.source}'`);
    demand(!names.has(tool['name']), 'tools: Tool names must be unique.');
    names.add(tool['name']);
    const schema = tool['input_schema'] as Record<string, unknown> | undefined;
    demand(schema?.['type'] === 'object', `tools.${index}.custom.input_schema.type: Input should be 'object'`);
    demand(tool['defer_loading'] !== true || tool['cache_control'] === undefined, `tools.${index}.custom: a tool with defer_loading cannot have cache_control`);
  });
  demand(
    tools.length === 0 || tools.some((tool) => tool['defer_loading'] !== true),
    'At least one tool must have defer_loading=false. All tools cannot be deferred.',
  );
}

/** References to tools are put in place of what they refer to, so that has to be there. */
function checkReferences({ tools = [], messages }: WireRequest): void {
  const names = new Set(tools.map((tool) => tool['name']));
  const results = messages.flatMap(blocksOf).flatMap(({ content }) => (Array.isArray(content) ? (content as WireBlock[]) : []));
  const lost = results.find((part) => part.type === 'tool_reference' && !names.has(part['tool_name']));
  demand(lost === undefined, `Tool reference '${String(lost?.['tool_name'])}' not found in available tools`);
}

function checkMessage(message: WireMessage, path: string, known: KnownThinking | undefined): void {
  demand(message.role === 'user' || message.role === 'assistant', `${path}.role: Input should be 'user' or 'assistant'`);
  const blocks = blocksOf(message);
  demand(isList(blocks) && blocks.length > 0, `${path}: all messages must have non-empty content`);
  blocks.forEach((block, index) => checkBlock(block, message.role, `${path}.content.${index}`, known));
}

function checkBlock(block: WireBlock, role: string, path: string, known: KnownThinking | undefined): void {
  const allowed = role === 'user' ? ['text', 'image', 'tool_result'] : ['text', 'thinking', 'redacted_thinking', 'tool_use'];
  demand(allowed.includes(block.type), `${path}: Input tag '${block.type}' found using 'type' does not match any of the expected tags`);
  switch (block.type) {
    case 'text':
      return checkText(block, path);
    case 'image':
      return checkImage(block, path);
    case 'tool_result':
      return checkResult(block, path);
    case 'tool_use':
      return checkCall(block, path);
    default:
      return checkThinking(block, path, known);
  }
}

function checkText(block: WireBlock, path: string): void {
  demand(typeof block['text'] === 'string', `${path}.text.text: Field required`);
  demand(block['text'] !== '', `${path}: text content blocks must be non-empty`);
  demand(block['text'].trim() !== '', `${path}: text content blocks must contain non-whitespace text`);
}

function checkImage(block: WireBlock, path: string): void {
  const source = block['source'] as Record<string, unknown> | undefined;
  demand(source?.['type'] === 'base64', `${path}.image.source: Field required`);
  demand(IMAGE_TYPES.has(String(source['media_type'])), `${path}.image.source.base64.media_type: Input should be an image type`);
  const data = String(source['data']);
  demand(data !== '' && Buffer.from(data, 'base64').toString('base64') === data, `${path}.image.source.base64.data: not valid base64`);
}

function checkResult(block: WireBlock, path: string): void {
  demand(typeof block['tool_use_id'] === 'string', `${path}.tool_result.tool_use_id: Field required`);
  const content = block['content'];
  const blocks = Array.isArray(content) ? (content as WireBlock[]) : [];
  const empty = content === undefined || content === '' || (Array.isArray(content) && content.length === 0);
  demand(block['is_error'] !== true || !empty, `${path}.tool_result: content cannot be empty if \`is_error\` is true`);
  const onlyText = blocks.every((part) => part.type === 'text');
  demand(block['is_error'] !== true || onlyText, `${path}.tool_result: all content must be type "text" if \`is_error\` is true`);
  blocks.forEach((part, index) => {
    if (part.type === 'text') checkText(part, `${path}.tool_result.content.${index}`);
    else if (part.type !== 'tool_reference') checkImage(part, `${path}.tool_result.content.${index}`);
  });
}

function checkCall(block: WireBlock, path: string): void {
  demand(TOOL_ID.test(String(block['id'])), `${path}.tool_use.id: String should match pattern '${TOOL_ID.source}'`);
  demand(TOOL_NAME.test(String(block['name'])), `${path}.tool_use.name: String should match pattern '${TOOL_NAME.source}'`);
  const input = block['input'];
  demand(typeof input === 'object' && input !== null && !Array.isArray(input), `${path}.tool_use.input: Input should be a valid dictionary`);
}

function checkThinking(block: WireBlock, path: string, known: KnownThinking | undefined): void {
  demand(block['cache_control'] === undefined, `${path}.${block.type}.cache_control: Extra inputs are not permitted`);
  if (block.type === 'redacted_thinking') {
    demand(typeof block['data'] === 'string', `${path}.redacted_thinking.data: Field required`);
    demand(known?.redacted.has(block['data']) ?? true, `${path}: Invalid \`data\` in \`redacted_thinking\` block`);
    return;
  }
  const signature = block['signature'];
  demand(typeof signature === 'string', `${path}.thinking.signature: Field required`);
  demand(typeof block['thinking'] === 'string', `${path}.thinking.thinking: Field required`);
  const signed = known === undefined || known.signatures.get(signature) === block['thinking'];
  demand(signed, `${path}: Invalid \`signature\` in \`thinking\` block`);
}

/** Neighbors of the same role are one turn to the API. */
function merged(messages: readonly WireMessage[]): readonly { role: string; blocks: readonly WireBlock[] }[] {
  const turns: { role: string; blocks: WireBlock[] }[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (last?.role === message.role) last.blocks.push(...blocksOf(message));
    else turns.push({ role: message.role, blocks: [...blocksOf(message)] });
  }
  return turns;
}

function checkToolPairs(turns: readonly { role: string; blocks: readonly WireBlock[] }[]): void {
  const all = new Set<unknown>();
  turns.forEach((turn, index) => {
    const calls = ids(turn.blocks, 'tool_use', 'id');
    for (const id of calls) {
      demand(!all.has(id), `messages.${index}: \`tool_use\` ids must be unique`);
      all.add(id);
    }
    const answers = turns[index + 1];
    const results = ids(answers?.blocks ?? [], 'tool_result', 'tool_use_id');
    const open = calls.filter((id) => !results.includes(id));
    demand(
      open.length === 0,
      `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    );
    checkResults(turn.blocks, ids(turns[index - 1]?.blocks ?? [], 'tool_use', 'id'), index);
  });
}

function checkResults(blocks: readonly WireBlock[], calls: readonly unknown[], index: number): void {
  const results = ids(blocks, 'tool_result', 'tool_use_id');
  const stray = results.find((id) => !calls.includes(id));
  demand(stray === undefined, `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(stray)}.`);
  demand(new Set(results).size === results.length, `messages.${index}: each tool_use must have a single result.`);
  const firstOther = blocks.findIndex((block) => block.type !== 'tool_result');
  const lastResult = blocks.findLastIndex((block) => block.type === 'tool_result');
  demand(firstOther < 0 || lastResult < firstOther, `messages.${index}: \`tool_result\` blocks must come first in the content.`);
}

function ids(blocks: readonly WireBlock[], type: string, field: string): readonly unknown[] {
  return blocks.filter((block) => block.type === type).map((block) => block[field]);
}

function checkBreakpoints(body: WireRequest): void {
  const system = Array.isArray(body.system) ? (body.system as WireBlock[]) : [];
  const all = [...(body.tools ?? []), ...system, ...body.messages.flatMap(blocksOf)];
  const count = all.filter((block) => block['cache_control'] !== undefined).length;
  demand(count <= MAX_BREAKPOINTS, `A maximum of ${MAX_BREAKPOINTS} blocks with cache_control may be provided. Found ${count}.`);
}
