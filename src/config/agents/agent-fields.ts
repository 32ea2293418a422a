import type { AgentFile } from '../../domain/config/agent.js';
import { type ConfigOrigin, isFromRepository } from '../../domain/config/origin.js';
import { t } from '../../domain/l10n.js';
import type { McpDefinition } from '../../domain/mcp/config.js';
import { serverId } from '../../domain/mcp/tool-name.js';
import { PERMISSION_MODES, type PermissionMode, parsePermissionMode } from '../../domain/tool/permission.js';
import { shownName } from '../../text/key-path.js';
import { type FrontMatterFields, type TakenField, textOf } from '../front-matter/front-matter-fields.js';
import type { ValuePath } from '../../text/front-matter/yaml-text.js';
import type { ServerReading } from './agent-reading.js';

/** Rounds of a turn: what is more limits nothing. */
const MAX_TURNS = 10_000;

/** Reads the permission mode of an agent. It never widens what the chat may do; see `narrowMode`. */
export function readMode(fields: FrontMatterFields, origin: ConfigOrigin): Pick<AgentFile, 'permissionMode' | 'deniesPrompts'> {
  const field = fields.take('permissionMode');
  if (field === undefined) return {};
  const written = textOf(field)?.trim() ?? '';
  const mode = modeOf(written);
  if (mode === undefined) {
    fields.refuse(
      field,
      t(
        'There is no permission mode “{0}”. Possible values are {1}. The mode of the chat is used.',
        shownName(written),
        [...PERMISSION_MODES, 'auto', 'dontAsk'].join(', '),
      ),
    );
    return {};
  }
  if (mode === 'bypassPermissions' && isFromRepository(origin)) {
    fields.refuse(field, t('An agent of the workspace cannot have the permission mode “{0}”. The mode of the chat is used.', mode));
    return {};
  }
  fields.report(field, 'used', noteOnMode(written, mode));
  return { permissionMode: mode, ...(written === 'dontAsk' ? { deniesPrompts: true as const } : {}) };
}

/** Maps modes that only Claude Code has to the closest mode here, `default`, which asks the user. */
function modeOf(written: string): PermissionMode | undefined {
  return written === 'auto' || written === 'dontAsk' ? 'default' : parsePermissionMode(written);
}

function noteOnMode(written: string, mode: PermissionMode): string {
  if (written === 'auto') return t('Gnomon does not have the mode “{0}”. The agent works in the mode “{1}”.', written, mode);
  if (written === 'dontAsk') return t('The agent works in the mode “{0}”, and what would be asked about is denied.', mode);
  return t('Used where the mode of the chat is not stricter.');
}

/** The most rounds of a turn. */
export function readMaxTurns(fields: FrontMatterFields): number | undefined {
  const field = fields.take('maxTurns');
  if (field === undefined) return undefined;
  const { value } = field;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
    fields.refuse(field, t('“{0}” must be a whole number from 1 on.', shownName(field.name)));
    return undefined;
  }
  fields.report(field, 'used');
  return Math.min(value, MAX_TURNS);
}

/** Names of skills. */
export function readSkills(fields: FrontMatterFields): readonly string[] {
  const field = fields.take('skills');
  const items = field === undefined ? undefined : fields.items(field);
  if (field === undefined || items === undefined) return [];
  fields.report(field, 'used', t('Their texts go with the first message.'));
  return [...new Set(items.map(({ text }) => text))];
}

/** MCP servers that an agent names or defines. */
export interface AgentServers {
  /** Those that it uses, as they stand in the names of their tools. */
  readonly names: readonly string[];
  readonly defined: readonly McpDefinition[];
}

/**
 * The MCP servers of an agent: a list with the names of those that are configured and with objects of those that it defines
 * (code.claude.com/docs/en/sub-agents, “Scope MCP servers to a subagent”), or an object of the latter (`mcp-servers` of VS Code and GitHub).
 * The caller reports the state of the field.
 * @param lineAt the line of what is at a path
 * @returns `undefined`, with a problem, when the field cannot be read
 */
export function readServers(fields: FrontMatterFields, field: TakenField, lineAt: (path: ValuePath) => number | undefined): AgentServers | undefined {
  const { value } = field;
  const inList = Array.isArray(value);
  const entries: readonly unknown[] = inList ? value : typeof value === 'object' ? [value] : typeof value === 'string' ? value.split(',') : [undefined];
  const names: string[] = [];
  const defined: McpDefinition[] = [];
  for (const [index, entry] of entries.entries()) {
    if (typeof entry === 'string') names.push(...(entry.trim() === '' ? [] : [entry.trim()]));
    else if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) {
      const place = inList ? [field.name, index] : [field.name];
      names.push(...Object.keys(entry));
      defined.push(
        ...Object.entries(entry).map(([name, definition]: [string, unknown]) => ({ name, value: definition, line: lineAt([...place, name]) ?? field.line })),
      );
    } else {
      fields.refuse(field, t('“{0}” must be a list with the names of servers.', shownName(field.name)));
      return undefined;
    }
  }
  return { names: [...new Set(names.map(serverId))], defined };
}

/** Reports the states of the servers of an agent. @param reading of those that it defines */
export function reportServers(fields: FrontMatterFields, field: TakenField, { names, defined }: AgentServers, { entries, problems }: ServerReading): void {
  for (const { name, line } of defined) {
    const path = fields.pathOf([field.name, name]);
    const problem = problems.find(({ key, harmless }) => harmless !== true && (key === path || key.startsWith(`${path}.`) || key.startsWith(`${path}[`)));
    if (entries.some((entry) => entry.name === name))
      fields.reportItem({ ...field, line }, path, 'used', t('The agent alone has it. It starts when you have approved it and a chat works with the agent.'));
    else fields.reportItem({ ...field, line }, path, 'refused', problem?.message);
  }
  fields.report(field, 'used', names.length === 0 ? t('No servers.') : t('Servers: {0}. They have to be configured and approved.', names.join(', ')));
}
