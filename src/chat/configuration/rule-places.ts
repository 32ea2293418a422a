import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { RuleEffect } from '../../domain/tool/permission.js';
import { JsonDocument, propertiesOf } from '../../text/json-document.js';

/**
 * Finds the rules of a settings file in the form of Claude Code.
 * @returns where a rule of a list is, as it is written: of several of one text the first; the file where it is not found
 */
export function rulePlaces(text: string, origin: ConfigOrigin): (effect: RuleEffect, written: unknown) => ConfigOrigin {
  const document = new JsonDocument(origin.file, text, { lenient: true });
  const lines = new Map<string, number>();
  for (const { name, value } of propertiesOf(document.root)) {
    if (name !== 'permissions') continue;
    for (const list of propertiesOf(value)) {
      for (const node of list.value.type === 'array' ? (list.value.children ?? []) : [list.value]) {
        const line = document.lineOf(node);
        const key = keyOf(list.name, node.value);
        if (line !== undefined && !lines.has(key)) lines.set(key, line);
      }
    }
  }
  return (effect, written) => {
    const line = lines.get(keyOf(effect, written));
    return line === undefined ? origin : { ...origin, line };
  };
}

function keyOf(list: string, written: unknown): string {
  return JSON.stringify([list, written]);
}
