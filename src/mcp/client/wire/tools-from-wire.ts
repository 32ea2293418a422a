import type { McpToolInfo } from '../../../domain/mcp/feature.js';
import { t } from '../../../domain/l10n.js';
import { showName } from '../../../text/show.js';
import { type ReadItem, readAnnotations, readIcons } from './from-wire.js';
import { headerParameters } from './header-parameters.js';
import { isShallow, type JsonRecord, jsonStart, present, record, text } from './json.js';
import type { McpLimits } from '../limits.js';

/**
 * Reads a tool. One whose schema is too large or marks headers wrongly is left out; without its schema, it could not be called.
 * @param headers whether arguments can be sent as headers, which is so in the modern era over HTTP
 */
export function toolReader(limits: McpLimits, headers: boolean): ReadItem<McpToolInfo> {
  return (item) => {
    const name = text(item['name']);
    const inputSchema = record(item['inputSchema']);
    if (name === undefined || name === '') return { warning: t('A tool was left out because it has no name.') };
    if (inputSchema === undefined) return { warning: t('The tool “{0}” was left out because it does not say what it takes.', showName(name)) };
    const outputSchema = record(item['outputSchema']);
    if (isTooLarge(inputSchema, limits) || (outputSchema !== undefined && isTooLarge(outputSchema, limits))) {
      return { warning: t('The tool “{0}” was left out because its schema is too large or nested too deeply.', showName(name)) };
    }
    if (headers && typeof headerParameters(inputSchema) === 'string') {
      return { warning: t('The tool “{0}” was left out because it asks for headers in a way that the protocol does not allow.', showName(name)) };
    }
    const annotations = record(item['annotations']);
    return present({
      name,
      title: text(item['title']) ?? text(annotations?.['title']),
      description: text(item['description']),
      inputSchema,
      outputSchema,
      annotations: readAnnotations(annotations),
      icons: readIcons(item['icons']),
    });
  };
}

function isTooLarge(schema: JsonRecord, { schemaDepth, schemaCharacters }: McpLimits): boolean {
  return !isShallow(schema, schemaDepth) || jsonStart(schema, schemaCharacters + 1).length > schemaCharacters;
}
