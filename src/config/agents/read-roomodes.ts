import { present } from '../../domain/present.js';
import type { AgentFile } from '../../domain/config/agent.js';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import { formatNumber, t } from '../../domain/l10n.js';
import { shownName } from '../../text/key-path.js';
import { FrontMatterFields, type TakenField } from '../front-matter/front-matter-fields.js';
import { type PlainValue, type YamlText, pathKey, readYaml } from '../../text/front-matter/yaml-text.js';
import { agentNameProblem } from './agent-name.js';
import type { AgentReading, SkippedAgent } from './agent-reading.js';

/** Groups of tools of Roo Code (RooCodeInc/Roo-Code, packages/types/src/mode.ts and tool.ts). */
const GROUPS: ReadonlyMap<string, readonly string[]> = new Map([
  ['read', ['read', 'grep', 'glob', 'list', 'symbols', 'diagnostics']],
  ['edit', ['edit', 'apply_patch', 'write']],
  ['browser', ['fetch']],
  ['command', ['bash', 'jobs']],
  ['mcp', ['mcp__*']],
  ['modes', []],
]);
/** Tools that every mode of Roo Code has. */
const ALWAYS: readonly string[] = ['ask', 'todo'];
/** Modes of one file. */
const MAX_MODES = 100;

/** Reads the `customModes` of a `.roomodes` file of Roo Code, which is YAML or JSON (docs.roocode.com/features/custom-modes), as agents. */
export function readRoomodes(text: string, { origin }: { readonly origin: ConfigOrigin }): AgentReading {
  const whole = (why: string, line: number): AgentReading => ({
    agents: [],
    skipped: [{ origin: { ...origin, line }, why }],
    problems: [{ file: origin.file, key: '', line, message: why }],
  });
  const yaml = readYaml(text.startsWith('\uFEFF') ? text.slice(1) : text);
  if ('damage' in yaml) return whole(yaml.damage.message, yaml.damage.line);
  const modes = isObject(yaml.value) && Object.hasOwn(yaml.value, 'customModes') ? yaml.value['customModes'] : undefined;
  if (!Array.isArray(modes)) return whole(t('The file must have a list “{0}”.', 'customModes'), 1);
  const readings = modes.slice(0, MAX_MODES).map((mode: PlainValue, index) => readMode(mode, index, yaml, origin));
  const rest: readonly ConfigProblem[] =
    modes.length > MAX_MODES
      ? [{ file: origin.file, key: 'customModes', message: t('The file has more than {0} modes. Those after them are not used.', formatNumber(MAX_MODES)) }]
      : [];
  return {
    agents: readings.flatMap(({ agent }) => agent ?? []),
    skipped: readings.flatMap(({ skipped }) => skipped ?? []),
    problems: [...readings.flatMap(({ problems }) => problems), ...rest],
  };
}

interface ModeReading {
  readonly agent?: AgentFile;
  readonly skipped?: SkippedAgent;
  readonly problems: readonly ConfigProblem[];
}

function readMode(mode: PlainValue, index: number, yaml: YamlText, origin: ConfigOrigin): ModeReading {
  const path = ['customModes', index];
  const line = yaml.lines.get(pathKey(path)) ?? 1;
  const here = { ...origin, line };
  if (!isObject(mode)) return skip({ origin: here, why: t('The mode must be an object with fields.') }, []);
  const entries = Object.entries(mode).map(([name, value]) => [name, { value, line: yaml.lines.get(pathKey([...path, name])) ?? line }] as const);
  const fields = new FrontMatterFields(new Map(entries), origin.file, path);
  const slug = fields.text('slug') ?? '';
  const why = slug === '' ? t('The mode has no “{0}”.', 'slug') : agentNameProblem(slug);
  const description = [fields.text('description'), fields.text('whenToUse')].filter((part) => part !== undefined).join('\n');
  const systemPrompt = [fields.text('roleDefinition'), fields.text('customInstructions')].filter((part) => part !== undefined).join('\n\n');
  const groups = fields.take('groups');
  const tools = groups === undefined ? ALWAYS : readGroups(fields, groups);
  fields.ignore({
    name: t('In Gnomon, the mode has the name “{0}”.', shownName(slug)),
    source: t('Gnomon has nothing like it.'),
    iconName: t('Gnomon has nothing like it.'),
    rulesFiles: t('Gnomon has nothing like it.'),
  });
  fields.rest([]);
  if (why !== undefined) return skip({ origin: here, ...(slug === '' ? {} : { name: slug }), why }, fields.problems);
  if (systemPrompt === '') return skip({ origin: here, name: slug, why: t('The mode has no “{0}”.', 'roleDefinition') }, fields.problems);
  const agent = {
    name: slug,
    description,
    systemPrompt,
    allowedTools: tools,
    disallowedTools: [],
    skills: [],
    hooks: [],
    userInvocable: true,
    origin: here,
    fields: fields.reports,
  };
  return { agent, problems: fields.problems };
}

/** Tools of groups. One that edits some files only gives no tools, since no tool is limited to files here. */
function readGroups(fields: FrontMatterFields, groups: TakenField): readonly string[] {
  if (!Array.isArray(groups.value)) {
    fields.refuse(groups, t('“{0}” must be a list.', 'groups'));
    return ALWAYS;
  }
  const tools = groups.value.flatMap((group: PlainValue, index): readonly string[] => {
    const path = fields.pathOf([groups.name, index]);
    const [name, limits] = Array.isArray(group) ? (group as readonly PlainValue[]) : [group];
    const shown = typeof name === 'string' ? shownName(name) : '?';
    const found = typeof name === 'string' ? GROUPS.get(name) : undefined;
    if (found === undefined) fields.reportItem(groups, path, 'ignored', t('Gnomon does not know the group “{0}”.', shown));
    else if (isLimited(limits)) fields.reportItem(groups, path, 'refused', t('“{0}” is left out, because Gnomon cannot limit a tool to some files.', shown));
    else return found;
    return [];
  });
  const all = [...new Set([...tools, ...ALWAYS])];
  fields.report(groups, 'used', t('Tools in Gnomon: {0}.', all.join(', ')));
  return all;
}

/** Whether a group has anything beside its name and a description: also what is misspelt was meant to limit it. */
function isLimited(limits: PlainValue | undefined): boolean {
  if (limits === undefined || limits === null) return false;
  return !isObject(limits) || Object.entries(limits).some(([name, value]) => name !== 'description' && value !== null && value !== '');
}

function skip(skipped: SkippedAgent, problems: readonly ConfigProblem[]): ModeReading {
  const {
    origin: { file, line },
    why,
  } = skipped;
  return { skipped, problems: [{ file, key: 'customModes', ...present({ line }), message: why }, ...problems] };
}

function isObject(value: PlainValue | undefined): value is { readonly [name: string]: PlainValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
