import type { Node } from 'jsonc-parser';
import { t } from '../../domain/l10n.js';
import { type RuleEffect, RULE_EFFECTS } from '../../domain/tool/permission.js';
import { JsonDocument } from '../../text/json-document.js';
import { fieldsOf, type SettingsField } from '../settings/read-settings.js';

/** The rules of a settings file, as they are written. */
export interface FilePermissions {
  readonly lists: Readonly<Record<RuleEffect, unknown>>;
  /** Why the file as a whole cannot be read, so that rules may be missing; a sentence with the line. */
  readonly damage?: string;
}

/** Reads the `permissions` of a settings file in the form of Claude Code (code.claude.com/docs/en/settings, "Permission settings"). */
export function readPermissions(text: string, file: string): FilePermissions {
  const document = new JsonDocument(file, text, { lenient: true });
  const { root } = document;
  const nothing = { allow: undefined, ask: undefined, deny: undefined };
  if (root === undefined) {
    const [problem] = document.problems;
    const place = problem?.line === undefined ? file : `${file}:${problem.line}`;
    // An empty file has no rules, and none that could be missing.
    return text.trim() === ''
      ? { lists: nothing }
      : { lists: nothing, damage: t('Some rules may be missing because of {0}: {1}', place, problem?.message ?? '') };
  }
  if (root.type !== 'object')
    return { lists: nothing, damage: t('Some rules may be missing because of {0}: {1}', file, t('The file must contain an object in braces.')) };
  const fields = fieldsOf(root);
  if (fields.some(({ name }) => name === 'permissions'))
    return { lists: nothing, damage: t('Some rules may be missing because of {0}: {1}', file, t('“{0}” must be an object in braces.', 'permissions')) };
  return { lists: Object.fromEntries(RULE_EFFECTS.map((effect) => [effect, listOf(fields, effect)])) as Record<RuleEffect, unknown> };
}

/** Lists of the same name count together, also where `permissions` is there twice: the later one must not hide what the earlier one denies. */
function listOf(fields: readonly SettingsField[], effect: RuleEffect): unknown {
  const values = fields.flatMap(({ name, value }) => (name === `permissions.${effect}` ? [value] : []));
  if (values.length === 0) return undefined;
  const [only] = values;
  if (values.length === 1 && only !== undefined && only.type !== 'array') return valueOf(only);
  return values.flatMap((node) => (node.type === 'array' ? (node.children ?? []).map(valueOf) : [valueOf(node)]));
}

/** Values other than texts are no rules; what they are is only shown. */
function valueOf({ type, value }: Node): unknown {
  return type === 'object' || type === 'array' ? { [type]: '…' } : (value as unknown);
}
