import { present } from '../../domain/present.js';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import type { Skill } from '../../domain/config/skill.js';
import { formatNumber, t } from '../../domain/l10n.js';
import { headOf } from '../../text/show.js';
import { readAgent, readEffort, readModel } from '../front-matter/turn-fields.js';
import { readAllowedTools } from '../front-matter/allowed-tools.js';
import type { FrontMatterFields } from '../front-matter/front-matter-fields.js';
import { type FileFormat, type FileReading, readFile } from '../front-matter/read-file.js';
import { readFrontMatter } from '../../text/front-matter/read-front-matter.js';
import { readHooks } from '../hooks/front-matter-hooks.js';
import { folderNameOf, skillNameProblem, usableSkillName } from './skill-name.js';

/** The skill of one file. */
export interface SkillReading {
  /** Absent when the file cannot be used. */
  readonly skill?: Skill;
  /** Why it cannot; a sentence for the user. */
  readonly skipped?: string;
  readonly problems: readonly ConfigProblem[];
  /** Whether it keeps to the standard in all, so that every program can use it. Some skills that do not are used all the same. */
  readonly conforms: boolean;
}

/** Where a skill is read from. */
export interface SkillSource {
  /** Its `SKILL.md`. */
  readonly origin: ConfigOrigin;
  /** Absolute path of its folder. */
  readonly folder: string;
  /** As {@link Skill.mode}. */
  readonly mode?: string;
}

/** Characters of a description and of `compatibility`, by the standard. */
const MAX_DESCRIPTION = 1024;
const MAX_COMPATIBILITY = 500;
/** The fields of the standard. */
const STANDARD: ReadonlySet<string> = new Set(['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']);
/** Names that may have been meant by one that is not known. */
const KNOWN_FIELDS: readonly string[] = [
  ...STANDARD,
  'when_to_use',
  'argument-hint',
  'arguments',
  'disable-model-invocation',
  'user-invocable',
  'disallowed-tools',
  'model',
  'agent',
  'effort',
  'hooks',
];

/** Parsed fields of a file, without its location. */
type Values = Omit<Skill, 'origin' | 'folder' | 'mode' | 'fields'> & {
  /** Fields that are checked, and otherwise only kept. */
  readonly kept?: never;
};

const FORMAT: FileFormat<SkillSource, Values> = {
  fields: {
    name: readName,
    description: readDescription,
    kept: checkKept,
    allowedTools: ({ fields }) => readAllowedTools(fields, t('Only in a turn in which the skill is used, and once you have approved it.')),
    argumentHint: ({ fields }) => fields.text('argument-hint'),
    argumentNames: readArgumentNames,
    modelInvocable: ({ fields }) => !(fields.flag('disable-model-invocation') ?? false),
    userInvocable: ({ fields }) => fields.flag('user-invocable') ?? true,
    model: (file) => ofTurn(file, 'model', readModel),
    agent: (file) => ofTurn(file, 'agent', readAgent),
    effort: (file) => ofTurn(file, 'effort', readEffort),
    hooks: (file, { name }) =>
      readHooks(file, { owner: { kind: 'skill', name }, note: t('From the use of the skill until the chat ends, and once you have approved them.') }),
  },
  ignored: ignoredFields,
  known: KNOWN_FIELDS,
  check: checkWhole,
};

/**
 * Reads a `SKILL.md` (agentskills.io, "Specification"), with the fields that Claude Code has beside those of the standard
 * (code.claude.com/docs/en/skills, "Frontmatter reference"). Without a description the skill is skipped; any other mistake is
 * reported, and the skill is used. Never throws.
 */
export function readSkill(text: string, { origin, folder, mode }: SkillSource): SkillReading {
  const { problems, conforms, ...result } = readFile(text, { origin, folder }, FORMAT);
  if ('skipped' in result) return { skipped: result.skipped.why, problems, conforms };
  return { skill: { ...result.value, folder, ...present({ mode }) }, problems, conforms };
}

/** The text behind the front matter of a `SKILL.md`, which is what models get when it is activated. */
export function skillBody(text: string): string {
  return readFrontMatter(text, { file: '' }).body.trim();
}

function readName(file: FileReading): string {
  const line = file.lineOf('name');
  if (!file.frontMatter.exists) file.fail(t('The file has no front matter with “{0}” and “{1}”.', 'name', 'description'), line);
  const written = file.fields.text('name');
  const folder = folderNameOf(file.origin.file);
  const problem = written === undefined ? t('The skill has no “{0}”.', 'name') : skillNameProblem(written, folder);
  if (problem === undefined || file.hasFailed) return written ?? '';
  const name = usableSkillName([folder, written ?? '']);
  if (name === undefined) file.fail(problem, line);
  else file.breach({ name: 'name', message: `${problem} ${t('It is used as “{0}”.', name)}` });
  return name ?? '';
}

/** With `when_to_use` of Claude Code behind it, which it shows to models as well. */
function readDescription(file: FileReading): string {
  const { fields } = file;
  const line = file.lineOf('description');
  const description = fields.text('description');
  if (description === undefined) file.fail(t('The skill has no “{0}”, so no model would know when to use it.', 'description'), line);
  else checkLength(file, 'description', description, MAX_DESCRIPTION);
  const whole = [description, fields.text('when_to_use')].filter((part) => part !== undefined).join(' ');
  const shown = headOf(whole, MAX_DESCRIPTION * 2);
  const cut = t('Models get the first {0} characters of “{1}” and “{2}”.', formatNumber(MAX_DESCRIPTION * 2), 'description', 'when_to_use');
  if (shown !== whole) fields.problem({ name: 'description', line }, cut, true);
  return shown;
}

function checkKept(file: FileReading): undefined {
  const { fields } = file;
  fields.text('license');
  const compatibility = fields.text('compatibility');
  if (compatibility !== undefined) checkLength(file, 'compatibility', compatibility, MAX_COMPATIBILITY);
  else if (file.frontMatter.fields.has('compatibility')) file.breach();
  const metadata = fields.take('metadata');
  if (metadata === undefined) return;
  if (typeof metadata.value === 'object' && !Array.isArray(metadata.value)) fields.report(metadata, 'used', t('Gnomon only keeps it.'));
  else fields.refuse(metadata, t('“{0}” must consist of fields.', 'metadata'));
}

function checkLength(file: FileReading, name: string, text: string, most: number): void {
  if (Array.from(text).length > most)
    file.breach({ name, message: t('“{0}” has more than {1} characters, which some programs refuse.', name, formatNumber(most)) });
}

/** A field of the turn that it is activated in. Those of a fork are for another chat, which Gnomon does not start. */
function ofTurn<V>({ fields, frontMatter }: FileReading, name: string, read: (fields: FrontMatterFields, used: string) => V | undefined): V | undefined {
  if (frontMatter.fields.get('context')?.value !== 'fork') return read(fields, t('Used in the turn in which you activate the skill, not when a model does.'));
  fields.ignore({ [name]: t('The skill wants a chat of its own, and works in yours.') });
  return undefined;
}

function readArgumentNames({ fields }: FileReading): readonly string[] {
  const field = fields.take('arguments');
  if (field === undefined) return [];
  const names = typeof field.value === 'string' ? field.value.split(/[\s,]+/).filter((name) => name !== '') : fields.items(field)?.map(({ text }) => text);
  if (names !== undefined) fields.report(field, 'ignored', t('Gnomon gives the skill what you write behind its name as a whole.'));
  return names ?? [];
}

function checkWhole(file: FileReading): void {
  const { frontMatter } = file;
  // Values that are read as texts although they are no YAML are noted there.
  if (frontMatter.problems.length > 0 || [...frontMatter.fields.keys()].some((name) => !STANDARD.has(name))) file.breach();
  const description = frontMatter.fields.get('description')?.value;
  const says = (hidden: string): string => t('The text contains characters that cannot be seen: {0}. Models get it without them.', hidden);
  file.noteHidden('description', typeof description === 'string' ? description : '', says);
  file.noteHidden('', frontMatter.body, says);
}

/** Why fields of other programs have no effect here. */
function ignoredFields(): Readonly<Record<string, string>> {
  const nothing = t('Gnomon has nothing like it.');
  const inChat = t('In Gnomon, a skill works in the chat, with its tools.');
  return {
    context: inChat,
    background: inChat,
    'disallowed-tools': inChat,
    mode: inChat,
    paths: t('Gnomon does not load a skill because of a file.'),
    shell: t('Gnomon does not run commands that are in the text of a skill.'),
    version: nothing,
    author: nothing,
    tags: nothing,
    category: nothing,
    keywords: nothing,
    triggers: nothing,
    homepage: nothing,
    dependencies: nothing,
    title: nothing,
  };
}
