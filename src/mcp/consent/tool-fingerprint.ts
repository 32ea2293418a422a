import type { McpToolInfo } from '../../domain/mcp/feature.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { headOf } from '../../text/show.js';
import { canonicalHash, canonicalJson } from '../config/canonical-json.js';

/** Characters of a tool’s text that are kept to be compared with a later one; the fingerprint is of all. */
const MAX_TEXT = 4_000;

/** A tool that a server lists stays the same object for as long as it says the same, and all of its server's are compared with each change. */
const FINGERPRINTS = new WeakMap<McpToolInfo, string>();

/** A tool as the user has accepted it. */
export interface SeenTool {
  readonly name: string;
  readonly fingerprint: string;
  /** For people, see {@link toolText}. */
  readonly text: string;
}

/** Change of a tool since it was accepted. `before` and `after` are texts for a diff. */
export type ToolChange =
  | { readonly name: string; readonly change: 'new'; readonly after: string }
  | { readonly name: string; readonly change: 'changed'; readonly before: string; readonly after: string }
  | { readonly name: string; readonly change: 'gone'; readonly before: string };

/**
 * SHA-256 in hex of everything about a tool that the model and the user get: name, title, description, both schemas, and annotations. `_meta` and
 * `execution` are not read at all, and no model sees `icons`: a change of these changes nothing that was accepted.
 */
export function toolFingerprint(tool: McpToolInfo): string {
  const known = FINGERPRINTS.get(tool);
  if (known !== undefined) return known;
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const fingerprint = canonicalHash({ name, title, description, inputSchema, outputSchema, annotations });
  FINGERPRINTS.set(tool, fingerprint);
  return fingerprint;
}

/** A tool as it is remembered once the user has accepted it. */
export function seenTool(tool: McpToolInfo): SeenTool {
  return { name: tool.name, fingerprint: toolFingerprint(tool), text: toolText(tool) };
}

/**
 * All that is in the fingerprint of a tool, as lines for people; nothing in them is invisible. Of a long one, the end is left
 * out; what is said of that then changes with every change in it.
 */
export function toolText(tool: McpToolInfo): string {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const sections: readonly (readonly [string, string | undefined])[] = [
    ['name', name],
    ['title', title],
    ['description', description],
    ['annotations', canonicalJson(annotations, 2)],
    ['inputSchema', canonicalJson(inputSchema, 2)],
    ['outputSchema', outputSchema === undefined ? undefined : canonicalJson(outputSchema, 2)],
  ];
  const text = sections
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}:`, ...visibleLines(value), '']))
    .join('\n')
    .trimEnd();
  if (text.length <= MAX_TEXT) return text;
  return `${headOf(text, MAX_TEXT)}\n… ${text.length - MAX_TEXT} more characters, SHA-256 ${canonicalHash(text)}`;
}

/** Compares the accepted tools with the current ones, by name. Empty when nothing has changed. */
export function changedTools(accepted: readonly SeenTool[], now: readonly McpToolInfo[]): readonly ToolChange[] {
  const before = new Map(accepted.map((tool) => [tool.name, tool]));
  const names = new Set(now.map(({ name }) => name));
  const changes = now.flatMap((tool): readonly ToolChange[] => {
    const known = before.get(tool.name);
    if (known === undefined) return [{ name: tool.name, change: 'new', after: toolText(tool) }];
    if (known.fingerprint === toolFingerprint(tool)) return [];
    return [{ name: tool.name, change: 'changed', ...sides(known, tool) }];
  });
  const gone = accepted.filter(({ name }) => !names.has(name)).map(({ name, text }): ToolChange => ({ name, change: 'gone', before: text }));
  return [...changes, ...gone];
}

/** Both texts, which differ in any case: also where an escape was written that looks like what it stands for. */
function sides(known: SeenTool, tool: McpToolInfo): { readonly before: string; readonly after: string } {
  const after = toolText(tool);
  if (after !== known.text) return { before: known.text, after };
  return { before: `${known.text}\nSHA-256 ${known.fingerprint}`, after: `${after}\nSHA-256 ${toolFingerprint(tool)}` };
}

function visibleLines(text: string): readonly string[] {
  return text.split('\n').map((line) => `  ${escapeHidden(line)}`);
}
