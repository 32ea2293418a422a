import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import type { OutputStyle } from '../../domain/config/skill.js';
import { withoutUnseen } from '../../domain/hidden-characters.js';
import { formatNumber, t } from '../../domain/l10n.js';
import { shownName } from '../../text/key-path.js';
import { FrontMatterFields } from '../front-matter/front-matter-fields.js';
import { readFrontMatter } from '../../text/front-matter/read-front-matter.js';

/** The output style of one file. */
export interface OutputStyleReading {
  /** Absent when the file cannot be used. */
  readonly style?: OutputStyle;
  /** Why it cannot; a sentence for the user. */
  readonly skipped?: string;
  readonly problems: readonly ConfigProblem[];
}

/** Characters of a name, and of a text. */
const MAX_NAME = 64;
const MAX_BODY = 200_000;
/** Names that mean the usual way to answer. */
const RESERVED: ReadonlySet<string> = new Set(['default', 'none', 'gnomon']);

/**
 * Reads an output style (code.claude.com/docs/en/output-styles). Without a name, it has that of its file. By default it takes the place of
 * the usual advice on coding.
 */
export function readOutputStyle(text: string, { origin }: { readonly origin: ConfigOrigin }): OutputStyleReading {
  const frontMatter = readFrontMatter(text, { file: origin.file });
  if (frontMatter.broken !== undefined) return { skipped: frontMatter.broken, problems: frontMatter.problems };
  const fields = new FrontMatterFields(frontMatter.fields, origin.file);
  const name = fields.text('name') ?? nameOf(origin.file);
  const description = fields.text('description') ?? '';
  const keepsCodingInstructions = fields.flag('keep-coding-instructions') ?? false;
  fields.ignore({ 'force-for-plugin': t('Gnomon has nothing like it.') });
  fields.rest(['name', 'description', 'keep-coding-instructions']);
  const body = frontMatter.body.trim();
  const { hidden } = withoutUnseen(body);
  if (hidden !== undefined)
    fields.problem(
      { name: '', line: frontMatter.bodyLine },
      t('The text contains characters that cannot be seen: {0}. Look at it before you use the output style.', hidden),
    );
  const problems = [...frontMatter.problems, ...fields.problems];
  const skipped = nameProblem(name) ?? bodyProblem(body);
  if (skipped !== undefined)
    return { skipped, problems: [{ file: origin.file, key: '', line: frontMatter.lineAt(['name']) ?? 1, message: skipped }, ...problems] };
  return { style: { name, description, origin, body, keepsCodingInstructions, fields: fields.reports }, problems };
}

function nameOf(file: string): string {
  return (file.split(/[/\\]/).at(-1) ?? '').replace(/\.md$/i, '');
}

function nameProblem(name: string): string | undefined {
  if (name.length > MAX_NAME) return t('The name of the output style has more than {0} characters.', MAX_NAME);
  if (/[:/\\\n\r\t]/.test(name) || withoutUnseen(name).hidden !== undefined) return t('An output style cannot have the name “{0}”.', shownName(name));
  return RESERVED.has(name.toLowerCase()) ? t('The name “{0}” is reserved. Choose another one.', shownName(name)) : undefined;
}

function bodyProblem(body: string): string | undefined {
  if (body === '') return t('The output style has no text.');
  return body.length > MAX_BODY ? t('The text of the output style has more than {0} characters.', formatNumber(MAX_BODY)) : undefined;
}
