import * as os from 'node:os';
import { sep } from 'node:path';
import type { Agents } from '../../customization/agents.js';
import type { CommandFiles } from '../../customization/commands.js';
import { effectiveValues, type Manifest, settingDescriptions } from '../../customization/effective-values.js';
import type { Layers } from '../../customization/layers.js';
import type { FileSettings } from '../../customization/settings.js';
import type { RegisteredHooks } from '../../customization/hooks/hooks.js';
import type { OutputStyles } from '../../customization/styles.js';
import type { Permissions } from '../../consent/create-permissions.js';
import type { Skills } from '../../customization/skills.js';
import type { HostPorts } from '../../domain/host/host-ports.js';
import { hooksSection } from './hook-section.js';
import type { Report } from './report.js';
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
