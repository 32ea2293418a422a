import { showUnseen } from '../../domain/hidden-characters.js';
import type { McpToolInfo } from '../../domain/mcp/feature.js';
import { canonicalJson } from './canonical-json.js';

/**
 * What a tool says of itself, as text that is the same exactly when name, title, description, schemas and annotations are: consent is
 * given to these. The order of keys does not count.
 */
export function definitionKey({ name, title, description, inputSchema, outputSchema, annotations }: McpToolInfo): string {
  return canonicalJson({ name, title, description, inputSchema, outputSchema, annotations });
}

/** The same for users to read and to compare, with nothing hidden in it. */
export function definitionText({ name, title, description = '', inputSchema, outputSchema, annotations }: McpToolInfo): string {
  const hints = Object.entries(annotations).filter(([, value]) => value !== undefined).map(([hint, value]) => `${hint}: ${String(value)}`).sort();
  const parts = [
    `Name: ${name}`,
    ...(title === undefined ? [] : [`Title: ${title}`]),
    ...(hints.length === 0 ? [] : [`Hints: ${hints.join(', ')}`]),
    `Description:\n${description.replaceAll('\r\n', '\n')}`,
    `Input:\n${canonicalJson(inputSchema, 2)}`,
    ...(outputSchema === undefined ? [] : [`Output:\n${canonicalJson(outputSchema, 2)}`]),
  ];
  return showUnseen(parts.join('\n'));
}
