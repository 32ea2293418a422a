import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import type { Skill } from '../../domain/config/skill.js';
import { withoutUnseen } from '../../domain/hidden-characters.js';
import { formatNumber, t } from '../../domain/l10n.js';
import { headOf } from '../../text/show.js';
import { readTurn, type TurnFields } from '../front-matter/turn-fields.js';
import { readAllowedTools } from '../front-matter/allowed-tools.js';
import { FrontMatterFields } from '../front-matter/front-matter-fields.js';
import { type FrontMatter, readFrontMatter } from '../../text/front-matter/read-front-matter.js';
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

/**
 * Reads a `SKILL.md` (agentskills.io, "Specification"), with the fields that Claude Code has beside those of the standard
 * (code.claude.com/docs/en/skills, "Frontmatter reference"). Without a description the skill is skipped; any other mistake is
 * reported, and the skill is used. Never throws.
 */
export function readSkill(text: string, { origin, folder, mode }: SkillSource): SkillReading {
  const frontMatter = readFrontMatter(text, { file: origin.file });
  const { broken, problems } = frontMatter;
  if (broken !== undefined) return { skipped: broken, problems, conforms: false };
  return new SkillReader(frontMatter, { origin, folder, ...(mode === undefined ? {} : { mode }) }).read();
}

/** The text behind the front matter of a `SKILL.md`, which is what models get when it is activated. */
export function skillBody(text: string): string {
  return readFrontMatter(text, { file: '' }).body.trim();
}

class SkillReader {
  private readonly fields: FrontMatterFields;
  private failed: { readonly why: string; readonly line: number } | undefined;
  private conforms = true;

  constructor(
    private readonly frontMatter: FrontMatter,
    private readonly source: SkillSource,
  ) {
    this.fields = new FrontMatterFields(frontMatter.fields, source.origin.file);
  }

  read(): SkillReading {
    const {
      fields,
      frontMatter,
      source: { origin },
    } = this;
    // Values that are read as texts although they are no YAML are noted there.
    if (frontMatter.problems.length > 0 || [...frontMatter.fields.keys()].some((name) => !STANDARD.has(name))) this.conforms = false;
    const skill = this.skill();
    fields.ignore(ignoredFields());
    fields.rest(KNOWN_FIELDS);
    this.noteHidden();
    const problems = [...frontMatter.problems, ...fields.problems];
    if (this.failed === undefined) return { skill: { ...skill, fields: fields.reports }, problems, conforms: this.conforms };
    const { why, line } = this.failed;
    return { skipped: why, problems: [{ file: origin.file, key: '', line, message: why }, ...problems], conforms: false };
  }

  private skill(): Skill {
    const { fields, source } = this;
    const name = this.name();
    const description = this.description();
    fields.text('license');
    this.compatibility();
    this.metadata();
    const allowedTools = readAllowedTools(fields, t('Only in a turn in which the skill is used, and once you have approved it.'));
    const argumentHint = fields.text('argument-hint');
    const argumentNames = this.argumentNames();
    const modelInvocable = !(fields.flag('disable-model-invocation') ?? false);
    const userInvocable = fields.flag('user-invocable') ?? true;
    const turn = this.turn();
    const hooks = readHooks(fields, {
      origin: source.origin,
      owner: { kind: 'skill', name },
      lineAt: this.frontMatter.lineAt,
      note: t('From the use of the skill until the chat ends, and once you have approved them.'),
    });
    return {
      name,
      description,
      ...source,
      allowedTools,
      modelInvocable,
      userInvocable,
      ...(argumentHint === undefined ? {} : { argumentHint }),
      ...turn,
      argumentNames,
      hooks,
      fields: [],
    };
  }

  private name(): string {
    const {
      frontMatter,
      fields,
      source: { origin },
    } = this;
    const line = frontMatter.lineAt(['name']) ?? 1;
    if (!frontMatter.exists) this.fail(t('The file has no front matter with “{0}” and “{1}”.', 'name', 'description'), line);
    const written = fields.text('name');
    const folder = folderNameOf(origin.file);
    const problem = written === undefined ? t('The skill has no “{0}”.', 'name') : skillNameProblem(written, folder);
    if (problem === undefined || this.failed !== undefined) return written ?? '';
    const name = usableSkillName([folder, written ?? '']);
    if (name === undefined) this.fail(problem, line);
    else this.breach('name', `${problem} ${t('It is used as “{0}”.', name)}`, line);
    return name ?? '';
  }

  /** With `when_to_use` of Claude Code behind it, which it shows to models as well. */
  private description(): string {
    const { frontMatter, fields } = this;
    const line = frontMatter.lineAt(['description']) ?? 1;
    const description = fields.text('description');
    if (description === undefined) this.fail(t('The skill has no “{0}”, so no model would know when to use it.', 'description'), line);
    else if (Array.from(description).length > MAX_DESCRIPTION)
      this.breach('description', t('“{0}” has more than {1} characters, which some programs refuse.', 'description', formatNumber(MAX_DESCRIPTION)), line);
    const whole = [description, fields.text('when_to_use')].filter((part) => part !== undefined).join(' ');
    const shown = headOf(whole, MAX_DESCRIPTION * 2);
    const cut = t('Models get the first {0} characters of “{1}” and “{2}”.', formatNumber(MAX_DESCRIPTION * 2), 'description', 'when_to_use');
    if (shown !== whole) fields.problem({ name: 'description', line }, cut, true);
    return shown;
  }

  private compatibility(): void {
    const { frontMatter, fields } = this;
    const wasThere = frontMatter.fields.has('compatibility');
    const text = fields.text('compatibility');
    if (text === undefined) this.conforms &&= !wasThere;
    else if (Array.from(text).length > MAX_COMPATIBILITY)
      this.breach(
        'compatibility',
        t('“{0}” has more than {1} characters, which some programs refuse.', 'compatibility', formatNumber(MAX_COMPATIBILITY)),
        frontMatter.lineAt(['compatibility']) ?? 1,
      );
  }

  private metadata(): void {
    const field = this.fields.take('metadata');
    if (field === undefined) return;
    if (typeof field.value === 'object' && !Array.isArray(field.value)) this.fields.report(field, 'used', t('Gnomon only keeps it.'));
    else this.fields.refuse(field, t('“{0}” must consist of fields.', 'metadata'));
  }

  /** Those of a fork are for another chat, which Gnomon does not start. */
  private turn(): TurnFields {
    const { fields, frontMatter } = this;
    if (frontMatter.fields.get('context')?.value !== 'fork')
      return readTurn(fields, t('Used in the turn in which you activate the skill, not when a model does.'));
    const why = t('The skill wants a chat of its own, and works in yours.');
    fields.ignore({ model: why, agent: why, effort: why });
    return {};
  }

  private argumentNames(): readonly string[] {
    const field = this.fields.take('arguments');
    if (field === undefined) return [];
    const names =
      typeof field.value === 'string' ? field.value.split(/[\s,]+/).filter((name) => name !== '') : this.fields.items(field)?.map(({ text }) => text);
    if (names !== undefined) this.fields.report(field, 'ignored', t('Gnomon gives the skill what you write behind its name as a whole.'));
    return names ?? [];
  }

  private noteHidden(): void {
    const { frontMatter, fields } = this;
    const description = frontMatter.fields.get('description')?.value;
    const places = [
      ['description', typeof description === 'string' ? description : '', frontMatter.lineAt(['description']) ?? 1],
      ['', frontMatter.body, frontMatter.bodyLine],
    ] as const;
    for (const [name, text, line] of places) {
      const { hidden } = withoutUnseen(text);
      if (hidden !== undefined) fields.problem({ name, line }, t('The text contains characters that cannot be seen: {0}. Models get it without them.', hidden));
    }
  }

  /** Notes what other programs would refuse. */
  private breach(name: string, message: string, line: number): void {
    this.conforms = false;
    this.fields.problem({ name, line }, message);
  }

  private fail(why: string, line: number): void {
    this.failed ??= { why, line };
  }
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
