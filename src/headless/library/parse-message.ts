import * as z from 'zod/mini';
import { MCP_STATUSES } from '../../domain/mcp/server.js';
import { PERMISSION_MODES } from '../../domain/tool/permission.js';
import type { ContentBlock } from './content.js';
import { MessageParseError } from './errors.js';
import type { AgentMessage } from './messages.js';
import { problemOf } from './problem.js';
import type { ContentDelta, StreamEventBody } from './stream-events.js';

/** A JSON object, as a line has it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Makes messages of what the program writes: the port that another form of the protocol would implement. */
export interface MessageParser {
  /**
   * A message of a type that is not known is `{type: 'unknown', raw}`, so that programs work with later versions of Gnomon.
   * @throws MessageParseError for one of a known type in which a field is missing or wrong, for one without a type, and for a result of a kind that
   * is not known: what ends a message of the user is never passed over
   */
  parse(raw: JsonObject): AgentMessage;
}

const open = z.record(z.string(), z.unknown());
const count = z.number().check(z.gte(0));
const texts = z.array(z.string());
const framed = { session_id: z.string(), uuid: z.string() };
const BLOCKS = ['text', 'thinking', 'redacted_thinking', 'image', 'tool_use', 'tool_result'];

const block: z.ZodMiniType<ContentBlock> = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.looseObject({ type: z.literal('image'), source: z.looseObject({ type: z.literal('base64'), media_type: z.string(), data: z.string() }) }),
  z.looseObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: open }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(z.lazy(() => block))]),
    is_error: z.exactOptional(z.boolean()),
  }),
  z.pipe(
    z.looseObject({ type: z.string().check(z.refine((type) => !BLOCKS.includes(type))) }),
    z.transform((raw) => ({ type: 'unknown' as const, raw })),
  ),
]);

const delta: z.ZodMiniType<ContentDelta> = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text_delta'), text: z.string() }),
  z.looseObject({ type: z.literal('thinking_delta'), thinking: z.string() }),
  z.looseObject({ type: z.literal('input_json_delta'), partial_json: z.string() }),
]);

const EVENTS: Readonly<Record<string, z.ZodMiniType<StreamEventBody>>> = {
  message_start: z.looseObject({ type: z.literal('message_start'), message: z.looseObject({ id: z.string(), model: z.string() }) }),
  content_block_start: z.looseObject({ type: z.literal('content_block_start'), index: count, content_block: block }),
  content_block_delta: z.looseObject({ type: z.literal('content_block_delta'), index: count, delta }),
  content_block_stop: z.looseObject({ type: z.literal('content_block_stop'), index: count }),
  message_delta: z.looseObject({ type: z.literal('message_delta'), delta: z.looseObject({ stop_reason: z.nullable(z.string()) }) }),
  message_stop: z.looseObject({ type: z.literal('message_stop') }),
};

const usage = z.looseObject({ input_tokens: count, output_tokens: count, cache_read_input_tokens: count, cache_creation_input_tokens: count });
const parent = { parent_tool_use_id: z.nullable(z.string()) };
const system = { ...framed, type: z.literal('system') };
const task = { task_id: z.string(), tool_use_id: z.string() };
const taskUsage = z.looseObject({ total_tokens: count, tool_uses: count, duration_ms: z.number() });

const resultFields = {
  ...framed,
  type: z.literal('result'),
  duration_ms: count,
  duration_api_ms: count,
  num_turns: count,
  stop_reason: z.nullable(z.string()),
  terminal_reason: z.string(),
  total_cost_usd: z.nullable(count),
  usage,
  modelUsage: z.record(
    z.string(),
    z.looseObject({
      inputTokens: count,
      outputTokens: count,
      cacheReadInputTokens: count,
      cacheCreationInputTokens: count,
      webSearchRequests: count,
      costUSD: z.nullable(count),
      contextWindow: z.nullable(count),
    }),
  ),
  permission_denials: z.array(z.looseObject({ tool_name: z.string(), tool_use_id: z.string(), tool_input: open })),
};
const failed = z.looseObject({
  ...resultFields,
  subtype: z.enum(['error_during_execution', 'error_max_turns', 'error_max_budget_usd', 'error_max_structured_output_retries']),
  is_error: z.literal(true),
  errors: texts,
});

/** By the type, and the subtype where the type has some. */
const MESSAGES: Readonly<Record<string, z.ZodMiniType<AgentMessage>>> = {
  'system/init': z.looseObject({
    ...system,
    subtype: z.literal('init'),
    cwd: z.string(),
    tools: texts,
    mcp_servers: z.array(z.looseObject({ name: z.string(), status: z.enum(MCP_STATUSES) })),
    model: z.string(),
    permissionMode: z.enum(PERMISSION_MODES),
    slash_commands: texts,
    apiKeySource: z.string(),
    output_style: z.string(),
    agents: texts,
  }),
  'system/compact_boundary': z.looseObject({
    ...system,
    subtype: z.literal('compact_boundary'),
    compact_metadata: z.looseObject({ trigger: z.enum(['manual', 'auto']), pre_tokens: count, post_tokens: z.exactOptional(count) }),
  }),
  'system/api_retry': z.looseObject({
    ...system,
    subtype: z.literal('api_retry'),
    attempt: count,
    max_retries: count,
    retry_delay_ms: count,
    error_status: z.nullable(count),
    error: z.string(),
  }),
  'system/status': z.looseObject({ ...system, subtype: z.literal('status'), permissionMode: z.enum(PERMISSION_MODES) }),
  'system/task_started': z.looseObject({
    ...system,
    subtype: z.literal('task_started'),
    ...task,
    description: z.string(),
    subagent_type: z.string(),
    spawn_depth: count,
  }),
  'system/task_progress': z.looseObject({
    ...system,
    subtype: z.literal('task_progress'),
    ...task,
    description: z.string(),
    usage: taskUsage,
    last_tool_name: z.string(),
  }),
  'system/task_notification': z.looseObject({
    ...system,
    subtype: z.literal('task_notification'),
    task_id: z.string(),
    status: z.enum(['completed', 'failed', 'stopped']),
    summary: z.string(),
    tool_use_id: z.exactOptional(z.string()),
    usage: z.exactOptional(taskUsage),
  }),
  'system/informational': z.looseObject({
    ...system,
    subtype: z.literal('informational'),
    level: z.enum(['info', 'notice', 'suggestion', 'warning']),
    content: z.string(),
  }),
  assistant: z.looseObject({
    ...framed,
    ...parent,
    type: z.literal('assistant'),
    message: z.looseObject({
      id: z.string(),
      role: z.literal('assistant'),
      model: z.string(),
      content: z.array(block),
      stop_reason: z.nullable(z.string()),
      usage,
    }),
  }),
  user: z.looseObject({
    ...framed,
    ...parent,
    type: z.literal('user'),
    message: z.looseObject({ role: z.literal('user'), content: z.union([z.string(), z.array(block)]) }),
    isReplay: z.exactOptional(z.boolean()),
  }),
  'result/success': z.looseObject({ ...resultFields, subtype: z.literal('success'), is_error: z.literal(false), result: z.string() }),
  ...Object.fromEntries(failed.shape.subtype.options.map((subtype) => [`result/${subtype}`, failed])),
};

/** The messages of the protocol of this version. */
export const messageParser: MessageParser = {
  parse: (raw) => {
    const schema = schemaOf(raw);
    if (schema === undefined) {
      if (typeof raw['type'] === 'string' && raw['type'] !== 'result') return { type: 'unknown', raw };
      throw new MessageParseError(`Gnomon’s program wrote a message of the type “${nameOf(raw)}”, which is not known.`, raw, 'type');
    }
    const { data, error } = z.safeParse(schema, raw);
    if (data !== undefined) return data;
    const { problem, path } = problemOf(error.issues);
    throw new MessageParseError(`Gnomon’s program wrote a message of the type ${nameOf(raw)} that cannot be read: ${problem}.`, raw, path);
  },
};

function nameOf({ type, subtype }: JsonObject): string {
  if (typeof type !== 'string') return '';
  return (type === 'system' || type === 'result') && typeof subtype === 'string' ? `${type}/${subtype}` : type;
}

function schemaOf(raw: JsonObject): z.ZodMiniType<AgentMessage> | undefined {
  if (raw['type'] === 'stream_event') return streamSchema(raw['event']);
  const name = nameOf(raw);
  return Object.hasOwn(MESSAGES, name) ? MESSAGES[name] : undefined;
}

/** An event that is not known makes its message one that is not known; one that is no event at all is a mistake. */
function streamSchema(event: unknown): z.ZodMiniType<AgentMessage> | undefined {
  const { data } = z.safeParse(z.looseObject({ type: z.string() }), event);
  const known = data === undefined ? z.never() : Object.hasOwn(EVENTS, data.type) ? EVENTS[data.type] : undefined;
  return known && z.looseObject({ ...framed, ...parent, type: z.literal('stream_event'), event: known });
}
