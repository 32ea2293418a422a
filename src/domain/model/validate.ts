import { assertNever } from '../assert-never.js';
import { type ContentBlock, IMAGE_MIME_TYPES, MAX_IMAGE_BYTES } from './content.js';
import { InvalidDataError } from '../errors.js';
import { type Message, type Role, STOP_REASONS } from './message.js';
import type { Usage } from './usage.js';

const ALLOWED: Readonly<Record<Role, ReadonlySet<unknown>>> = {
  user: new Set(['text', 'image']),
  assistant: new Set(['text', 'thinking', 'tool_call']),
  tool_result: new Set(['text', 'image']),
};

/**
 * Checks a message that came from outside: its role, its fields, and which blocks its role may contain.
 * @param path the place of the message, for the error, such as `messages[3]`.
 * @throws InvalidDataError naming the place and the problem.
 */
export function validateMessage(value: unknown, path = 'message'): asserts value is Message {
  const message = record(value, path);
  const role = message['role'];
  if (role !== 'user' && role !== 'assistant' && role !== 'tool_result') {
    throw new InvalidDataError(`${path}.role`, `unknown role ${JSON.stringify(role)}`);
  }
  string(message['timestamp'], `${path}.timestamp`);
  validateContent(message['content'], role, `${path}.content`);
  if (role === 'assistant') validateAssistantFields(message, path);
  if (role === 'tool_result') validateResultFields(message, path);
}

function validateContent(content: unknown, role: Role, path: string): void {
  if (!Array.isArray(content)) throw new InvalidDataError(path, 'must be a list of blocks');
  if (content.length === 0) throw new InvalidDataError(path, 'must hold at least one block');
  content.forEach((block: unknown, index) => {
    validateBlock(block, role, `${path}[${index}]`);
  });
}

function validateBlock(value: unknown, role: Role, path: string): void {
  const block = record(value, path);
  if (!ALLOWED[role].has(block['type'])) {
    throw new InvalidDataError(path, `a ${role} message cannot hold a block of type ${JSON.stringify(block['type'])}`);
  }
  validateBlockFields(block, block['type'] as ContentBlock['type'], path);
}

function validateBlockFields(block: Record<string, unknown>, type: ContentBlock['type'], path: string): void {
  switch (type) {
    case 'text':
      string(block['text'], `${path}.text`);
      return;
    case 'thinking':
      string(block['thinking'], `${path}.thinking`);
      optionalBytes(block['signature'], `${path}.signature`);
      optionalTrue(block['redacted'], `${path}.redacted`);
      return;
    case 'tool_call':
      nonEmpty(block['id'], `${path}.id`);
      nonEmpty(block['name'], `${path}.name`);
      string(block['arguments'], `${path}.arguments`);
      optionalBytes(block['signature'], `${path}.signature`);
      return;
    case 'image':
      validateImage(block, path);
      return;
    default:
      assertNever(type);
  }
}

function validateImage(block: Record<string, unknown>, path: string): void {
  if (!IMAGE_MIME_TYPES.some((type) => type === block['mimeType'])) {
    throw new InvalidDataError(`${path}.mimeType`, `must be one of ${IMAGE_MIME_TYPES.join(', ')}`);
  }
  const data = block['data'];
  if (!(data instanceof Uint8Array) || data.length === 0) throw new InvalidDataError(`${path}.data`, 'must be bytes');
  if (data.length > MAX_IMAGE_BYTES) {
    throw new InvalidDataError(`${path}.data`, `is ${data.length} bytes, the limit is ${MAX_IMAGE_BYTES}`);
  }
}

function validateAssistantFields(message: Record<string, unknown>, path: string): void {
  if (!STOP_REASONS.some((reason) => reason === message['stopReason'])) {
    throw new InvalidDataError(`${path}.stopReason`, `unknown stop reason ${JSON.stringify(message['stopReason'])}`);
  }
  string(message['rawStopReason'], `${path}.rawStopReason`);
  const usage = record(message['usage'], `${path}.usage`);
  const fields: readonly (keyof Usage)[] = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'];
  for (const field of fields) {
    const count = usage[field];
    if (!Number.isSafeInteger(count) || (count as number) < 0) {
      throw new InvalidDataError(`${path}.usage.${field}`, 'must be a whole number, 0 or more');
    }
  }
}

function validateResultFields(message: Record<string, unknown>, path: string): void {
  nonEmpty(message['toolCallId'], `${path}.toolCallId`);
  nonEmpty(message['toolName'], `${path}.toolName`);
  if (typeof message['isError'] !== 'boolean') throw new InvalidDataError(`${path}.isError`, 'must be true or false');
}

function record(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidDataError(path, 'must be an object');
  }
  return value as Record<string, unknown>;
}

function string(value: unknown, path: string): void {
  if (typeof value !== 'string') throw new InvalidDataError(path, 'must be a string');
}

function nonEmpty(value: unknown, path: string): void {
  if (typeof value !== 'string' || value === '') throw new InvalidDataError(path, 'must be a string that is not empty');
}

function optionalBytes(value: unknown, path: string): void {
  if (value !== undefined && !(value instanceof Uint8Array)) throw new InvalidDataError(path, 'must be bytes');
}

function optionalTrue(value: unknown, path: string): void {
  if (value !== undefined && value !== true) throw new InvalidDataError(path, 'must be true or absent');
}
