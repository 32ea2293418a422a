import type { AgentFile } from '../../domain/config/agent.js';
import { type ConfigOrigin, isFromRepository } from '../../domain/config/origin.js';
import { t } from '../../domain/l10n.js';
import { PERMISSION_MODES, type PermissionMode, parsePermissionMode } from '../../domain/tool/permission.js';
import { shownName } from '../../text/key-path.js';
import { type FrontMatterFields, type TakenField, textOf } from '../front-matter/front-matter-fields.js';
import { toolPart } from '../tool-names.js';

/** Rounds of a turn: what is more limits nothing. */
const MAX_TURNS = 10_000;

/** How much an agent may do without asking. It never widens what the chat may do; see `narrowMode`. */
export function readMode(fields: FrontMatterFields, origin: ConfigOrigin): Pick<AgentFile, 'permissionMode' | 'deniesPrompts'> {
  const field = fields.take('permissionMode');
  if (field === undefined) return {};
  const written = textOf(field)?.trim() ?? '';
  const mode = modeOf(written);
  if (mode === undefined) {
    fields.refuse(field, t('There is no permission mode “{0}”. Possible values are {1}. The mode of the chat is used.', shownName(written), [...PERMISSION_MODES, 'auto', 'dontAsk'].join(', ')));
    return {};
  }
  if (mode === 'bypassPermissions' && isFromRepository(origin)) {
    fields.refuse(field, t('An agent of the workspace cannot have the permission mode “{0}”. The mode of the chat is used.', mode));
    return {};
  }
  fields.report(field, 'used', noteOnMode(written, mode));
  return { permissionMode: mode, ...(written === 'dontAsk' ? { deniesPrompts: true as const } : {}) };
}

/** Modes of Claude Code that Gnomon does not have come close to its `default` (decision 39). */
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

/**
 * Names of MCP servers that are configured. Servers that an agent defines itself are not started: they are approved where all others are.
 * @returns `undefined` when the field cannot be read
 */
export function readServers(fields: FrontMatterFields, field: TakenField): readonly string[] | undefined {
  const { value } = field;
  const entries: readonly unknown[] = Array.isArray(value) ? value : typeof value === 'object' ? [value] : typeof value === 'string' ? value.split(',') : [undefined];
  const servers: string[] = [];
  for (const entry of entries) {
    if (typeof entry === 'string') servers.push(...(entry.trim() === '' ? [] : [entry.trim()]));
    else if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) {
      for (const name of Object.keys(entry)) {
        fields.reportItem(field, fields.pathOf([field.name, name]), 'refused', t('Gnomon does not start servers that an agent defines. Define “{0}” in {1}, and approve it there.', shownName(name), '.mcp.json'));
        servers.push(name);
      }
    } else {
      fields.refuse(field, t('“{0}” must be a list with the names of servers.', shownName(field.name)));
      return undefined;
    }
  }
  fields.report(field, 'used', servers.length === 0 ? t('No servers.') : t('Servers: {0}. They have to be configured and approved.', servers.map(shownName).join(', ')));
  return [...new Set(servers.map(toolPart))];
}
