import { t } from '../../domain/l10n.js';
import { shownName } from '../../text/key-path.js';
import type { FrontMatterFields, TakenField } from '../front-matter/front-matter-fields.js';
import { type ToolDialect, toolMeaning } from '../tool-names.js';

/** Takes more than the tool of its name away: `apply_patch` also writes new files. */
const TAKEN_AS_WELL: Readonly<Record<string, readonly string[]>> = { write: ['apply_patch'] };

/**
 * The tools that an agent has, as the names or patterns of {@link toolMeaning}. What Gnomon does not know, or could not limit as the file
 * does, is left out, and reported.
 * @returns `undefined` when the list cannot be read, so that the agent would have tools that it should not have
 */
export function readTools(fields: FrontMatterFields, field: TakenField, dialect: ToolDialect): readonly string[] | undefined {
  const tools = toolsOf(fields, field, dialect);
  if (tools === undefined) return undefined;
  if (tools.length > 0) fields.report(field, 'used', tools[0] === '*' ? t('All tools.') : t('Tools in Gnomon: {0}.', tools.join(', ')));
  else {
    fields.report(field, 'used', t('No tools.'));
    fields.problem(field, t('The agent has no tools: Gnomon has none of those in “{0}”.', shownName(field.name)));
  }
  return tools;
}

/**
 * The tools that are taken away from an agent. Of a tool that is limited to some arguments, all of it is taken away.
 * @returns `undefined` when the list cannot be read
 */
export function readDisallowedTools(fields: FrontMatterFields, field: TakenField, dialect: ToolDialect): readonly string[] | undefined {
  const tools = toolsOf(fields, field, dialect, true);
  if (tools === undefined) return undefined;
  const all = [...new Set(tools.flatMap((tool) => [tool, ...(Object.hasOwn(TAKEN_AS_WELL, tool) ? (TAKEN_AS_WELL[tool] ?? []) : [])]))];
  fields.report(field, 'used', all.length === 0 ? t('No tools.') : t('Tools in Gnomon: {0}.', all.join(', ')));
  return all;
}

function toolsOf(fields: FrontMatterFields, field: TakenField, dialect: ToolDialect, takesAway = false): readonly string[] | undefined {
  const items = fields.items(field);
  if (items === undefined) return undefined;
  const tools = items.flatMap(({ text, field: path }): readonly string[] => {
    const meaning = toolMeaning(text, dialect);
    switch (meaning.type) {
      case 'tools':
        return meaning.tools;
      case 'limited':
        if (takesAway) {
          const whole = toolMeaning(meaning.name, dialect);
          fields.reportItem(field, path, 'used', t('“{0}” takes the whole tool away: Gnomon cannot limit a tool here.', shownName(text)));
          return whole.type === 'tools' ? whole.tools : [];
        }
        fields.reportItem(
          field,
          path,
          'refused',
          t(
            '“{0}” is left out, because Gnomon cannot limit a tool here. Write “{1}” to give the agent the tool, and limit it with permission rules.',
            shownName(text),
            shownName(meaning.name),
          ),
        );
        return [];
      case 'none':
        fields.reportItem(field, path, 'ignored', t('Gnomon has no tool like “{0}”.', shownName(text)));
        return [];
      case 'unknown':
        fields.reportItem(field, path, 'ignored', t('Gnomon does not know the tool “{0}”.', shownName(text)));
        // What should not be there may be there under its right name.
        if (takesAway) fields.problem(field, t('Gnomon does not know the tool “{0}”.', shownName(text)));
        return [];
    }
  });
  return tools.includes('*') ? ['*'] : [...new Set(tools)];
}
