import * as os from 'node:os';
import { sep } from 'node:path';
import type { WindowAgents } from '../../customization/agents.js';
import type { WindowCommands } from '../../customization/commands.js';
import { effectiveValues, type Manifest, settingDescriptions } from '../../customization/effective-values.js';
import type { WindowLayers } from '../../customization/layers.js';
import type { WindowSettings } from '../../customization/settings.js';
import type { WindowHooks } from '../../customization/hooks/hooks.js';
import type { WindowStyles } from '../../customization/styles.js';
import type { WindowPermissions } from '../../consent/create-permissions.js';
import type { WindowSkills } from '../../customization/skills.js';
import type { HostPorts } from '../../domain/host/host-ports.js';
import { hooksSection } from './hook-section.js';
import type { Report } from './report.js';
import { agentsSection, commandsSection, filesSection, rulesSection, settingsSection, skillsSection, stylesSection } from './sections.js';

/** Where what is configured comes from. */
export interface ConfigurationSources {
  readonly ports: Pick<HostPorts, 'folders' | 'settings' | 'trust' | 'keepWatching'>;
  readonly extension: Manifest;
  readonly layers: WindowLayers;
  readonly settings: WindowSettings;
  readonly permissions: Pick<WindowPermissions, 'book' | 'consent'>;
  readonly hooks: WindowHooks;
  readonly agents: WindowAgents;
  readonly styles: WindowStyles;
  readonly skills: WindowSkills;
  readonly commands: WindowCommands;
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
