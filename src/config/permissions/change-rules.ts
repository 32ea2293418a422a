import type { Node } from 'jsonc-parser';
import { t } from '../../domain/l10n.js';
import type { RuleEffect } from '../../domain/tool/permission.js';
import { JsonDocument, propertiesOf } from '../../text/json-document.js';
import { lineBreakOf, withMembers, withoutElement } from '../../text/json-members.js';

/** Change of a list of rules in a settings file: rules are added at its end, or every entry with this text is removed. */
export type RuleChange = { readonly effect: RuleEffect } & ({ readonly add: readonly string[] } | { readonly remove: string });

/**
 * The text of a settings file with other rules in its `permissions`. Comments, the order of keys, unknown keys, indentation, and line endings
 * stay as they are; the text is the same where there is nothing to do.
 * @param text without a byte order mark; empty for a file that there is not yet
 * @throws Error when the file is broken, or has something else where rules belong; a sentence for the user. Nothing is guessed then.
 */
export function changeRules(text: string, change: RuleChange): string {
  if (text.startsWith('\uFEFF')) return `\uFEFF${changeRules(text.slice(1), change)}`;
  if (text.trim() === '') return 'add' in change ? newText(text, change.effect, change.add) : text;
  return 'add' in change ? added(text, change.effect, change.add) : removed(text, change.effect, change.remove);
}

function newText(blank: string, effect: RuleEffect, rules: readonly string[]): string {
  const json = JSON.stringify({ permissions: { [effect]: rules } }, undefined, 2);
  return `${json}\n`.replaceAll('\n', lineBreakOf(blank));
}

function added(text: string, effect: RuleEffect, rules: readonly string[]): string {
  const { root, permissions, lists } = partsOf(text, effect);
  const there = new Set(lists.flatMap(({ children = [] }) => children.map(({ value }) => value as unknown)));
  const fresh = [...new Set(rules)].filter((rule) => !there.has(rule));
  // Of lists with the same name, other programs take the last.
  const list = lists.at(-1);
  if (fresh.length === 0) return text;
  if (list !== undefined)
    return withMembers(
      text,
      list,
      fresh.map((value) => ({ value })),
    );
  if (permissions !== undefined) return withMembers(text, permissions, [{ name: effect, value: fresh }]);
  return withMembers(text, root, [{ name: 'permissions', value: { [effect]: fresh } }]);
}

function removed(text: string, effect: RuleEffect, rule: string): string {
  for (let rest = text; ;) {
    const found = partsOf(rest, effect)
      .lists.flatMap((list) => (list.children ?? []).map((element) => ({ list, element })))
      .findLast(({ element }) => element.value === rule);
    if (found === undefined) return rest;
    rest = withoutElement(rest, found.list, found.element);
  }
}

interface Parts {
  readonly root: Node;
  readonly permissions: Node | undefined;
  /** Those of one name count together. */
  readonly lists: readonly Node[];
}

function partsOf(text: string, effect: RuleEffect): Parts {
  const { root, problems } = new JsonDocument('', text, { lenient: true });
  const [problem] = problems;
  if (root === undefined) throw new Error(problem?.line === undefined ? (problem?.message ?? '') : t('Line {0}: {1}', problem.line, problem.message));
  if (root.type !== 'object') throw new Error(t('The file must contain an object in braces.'));
  const permissions = propertiesOf(root).findLast(({ name }) => name === 'permissions')?.value;
  if (permissions !== undefined && permissions.type !== 'object') throw new Error(t('“{0}” must be an object in braces.', 'permissions'));
  const lists = propertiesOf(permissions).flatMap(({ name, value }) => (name === effect ? [value] : []));
  if (lists.some(({ type }) => type !== 'array')) throw new Error(t('“{0}” must be an array.', `permissions.${effect}`));
  return { root, permissions, lists };
}
