import type { ToolCallBlock } from '../../domain/model/content.js';

/** Name of the tool that finds deferred tools. */
export const FIND_TOOLS = 'find_tools';
/** Name of the tool that calls them. */
export const CALL_TOOL = 'call_tool';

/** A call as the one that it makes, for those that show and count calls; a call of any other tool, or one that was cut off, as it is. */
export function calledThrough(call: ToolCallBlock): ToolCallBlock {
  if (call.name !== CALL_TOOL) return call;
  const args = objectOf(call.arguments);
  const name = typeof args['name'] === 'string' ? args['name'].trim() : '';
  return /^[\w-]{1,64}$/.test(name) ? { ...call, name, arguments: JSON.stringify(args['arguments'] ?? {}) } : call;
}

function objectOf(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    // It is still being written, or was cut off.
    return {};
  }
}
