/**
 * Gnomon for programs: runs prompts and conversations in its program without a window, as a process, and gives their messages as typed values.
 *
 * All errors are a `GnomonError`, but an `AbortError` where a run was aborted, and what a prompt’s own iterator throws.
 */
export { AbortError } from '../../domain/errors.js';
export type { Message } from '../../domain/model/message.js';
export {
  type FlatCode,
  type FlatContent,
  type FlatImages,
  type FlatMessage,
  type FlatRole,
  type FlatText,
  type FlatThinking,
  type FlatToolCall,
  type FlatToolResult,
  type FlatUsage,
  toFlatMessages,
} from '../../domain/model/flat.js';
export { isCodeContent, isImageContent, isTextContent, isThinkingContent, isToolCallContent, isToolResultContent } from '../../domain/model/guards.js';
export type { McpStatus } from '../../domain/mcp/server.js';
export type { PermissionMode, RuleEffect } from '../../domain/tool/permission.js';
export type {
  ContentBlock,
  ImageContent,
  RedactedThinkingContent,
  TextContent,
  ThinkingContent,
  ToolResultContent,
  ToolUseContent,
  UnknownContent,
  UserBlock,
  UserFrame,
} from './content.js';
export type { HookEventName } from '../../domain/hook/event.js';
export type { JsonSchema } from '../../domain/tool/tool.js';
export type { ContextUsage, Controls, Initialization, McpServerStatus, RewoundFiles } from './controls.js';
export {
  CliConnectionError,
  CliNotFoundError,
  ControlRefusedError,
  ControlTimeoutError,
  GnomonError,
  InvalidInputError,
  JsonDecodeError,
  MessageParseError,
  NotConnectedError,
  ProcessFailedError,
} from './errors.js';
export type { HookCallback, HookContext, HookInput, HookMatcher, HookOutput, Hooks } from './hooks.js';
export { type InProcessStart, InProcessTransport } from './in-process-transport.js';
export type { McpServer } from './mcp-server.js';
export type {
  AgentMessage,
  ApiRetryMessage,
  AssistantMessage,
  CompactBoundaryMessage,
  ErrorResult,
  InformationalMessage,
  InitMessage,
  ModelUsage,
  PermissionDenial,
  ResultMessage,
  StatusMessage,
  StreamEventMessage,
  SuccessResult,
  SystemMessage,
  TaskNotificationMessage,
  TaskProgressMessage,
  TaskStartedMessage,
  TaskUsage,
  TokenUsage,
  UnknownMessage,
  UserMessage,
} from './messages.js';
export type { McpRemoteServer, McpSdkServer, McpServerConfig, McpStdioServer, Options, PresetSystemPrompt, StartingMode } from './options.js';
export { type JsonObject, type MessageParser, messageParser } from './parse-message.js';
export type { CanUseTool, PermissionContext, PermissionResult, PermissionUpdate, RuleDestination, RuleValue } from './permissions.js';
export { ProcessTransport } from './process-transport.js';
export { type Query, query, type QueryInput } from './query.js';
export { Session } from './session.js';
export { forkSession, listSessions, type SessionInfo, type SessionsOptions } from './sessions.js';
export type { ContentDelta, StreamEventBody } from './stream-events.js';
export { type ToolServerDefinition, toolServer } from './tool-server.js';
export { type InputSchema, type SchemaResult, type Tool, tool, type ToolContext, type ToolDefinition, type ToolHints, type ToolResult } from './tools.js';
export type { CliStart, Patience, Transport } from './transport.js';
