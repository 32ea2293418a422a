import { present } from '../../domain/present.js';
import type { Node } from 'jsonc-parser';
import { t } from '../../domain/l10n.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import type { McpConfigFile, McpDefinition, McpEntry, McpFileFormat, McpInput, McpSource } from '../../domain/mcp/config.js';
import { JsonDocument, propertiesOf, type Property } from '../../text/json-document.js';
import { keyPath, shownName } from '../../text/key-path.js';
import { EntryFields, unknownKey } from './entry-fields.js';
import { type EntryPlace, readEntry } from './read-entry.js';
import { inputIdsOf, inputsOf } from './used-inputs.js';

/** Servers of one file that are read. */
export const MAX_SERVERS_IN_FILE = 100;

/** A server as a file names it, whether or not it can be used. */
export interface NamedServer {
  readonly name: string;
  /** Path of keys to it; the problems that begin with it are about it. */
  readonly key: string;
  readonly line?: number;
  /** Absent when something is wrong with it. */
  readonly entry?: McpEntry;
}

/** Parsed content of a configuration file. */
export interface McpReading {
  readonly entries: readonly McpEntry[];
  readonly problems: readonly ConfigProblem[];
  /** Inputs that its entries use, and that the user fills in. */
  readonly inputs: readonly McpInput[];
  /** All servers that it names, in its order. */
  readonly servers: readonly NamedServer[];
}

/** The key under which servers are. */
const SERVERS: Readonly<Record<McpFileFormat, 'servers' | 'mcpServers'>> = { claude: 'mcpServers', cursor: 'mcpServers', vscode: 'servers', gnomon: 'servers' };

/**
 * Reads a configuration file. Never throws: what cannot be used is among the problems, and the rest of the file still counts, unless
 * its text as a whole is wrong.
 * @param folders the open workspace folders, for a file of the user that has entries for single folders
 */
export function readConfigFile(file: McpConfigFile, folders: readonly string[]): McpReading {
  if ('problem' in file) return { entries: [], inputs: [], servers: [], problems: [{ file: file.source.file, key: '', message: file.problem }] };
  const { source } = file;
  // The file in which Claude Code keeps all it remembers, of which servers are a small part. No person writes it.
  const isOfUser = source.format === 'claude' && source.scope === 'user';
  const document = new JsonDocument(source.file, file.text, { lenient: source.format === 'vscode' || isOfUser });
  const key = SERVERS[source.format];
  const own = isOfUser ? projectLists(document, source, folders) : [];
  return readLists(document, [...own, { holder: document.root, path: [key], source, optional: isOfUser }]);
}

/**
 * Reads Gnomon’s own setting: an object of entries by name.
 * @param file the key of the setting, which names it in problems
 */
export function readConfigSetting(value: unknown, file: string, scope: McpSource['scope'] = 'user'): McpReading {
  // The one reader is for text. Nothing of a setting is a text with lines, so it has none.
  const text = JSON.stringify({ servers: value ?? {} });
  const document = new JsonDocument(file, text, { lenient: true, hasLines: false });
  return readLists(document, [{ holder: document.root, path: ['servers'], source: { scope, format: 'gnomon', file }, optional: true }]);
}

/**
 * Reads servers that a file of another kind defines, such as an agent.
 * @param key the field that has them, which names it in problems
 */
export function readDefinedServers(servers: readonly McpDefinition[], key: string, source: Omit<McpSource, 'line'>): McpReading {
  // The one reader is for text: in it, each server is in the line that it has in its file.
  const inOrder = [...servers].sort((a, b) => a.line - b.line);
  const entries = inOrder.map(
    ({ name, value, line }, index) => `${'\n'.repeat(line - (inOrder[index - 1]?.line ?? 1))}${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  const document = new JsonDocument(source.file, `{${JSON.stringify(key)}:{${entries.join(',')}}}`, { lenient: true });
  return readLists(document, [{ holder: document.root, path: [key], source, optional: false, withoutInputs: true }]);
}

/** A list of servers in a document. */
interface ServerList {
  /** The object that has it. */
  readonly holder: Property['value'] | undefined;
  /** Of keys, to it. */
  readonly path: readonly string[];
  readonly source: Omit<McpSource, 'line'>;
  /** Whether nothing is wrong when it is not there. */
  readonly optional: boolean;
  /** Whether its file has no place to declare inputs. */
  readonly withoutInputs?: true;
}

/** Inputs of one file. */
const MAX_INPUTS = 100;
/** Characters of the id of an input, which is a part of a name in the secret storage. */
const MAX_ID = 100;

/**
 * The values that `.vscode/mcp.json` has the user asked for: `promptString` and `pickString`. The third type, `command`, would run
 * a command of an extension that the file chooses, so it is left out.
 * Source: code.visualstudio.com/docs/reference/variables-reference, "Input variables".
 */
function readInputs(document: JsonDocument): readonly McpInput[] {
  const list = propertiesOf(document.root).find(({ name }) => name === 'inputs')?.value;
  if (list === undefined) return [];
  if (list.type !== 'array') {
    document.add(['inputs'], list, t('“inputs” must be a list in brackets.'));
    return [];
  }
  const items = list.children ?? [];
  if (items.length > MAX_INPUTS) document.add(['inputs'], list, t('The file has more than {0} inputs. Those after them are ignored.', MAX_INPUTS));
  const inputs = new Map<string, McpInput>();
  items.slice(0, MAX_INPUTS).forEach((node, index) => {
    const input = inputOf(document, node, index);
    if (input === undefined) return;
    if (inputs.has(input.id)) document.add(['inputs', index], node, t('There is an input of this id already. This one is ignored.'));
    else inputs.set(input.id, input);
  });
  return [...inputs.values()];
}

function inputOf(document: JsonDocument, node: Node, index: number): McpInput | undefined {
  const fields = new EntryFields(document, { path: ['inputs', index], node, format: 'vscode' });
  if (node.type !== 'object') {
    fields.fail([], t('An input must be an object in braces.'));
    return undefined;
  }
  const type = fields.text('type', { variables: false });
  const id = fields.text('id', { variables: false });
  if (id === undefined || id === '' || id.length > MAX_ID) fields.fail(['id'], t('An input needs an “id” of at most {0} characters.', MAX_ID));
  if (type !== 'promptString' && type !== 'pickString') fields.fail(['type'], t('Gnomon knows inputs of the types “promptString” and “pickString” only.'));
  const description = fields.text('description', { variables: false }) ?? id ?? '';
  const password = fields.flag('password');
  const preset = fields.text('default', { variables: false });
  const options = type === 'pickString' ? optionsOf(fields) : undefined;
  for (const { name, nameNode } of fields.rest) fields.note([name], unknownKey(name), nameNode);
  if (fields.hasFailed() || id === undefined) return undefined;
  return { id, description, password, ...present({ default: preset, options }) };
}

/** Options are texts, or objects with a label; the value is what counts. */
function optionsOf(fields: EntryFields): readonly string[] {
  const list = fields.take('options')?.value;
  const options = (list?.children ?? []).map((item): unknown =>
    item.type === 'object' ? propertiesOf(item).find(({ name }) => name === 'value')?.value.value : item.value,
  );
  const texts = options.filter((option) => typeof option === 'string');
  if (list?.type !== 'array' || texts.length === 0 || texts.length < options.length)
    fields.fail(['options'], t('A choice needs “options”: a list of texts.'), list);
  return texts;
}

function readLists(document: JsonDocument, lists: readonly ServerList[]): McpReading {
  const declared = document.root?.type === 'object' && lists.some(({ source }) => source.format === 'vscode') ? readInputs(document) : [];
  const servers = lists.flatMap((list) =>
    serversIn(document, list).map((property): NamedServer => {
      const path = [...list.path, property.name];
      const line = document.lineOf(property.nameNode);
      const place = line === undefined ? {} : { line };
      const entry = checked(document, { property, path, source: { ...list.source, ...place } }, list.withoutInputs === true ? undefined : declared);
      return { name: property.name, key: keyPath(path), ...place, ...present({ entry }) };
    }),
  );
  const entries = servers.flatMap(({ entry }) => entry ?? []);
  const inputs = new Map(entries.flatMap((entry) => inputsOf(entry, declared)).map((input) => [input.id, input]));
  return { entries, servers, problems: document.problems, inputs: [...inputs.values()] };
}

/** Reads an entry, and sees to it that the user can be asked for what it wants. @param declared `undefined` where the file has no place for inputs */
function checked(document: JsonDocument, place: EntryPlace, declared: readonly McpInput[] | undefined): McpEntry | undefined {
  const entry = readEntry(document, place);
  if (entry === undefined) return undefined;
  const known = new Set(inputsOf(entry, declared ?? []).map(({ id }) => id));
  const unknown = inputIdsOf(entry).find((id) => !known.has(id));
  if (unknown === undefined) return entry;
  const message =
    declared === undefined
      ? t('Nobody can be asked for the input “{0}” here. Use a variable of the environment such as {1}.', shownName(unknown), '${env:NAME}')
      : t('The file does not say what the input “{0}” is. Add it to “inputs”.', shownName(unknown));
  document.add(place.path, place.property.nameNode, message);
  return undefined;
}

function serversIn(document: JsonDocument, { holder, path, source, optional }: ServerList): readonly Property[] {
  if (holder === undefined) return [];
  const key = path.at(-1) ?? '';
  if (holder.type !== 'object') return none(document, [], holder, t('The file must be an object in braces.'));
  const found = propertiesOf(holder).filter(({ name }) => name === key);
  const [first, second] = found;
  if (second !== undefined) return none(document, path, second.nameNode, t('This key is there twice. Delete one of them.'));
  if (first === undefined)
    return optional
      ? []
      : none(
          document,
          path,
          holder,
          missingKey(
            source.format,
            propertiesOf(holder).map(({ name }) => name),
          ),
        );
  const list = first.value;
  if (list.type !== 'object') return none(document, path, list, t('The servers must be an object in braces, with a name for each.'));
  return capped(document, path, withoutDoubles(document, path, propertiesOf(list)));
}

function none(document: JsonDocument, path: readonly string[], node: Property['value'], message: string): readonly [] {
  document.add(path, node, message);
  return [];
}

function missingKey(format: McpFileFormat, names: readonly string[]): string {
  const key = SERVERS[format];
  const other = key === 'servers' ? 'mcpServers' : 'servers';
  return names.includes(other) ? t('In this file, servers are in “{0}”, not in “{1}”.', key, other) : t('The file has no “{0}”, in which servers are.', key);
}

/** A name that is there twice would have one server hide another: neither is used. */
function withoutDoubles(document: JsonDocument, path: readonly string[], servers: readonly Property[]): readonly Property[] {
  const counts = new Map<string, number>();
  for (const { name } of servers) counts.set(name, (counts.get(name) ?? 0) + 1);
  return servers.filter(({ name, nameNode }) => {
    const isSingle = counts.get(name) === 1;
    if (!isSingle) document.add([...path, name], nameNode, t('There is another server of this name in the file, so neither is used. Rename one of them.'));
    return isSingle;
  });
}

function capped(document: JsonDocument, path: readonly string[], servers: readonly Property[]): readonly Property[] {
  const next = servers[MAX_SERVERS_IN_FILE];
  if (next === undefined) return servers;
  document.add(path, next.nameNode, t('The file has {0} servers. Only the first {1} are used.', servers.length, MAX_SERVERS_IN_FILE));
  return servers.slice(0, MAX_SERVERS_IN_FILE);
}

/**
 * The lists that the user has for single folders: `projects[folder].mcpServers`, which Claude Code calls the local scope.
 * Source: code.claude.com/docs/en/mcp, "MCP installation scopes".
 */
function projectLists(document: JsonDocument, source: McpConfigFile['source'], folders: readonly string[]): readonly ServerList[] {
  const projects = propertiesOf(document.root).find(({ name }) => name === 'projects')?.value;
  return propertiesOf(projects).flatMap(({ name, value }) => {
    const folder = folders.find((each) => sameFolder(each, name));
    return folder === undefined ? [] : [{ holder: value, path: ['projects', name, 'mcpServers'], source: { ...source, folder }, optional: true }];
  });
}

/** Whether two absolute paths name the same folder; on Windows, slashes of both kinds and both cases of letters are the same. */
function sameFolder(a: string, b: string): boolean {
  const [left, right] = [a, b].map((path) => {
    const trimmed = path.replace(/(?<=.)[\\/]+$/, '');
    return /^[A-Za-z]:/.test(path) ? trimmed.replaceAll('\\', '/').toLowerCase() : trimmed;
  });
  return left === right;
}
