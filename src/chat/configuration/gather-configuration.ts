import * as os from 'node:os';
import { sep } from 'node:path';
import type { Agents } from '../../customization/agents.js';
import type { CommandFiles } from '../../customization/commands.js';
import { effectiveValues, type Manifest, settingDescriptions } from '../../customization/effective-values.js';
import type { ListedHook } from '../../customization/hooks/hook-approvals.js';
import type { Layers } from '../../customization/layers.js';
import type { FileSettings } from '../../customization/settings.js';
import type { RegisteredHooks } from '../../customization/hooks/hooks.js';
import type { OutputStyles } from '../../customization/styles.js';
import type { Permissions } from '../../consent/create-permissions.js';
import type { Skills } from '../../customization/skills.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import { handlerLine, failsClosed, type HookOwner } from '../../domain/hook/definition.js';
import type { HostPorts } from '../../domain/host/host-ports.js';
import { t } from '../../domain/l10n.js';
import { type Fact, type Report, type ReportedItem, type ReportSection, type Subject, waitsForTrust } from './report.js';
import { agentsSection, commandsSection, filesSection, rulesSection, settingsSection, skillsSection, stylesSection } from './sections.js';

/** Where what is configured comes from. */
export interface ConfigurationSources {
  readonly ports: Pick<HostPorts, 'folders' | 'settings' | 'trust' | 'keepWatching'>;
  readonly extension: Manifest;
  readonly layers: Layers;
  readonly settings: FileSettings;
  readonly permissions: Pick<Permissions, 'book' | 'consent'>;
  readonly hooks: RegisteredHooks;
  readonly agents: Agents;
  readonly styles: OutputStyles;
  readonly skills: Skills;
  readonly commands: CommandFiles;
}

/** A hook of the list, with how many scripts of the workspace it names. */
interface HookEntry {
  readonly listed: ListedHook;
  readonly scripts: number;
}

/** The hooks of all files, with all that decides what each does. */
export function hooksSection(
  hooks: readonly HookEntry[],
  { trusted, problems }: { readonly trusted: boolean; readonly problems: readonly ConfigProblem[] },
): ReportSection {
  const counts = new Map<string, number>();
  const items = hooks.map((entry): ReportedItem => {
    const { hook, text, notBound } = entry.listed;
    const place = `${hook.event} ${hook.origin.file}`;
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    return {
      // Where it is among those of its file and event stays when it is changed.
      key: `${place} ${count}`,
      name: hook.matcher === undefined ? hook.event : `${hook.event} ${hook.matcher}`,
      value: handlerLine(hook.handler),
      ...stateOf(entry.listed, trusted),
      ...descriptionOf(entry),
      origin: hook.origin,
      facts: [
        ...factsOf(text),
        ...notBound.map((sentence) => ({ name: t('Note'), value: sentence })),
        { name: t('if it does not answer'), value: failsClosed(hook) ? t('blocks') : t('goes on') },
      ],
      subject: subjectOf(entry, trusted),
    };
  });
  return {
    id: 'hooks',
    items,
    empty: t('There are none. They are read from {0}.', '.claude/settings.json, .gnomon/settings.json, .cursor/hooks.json, .github/hooks'),
    problems,
  };
}

function descriptionOf({ listed: { hook, standing } }: HookEntry): Pick<ReportedItem, 'description'> {
  // That a guard does not guard when it fails is not to be looked for.
  const failsOpen = failsClosed({ event: hook.event }) && !failsClosed(hook);
  const said = [
    ...(addsOf(standing) ? [t('Gnomon now binds more of what it runs than when you approved it.')] : []),
    ...(hook.broken === undefined ? [] : [hook.broken]),
    ...(failsOpen ? [t('If it fails or takes too long, it does not guard: the call goes on.')] : []),
    ...(hook.owner === undefined ? [] : [whenUsed(hook.owner)]),
  ];
  return said.length === 0 ? {} : { description: said.join(' ') };
}

function whenUsed({ kind, name }: HookOwner): string {
  switch (kind) {
    case 'agent':
      return t('Only runs while the agent “{0}” works.', name);
    case 'skill':
      return t('Only runs in chats that use the skill “{0}”, from then on.', name);
    case 'command':
      return t('Only runs in chats that use the command “{0}”, from then on.', `/${name}`);
  }
}

function stateOf({ hook, standing }: ListedHook, trusted: boolean): Pick<ReportedItem, 'state' | 'tone'> {
  if (!trusted) return waitsForTrust();
  switch (standing.state) {
    case 'new':
      return { state: t('Waits for approval'), tone: 'waits' };
    case 'changed':
      return { state: t('Changed since approval'), tone: 'waits' };
    case 'approved':
      return hook.broken === undefined ? { state: t('In use'), tone: 'usual' } : { state: t('Cannot run'), tone: 'wrong' };
  }
}

function subjectOf({ listed, scripts }: HookEntry, trusted: boolean): Subject {
  const { hook, standing, needsApproval } = listed;
  const isApproved = standing.state === 'approved';
  const decide = trusted && needsApproval ? [isApproved && !addsOf(standing) ? ('revoke_hook' as const) : ('approve_hook' as const)] : [];
  return {
    type: 'hook',
    listed,
    actions: [...decide, ...(scripts > 0 ? (['open_scripts'] as const) : [])],
    triable: trusted && isApproved && hook.broken === undefined,
  };
}

/** Whether an earlier version asked for the approval, which did not look at all that this one binds. */
function addsOf(standing: ListedHook['standing']): boolean {
  return standing.state === 'approved' && standing.adds === true;
}

/** The lines of what an approval is for: a name and a value each. */
function factsOf(text: string): readonly Fact[] {
  return text.split('\n').map((line) => {
    // A script and a folder have their paths behind their names.
    const at = /^(?:script|folder) /.test(line) ? line.lastIndexOf(': ') : line.indexOf(': ');
    return { name: line.slice(0, at), value: line.slice(at + 2) };
  });
}

/** All that is configured in this window, as it is now, and the scripts that hooks name. */
export async function gatherConfiguration({
  ports,
  extension,
  layers,
  settings,
  permissions,
  hooks,
  agents,
  styles,
  skills,
  commands,
}: ConfigurationSources): Promise<{ readonly report: Report; readonly scripts: readonly string[] }> {
  await Promise.all([layers.ready(), agents.ready(), styles.ready(), skills.ready(), commands.ready()]);
  const trusted = ports.trust.trusted();
  const [listed, chosen, waiting] = await Promise.all([hooks.list(), styles.chosen(), skills.waiting()]);
  const places = await Promise.all(listed.map(({ hook }) => hooks.placesOf(hook)));
  const entries = listed.map((each, index) => ({ listed: each, scripts: places[index]?.files.length ?? 0 }));
  const report: Report = {
    trusted,
    sections: [
      settingsSection(effectiveValues(ports.settings, settings, extension), settingDescriptions(extension), settings.problems),
      filesSection(layers.files, (file) => hooks.fieldsOf(file)),
      rulesSection(permissions.book.listing(), layers.files),
      hooksSection(entries, { trusted, problems: hooks.problems }),
      agentsSection(agents),
      skillsSection(skills.found, { pinned: skills.pinned, waiting }),
      commandsSection({ all: commands.all, problems: commands.problems, counts: (command) => commands.counts(command) }),
      stylesSection(styles, chosen?.name),
    ],
    folders: [...ports.folders.paths().map((path) => ({ path: `${path}${sep}`, short: '' })), { path: `${os.homedir()}${sep}`, short: `~${sep}` }],
  };
  return { report, scripts: places.flatMap(({ files }) => files) };
}
