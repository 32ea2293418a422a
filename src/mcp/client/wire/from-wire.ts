import { present } from '../../../domain/present.js';
import type {
  McpAnnotations,
  McpBlock,
  McpContents,
  McpIcon,
  McpPrompt,
  McpPromptArgument,
  McpPromptMessage,
  McpResource,
  McpResourceTemplate,
  McpToolInfo,
} from '../../../domain/mcp/feature.js';
import { t } from '../../../domain/l10n.js';
import { showName } from '../../../text/show.js';
import type { McpLimits } from '../limits.js';
import { headerParameters } from './header-parameters.js';
import { isShallow, type JsonRecord, jsonStart, list, number, record, text } from './json.js';

/** Result for an item that cannot be used, with a sentence for the user. */
export interface Unusable {
  readonly warning: string;
}

/** Reads an item of a list. */
export type ReadItem<Item> = (item: JsonRecord) => Item | Unusable;

const MAX_ICONS = 16;
const MAX_ARGUMENTS = 100;

/** A resource of a list, or one that a result refers to. */
export function readResource(item: JsonRecord): McpResource | Unusable {
  const uri = text(item['uri']);
  if (uri === undefined || uri === '') return { warning: t('A resource was left out because it has no address.') };
  return present({ uri, ...described(item, uri), size: number(item['size']) });
}

/** A template of a list. */
export function readTemplate(item: JsonRecord): McpResourceTemplate | Unusable {
  const uriTemplate = text(item['uriTemplate']);
  if (uriTemplate === undefined || uriTemplate === '') return { warning: t('A template for resources was left out because it has no address.') };
  return { uriTemplate, ...described(item, uriTemplate) };
}

/** A prompt of a list. */
export function readPrompt(item: JsonRecord): McpPrompt | Unusable {
  const name = text(item['name']);
  if (name === undefined || name === '') return { warning: t('A prompt was left out because it has no name.') };
  const blanks = list(item['arguments'])
    .slice(0, MAX_ARGUMENTS)
    .flatMap((each): McpPromptArgument[] => {
      const blank = record(each);
      const blankName = text(blank?.['name']);
      return blank === undefined || blankName === undefined
        ? []
        : [present({ name: blankName, description: text(blank['description']), required: blank['required'] === true })];
    });
  return present({ name, title: text(item['title']), description: text(item['description']), arguments: blanks });
}

function described(item: JsonRecord, address: string): Pick<McpResource, 'name' | 'title' | 'description' | 'mimeType'> {
  return present({ name: text(item['name']) ?? address, title: text(item['title']), description: text(item['description']), mimeType: text(item['mimeType']) });
}

/** Parses the annotations that describe the effects of a tool. */
export function readAnnotations(value: unknown): McpAnnotations {
  const hints = record(value) ?? {};
  const hint = (key: string): boolean | undefined => (typeof hints[key] === 'boolean' ? hints[key] : undefined);
  return present({
    readOnly: hint('readOnlyHint'),
    destructive: hint('destructiveHint'),
    idempotent: hint('idempotentHint'),
    openWorld: hint('openWorldHint'),
  });
}

/** The icons that may be shown: those at an `https:` or `data:` address. */
export function readIcons(value: unknown): readonly McpIcon[] | undefined {
  const icons = list(value).flatMap((each): McpIcon[] => {
    const icon = record(each);
    const src = text(icon?.['src']);
    if (icon === undefined || src === undefined || !/^(?:https|data):/i.test(src)) return [];
    const sizes = list(icon['sizes']).filter((size) => typeof size === 'string');
    return [present({ src, mimeType: text(icon['mimeType']), sizes: sizes.length === 0 ? undefined : sizes })];
  });
  return icons.length === 0 ? undefined : icons.slice(0, MAX_ICONS);
}

/** A part of a result. What is of no known kind becomes a text that says so. */
export function readBlock(value: unknown): McpBlock {
  const block = record(value) ?? {};
  const kind = text(block['type']);
  const textOfBlock = text(block['text']);
  const data = text(block['data']);
  if (kind === 'text' && textOfBlock !== undefined) return { type: 'text', text: textOfBlock };
  if ((kind === 'image' || kind === 'audio') && data !== undefined) return { type: kind, data, mimeType: text(block['mimeType']) ?? '' };
  if (kind === 'resource_link') {
    const resource = readResource(block);
    if (!('warning' in resource)) return { type: 'resource_link', resource };
  }
  if (kind === 'resource') {
    const contents = readContents(block['resource']);
    if (contents !== undefined) return { type: 'resource', contents };
  }
  return { type: 'text', text: `[The server sent a part of the kind “${showName((kind ?? '?').slice(0, 100))}”, which could not be read.]` };
}

/** Parses the content of a resource; `undefined` when it is invalid. */
export function readContents(value: unknown): McpContents | undefined {
  const contents = record(value);
  const uri = text(contents?.['uri']);
  if (contents === undefined || uri === undefined) return undefined;
  return present({ uri, mimeType: text(contents['mimeType']), text: text(contents['text']), blob: text(contents['blob']) });
}

/** A message of a prompt. */
export function readMessage(value: unknown): McpPromptMessage {
  const message = record(value) ?? {};
  return { role: message['role'] === 'assistant' ? 'assistant' : 'user', content: readBlock(message['content']) };
}

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
