import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import type { OutputStyle } from '../../domain/config/skill.js';
import { withoutUnseen } from '../../domain/hidden-characters.js';
import { formatNumber, t } from '../../domain/l10n.js';
import { shownName } from '../../text/key-path.js';
import { type FileFormat, readFile } from '../front-matter/read-file.js';

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

interface Source {
  readonly origin: ConfigOrigin;
}

const FORMAT: FileFormat<Source, Omit<OutputStyle, 'origin' | 'fields'>> = {
  fields: {
    name: ({ fields, origin }) => fields.text('name') ?? nameOf(origin.file),
    description: ({ fields }) => fields.text('description') ?? '',
    keepsCodingInstructions: ({ fields }) => fields.flag('keep-coding-instructions') ?? false,
    body: ({ frontMatter }) => frontMatter.body.trim(),
  },
  ignored: () => ({ 'force-for-plugin': t('Gnomon has nothing like it.') }),
  known: ['name', 'description', 'keep-coding-instructions'],
  check: (file, { name, body }) => {
    file.noteHidden('', body, (hidden) => t('The text contains characters that cannot be seen: {0}. Look at it before you use the output style.', hidden));
    const why = nameProblem(name) ?? bodyProblem(body);
    if (why !== undefined) file.fail(why, file.lineOf('name'));
  },
};

/**
 * Reads an output style (code.claude.com/docs/en/output-styles). Without a name, it has that of its file. By default it takes the place of
 * the usual advice on coding.
 */
export function readOutputStyle(text: string, { origin }: Source): OutputStyleReading {
  const { problems, ...result } = readFile(text, { origin }, FORMAT);
  return 'skipped' in result ? { skipped: result.skipped.why, problems } : { style: result.value, problems };
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
