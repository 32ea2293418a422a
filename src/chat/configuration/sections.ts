import { present } from '../../domain/present.js';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILT_IN_NAMES } from '../../config/commands/command-name.js';
import { chooseCommands } from '../../config/commands/choose-commands.js';
import { entryTokens, type SkillShowing } from '../../config/skills/catalog.js';
import { settingsFields } from '../../config/settings/settings-fields.js';
import type { EffectiveValue } from '../../domain/config/effective-value.js';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem, FieldReport } from '../../domain/config/problem.js';
import type { CommandFile } from '../../domain/config/skill.js';
import { formatAbout, formatNumber, t } from '../../domain/l10n.js';
import type { RuleEffect } from '../../domain/tool/permission.js';
import type { LayerFile } from '../../node/config/layer-files.js';
import type { SkillPlace } from '../../node/config/skill-files.js';
import { redact } from '../../text/redact.js';
import type { ConfigurationTone } from '../../protocol/configuration.js';
import type { Agents } from '../../customization/agents.js';
import type { OutputStyles } from '../../customization/styles.js';
import { settingOf } from '../../consent/rules/rule-source.js';
import type { ListedEntry, RuleListing } from '../../consent/rules/settings-rule-book.js';
import type { SkillsFound } from '../../customization/skills.js';
import { rulePlaces } from './rule-places.js';
import { type Fact, type ReportedItem, type ReportSection, waitsForTrust } from './report.js';

/** Characters of a value that a row shows at any width. */
const MAX_IN_ROW = 40;

/** The settings: those that somebody has set come first. */
export function settingsSection(
  values: readonly EffectiveValue[],
  descriptions: ReadonlyMap<string, string>,
  problems: readonly ConfigProblem[],
): ReportSection {
  const isSet = ({ origin, overridden }: EffectiveValue): boolean => origin !== undefined || overridden.length > 0;
  const items = [...values.filter(isSet), ...values.filter((each) => !isSet(each))].map(({ key, value, origin, overridden }): ReportedItem => {
    const description = descriptions.get(key);
    const shown = shownValue(value);
    return {
      key,
      name: key,
      value: shown,
      // In the row, only its beginning fits.
      ...(shown.length > MAX_IN_ROW ? { facts: [{ name: t('Value'), value: shown }] } : {}),
      setTo: value,
      ...(origin === undefined ? { state: t('Default'), tone: 'idle' } : { state: t('Modified'), tone: 'usual', origin }),
      overridden,
      ...present({ description }),
    };
  });
  const count = values.filter(isSet).length;
  return {
    id: 'settings',
    items,
    empty: t('There are none.'),
    note: count === 0 ? t('All have their default values.') : t('{0} of {1} are modified.', formatNumber(count), formatNumber(values.length)),
    problems,
  };
}

/** Objects and lists may have keys and tokens in them, and are long; addresses may have passwords in them. */
export function shownValue(value: unknown): string {
  if (Array.isArray(value)) return t('a list of {0}', value.length);
  if (typeof value === 'object' && value !== null) return t('an object');
  return value === undefined ? '' : redact(JSON.stringify(value));
}

/**
 * The files of the layers, with the states of their fields. A field of settings with a mistake in its name is a problem: it does nothing.
 * @param hookFields states of the fields of a file that are about hooks
 */
export function filesSection(files: readonly LayerFile[], hookFields: (file: string) => readonly FieldReport[] = () => []): ReportSection {
  const items = files.map((file): ReportedItem => {
    const { origin } = file;
    const same = { key: origin.file, name: origin.display, origin };
    if ('problem' in file) return { ...same, state: t('Not read'), tone: 'wrong', description: file.problem };
    return {
      ...same,
      state: t('Read'),
      tone: 'usual',
      ...present({ description: file.notice }),
      fields: [...(file.form === 'settings' ? settingsFields(file.text, origin) : []), ...hookFields(origin.file)],
    };
  });
  return {
    id: 'files',
    items,
    empty: t('There are none. They are looked for at {0}.', '.gnomon/settings.json, .claude/settings.json, ~/.gnomon/settings.json'),
    problems: items.flatMap(misspelled),
  };
}

function misspelled({ origin, fields = [] }: ReportedItem): readonly ConfigProblem[] {
  return fields.flatMap(({ field, meant, note = '', line }) =>
    meant === undefined || origin === undefined ? [] : [{ file: origin.file, key: field, message: note, ...present({ line }) }],
  );
}

/** The permission rules of all settings and files. */
export function rulesSection({ entries, problems, pending }: RuleListing, files: readonly LayerFile[]): ReportSection {
  const places = new Map(files.map((file) => [pathToFileURL(file.origin.file).href, 'text' in file ? rulePlaces(file.text, file.origin) : () => file.origin]));
  const states: Readonly<Record<ListedEntry['state'], readonly [string, ConfigurationTone]>> = {
    holds: [t('Counts'), 'usual'],
    unreadable: [t('Unreadable'), 'wrong'],
    needs_consent: [t('Waits for approval'), 'waits'],
  };
  const items = entries.map((entry): ReportedItem => {
    const { rule, source, written } = entry;
    const [state, tone] =
      entry.state === 'holds' && entry.limit !== undefined && entry.limit.kind !== 'part' ? [t('Covers nothing'), 'usual' as const] : states[entry.state];
    const description = [...entry.problems, ...(entry.limit === undefined ? [] : [entry.limit.why])].join('\n');
    const list = entry.state === 'needs_consent' ? pending.find((each) => each.source.id === source.id) : undefined;
    return {
      key: `${rule.effect} ${rule.text} ${source.id}`,
      name: `${rule.effect} ${rule.text}`,
      state,
      tone,
      ...(description === '' ? {} : { description }),
      origin: places.get(source.id)?.(rule.effect, written) ?? ofSettings(entry, rule.effect),
      ...(list === undefined ? {} : { subject: { type: 'rules', pending: list, actions: ['review_rules'] } }),
    };
  });
  return { id: 'rules', items, empty: t('There are none.'), problems: problems.map((message) => ({ file: '', key: '', message })) };
}

/** The place of a rule in the settings of VS Code, which do not tell lines. */
function ofSettings({ source }: ListedEntry, effect: RuleEffect): ConfigOrigin {
  if (source.place === 'flag') return { layer: 'flag', file: settingOf(source, effect), display: source.label };
  const layer = source.place === 'user' || source.place === 'machine' || source.place === 'userFile' ? 'user' : 'project';
  return { layer, file: settingOf(source, effect), display: source.label };
}

/** The agents that can be chosen, and after them those that wait for trust. */
export function agentsSection({ agents, waiting, problems }: Pick<Agents, 'agents' | 'waiting' | 'problems'>): ReportSection {
  const items = agents.map(({ name, agent, overridden }): ReportedItem => {
    const { allowedTools, disallowedTools, model, permissionMode, skills, definedServers = [] } = agent;
    const facts = factsOf(
      [t('Tools'), allowedTools.join(', ')],
      [t('Tools that it does not have'), disallowedTools.join(', ')],
      [t('Model'), model],
      [t('Permission mode'), permissionMode],
      [t('Skills'), skills.join(', ')],
      [t('MCP servers that it alone has'), definedServers.map((server) => server.name).join(', ')],
    );
    return {
      key: name,
      name,
      state: t('Available'),
      tone: 'usual',
      description: agent.description,
      origin: agent.origin,
      overridden,
      fields: agent.fields,
      facts,
    };
  });
  return {
    id: 'agents',
    items: [...items, ...waiting.map(waitingItem)],
    empty: t('There are none. They are read from {0}.', '.gnomon/agents, .claude/agents, .github/agents, .cursor/agents, .roomodes'),
    problems,
  };
}

/** The skills, with what models know of them, and after them those that wait for trust, of which only the places are known. */
export function skillsSection(
  { choice, plan, problems }: SkillsFound,
  { pinned, waiting }: { readonly pinned: ReadonlySet<string>; readonly waiting: readonly Pick<SkillPlace, 'origin' | 'folder'>[] },
): ReportSection {
  let tokens = 0;
  const items = choice.skills.map((chosen): ReportedItem => {
    const { name, qualifiedName, skill, overridden } = chosen;
    const showing = plan.showing.get(qualifiedName);
    const isPinned = pinned.has(qualifiedName);
    const own = entryTokens(chosen);
    if (showing === 'described') tokens += own;
    const facts = factsOf(
      [t('Tokens in the list'), formatNumber(own)],
      [t('Tools that need no approval'), skill.allowedTools.join(', ')],
      [t('Arguments'), skill.argumentHint],
    );
    const pin = isPinned ? 'unpin_skill' : 'pin_skill';
    return {
      key: name,
      name,
      ...stateOfSkill(showing, isPinned),
      description: skill.description,
      origin: skill.origin,
      overridden,
      fields: skill.fields,
      facts,
      ...(skill.modelInvocable ? { subject: { type: 'skill', chosen, actions: [pin] } } : {}),
    };
  });
  const left = plan.unlisted === 0 ? '' : ` ${t('Not listed, because there are too many: {0}.', formatNumber(plan.unlisted))}`;
  const note = items.length === 0 ? {} : { note: `${t('The list for models takes about {0} tokens.', formatAbout(tokens))}${left}` };
  const known = waiting.map(({ origin, folder }) => waitingItem({ name: basename(folder), origin }));
  return {
    id: 'skills',
    items: [...items, ...known],
    empty: t('There are none. They are read from {0} in the workspace and in your home folder.', '.agents/skills, .claude/skills, .gnomon/skills'),
    ...note,
    problems,
  };
}

function stateOfSkill(showing: SkillShowing | undefined, isPinned: boolean): Pick<ReportedItem, 'state' | 'tone'> {
  switch (showing) {
    case 'described':
      return { state: isPinned ? t('Pinned') : t('Listed'), tone: 'usual' };
    case 'named':
      return { state: t('Only its name'), tone: 'usual' };
    case 'unlisted':
      return { state: t('Not listed'), tone: 'idle' };
    default:
      return { state: t('Only for you'), tone: 'usual' };
  }
}

/** The slash commands of files. */
export function commandsSection({
  all,
  problems,
  counts,
}: {
  readonly all: readonly CommandFile[];
  readonly problems: readonly ConfigProblem[];
  readonly counts: (command: CommandFile) => boolean;
}): ReportSection {
  const choice = chooseCommands(all, BUILT_IN_NAMES);
  const items = choice.commands.map(({ name, command, overridden }): ReportedItem => {
    const { description, origin, fields, argumentHint, model, agent, allowedTools } = command;
    const facts = factsOf(
      [t('Arguments'), argumentHint],
      [t('Agent'), agent],
      [t('Model'), model],
      [t('Tools that need no approval'), allowedTools.join(', ')],
    );
    const state = counts(command) ? ({ state: t('Available'), tone: 'usual' } as const) : waitsForTrust();
    return { key: name, name: `/${name}`, ...state, description, origin, overridden, fields, facts };
  });
  return {
    id: 'commands',
    items,
    empty: t('There are none. They are read from {0}.', '.gnomon/commands, .claude/commands, .github/prompts'),
    problems: [...problems, ...choice.problems],
  };
}

/** The output styles. @param chosen the name of the one that is used */
export function stylesSection({ styles, waiting, problems }: Pick<OutputStyles, 'styles' | 'waiting' | 'problems'>, chosen: string | undefined): ReportSection {
  const items = styles.map(({ name, description, origin, fields }): ReportedItem => ({
    key: name,
    name,
    ...(name === chosen ? { state: t('In use'), tone: 'usual' } : { state: t('Available'), tone: 'idle' }),
    description,
    origin,
    fields,
  }));
  return {
    id: 'styles',
    items: [...items, ...waiting.map(waitingItem)],
    empty: t('There are none. They are read from {0}.', '.gnomon/output-styles, .claude/output-styles'),
    problems,
  };
}

/** Something that waits for trust: it is named, and nothing of it counts. */
function waitingItem({ name, description, origin }: { readonly name: string; readonly description?: string; readonly origin: ConfigOrigin }): ReportedItem {
  return { key: `${name} ${origin.file}`, name, ...waitsForTrust(), ...present({ description }), origin };
}

/** Those that there are. */
function factsOf(...facts: readonly (readonly [name: string, value: string | undefined])[]): readonly Fact[] {
  return facts.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [{ name, value }]));
}
