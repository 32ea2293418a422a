import { t } from '../../domain/l10n.js';
import { shownName } from '../../text/key-path.js';
import { toolMeaning } from '../tool-names.js';
import type { FrontMatterFields } from './front-matter-fields.js';

/** The name that the standard and Claude Code have for the field. */
const NAME = 'allowed-tools';
/** The tool that asks the user a question, which all programs call by another name: a rule needs the one of Gnomon. */
const ASKS = 'ask';

/**
 * Reads `allowed-tools` of a skill or command, as rules that need approval. The standard has spaces between tools
 * (agentskills.io, "Specification"), Claude Code also commas and lists (code.claude.com/docs/en/skills, "Frontmatter reference"); what is in
 * parentheses belongs to a tool. Tools that Gnomon has nothing like grant nothing, and are reported.
 * @param used note about the field
 */
export function readAllowedTools(fields: FrontMatterFields, used: string): readonly string[] {
  const field = fields.take(NAME);
  if (field !== undefined && field.name !== NAME) {
    // Another spelling is in no documentation: no other program grants it, so it is not granted here either.
    fields.refuse(field, t('Gnomon does not know the key “{0}” and ignores it. Did you mean “{1}”?', shownName(field.name), NAME));
    return [];
  }
  const items = field === undefined ? undefined : fields.items(field);
  if (field === undefined || items === undefined) return [];
  const rules = items.flatMap(({ text, field: path }) =>
    splitAtSpaces(text).flatMap((tool): readonly string[] => {
      const meaning = toolMeaning(tool.replace(/\(.*$/s, ''), 'claude');
      if (meaning.type === 'none') fields.reportItem(field, path, 'ignored', t('Gnomon has no tool like “{0}”.', shownName(tool)));
      if (meaning.type === 'none') return [];
      return [meaning.type === 'tools' && meaning.tools.every((name) => name === ASKS) && !tool.includes('(') ? ASKS : tool];
    }),
  );
  fields.report(field, 'used', used);
  return rules;
}

function splitAtSpaces(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth = Math.max(0, depth - 1);
    const isBetween = depth === 0 && /\s/.test(character);
    if (isBetween) parts.push(part);
    part = isBetween ? '' : part + character;
  }
  return [...parts, part].filter((each) => each !== '');
}
