import * as vscode from 'vscode';
import type { HostPorts } from '../../domain/host/host-ports.js';
import type { LinkGuards } from '../../node/config/bases.js';
import { WindowAgents } from '../../customization/agents.js';
import { linkGuards } from '../../customization/link-guards.js';
import { WindowCommands } from '../../customization/commands.js';
import type { WindowLayers } from '../../customization/layers.js';
import { WindowPlaces } from '../../customization/places.js';
import type { WindowSettings } from '../../customization/settings.js';
import { WindowConfiguration } from '../../chat/configuration/window-configuration.js';
import { openPlace } from '../configuration/open-place.js';
import { type ApprovedKind, MoreBound } from '../dialogs/more-bound.js';
import { vscodeDialogs } from '../dialogs/vscode-dialogs.js';
import { WindowStyles } from '../../customization/styles.js';
import type { WindowPermissions } from '../../consent/create-permissions.js';
import { WindowSkills } from '../../customization/skills.js';
import { type HookComposition, composeHooks } from './compose-hooks.js';
import { outputFolderIn } from './compose-conversations.js';
import type { Host } from './host.js';
import { searchWith } from '../workspace/find-files-search.js';

/** What files of the workspace and of the user configure, beside permission rules. */
export interface ConfigurationComposition {
  readonly hooks: HookComposition;
  readonly agents: WindowAgents;
  readonly styles: WindowStyles;
  readonly skills: WindowSkills;
  readonly commandFiles: WindowCommands;
  readonly configuration: WindowConfiguration;
  readonly places: WindowPlaces;
  /** Tells of approvals that are bound to more than when they were given. */
  readonly moreBound: MoreBound;
}

/** Dependencies of {@link composeConfiguration}. */
interface ConfigurationDeps {
  readonly ports: HostPorts;
  readonly windowSettings: WindowSettings;
  readonly permissions: WindowPermissions;
  /** Absolute path of the folder for what is kept of this workspace. */
  readonly storage: string;
}

/** Builds it. */
export function composeConfiguration(
  host: Host,
  layers: WindowLayers,
  { ports, windowSettings, permissions, storage }: ConfigurationDeps,
): ConfigurationComposition {
  const { context, log } = host;
  const guards = (): Promise<LinkGuards> => linkGuards(ports.folders, permissions.book);
  // Names are looked for, and no contents.
  const search = searchWith(vscode.env.appRoot, async () => (await guards()).ofRepository);
  const places = new WindowPlaces({ ports, guards, onDidChangeGuards: permissions.book.onDidChange, search, log });
  const agents = new WindowAgents({ ports, places, log });
  const styles = new WindowStyles({ ports, places, wanted: windowSettings.outputStyles, log });
  const skills = new WindowSkills({ ports, places, memory: ports.memory.global, log });
  const commandFiles = new WindowCommands({ ports, places, log });
  const moreBound = moreBoundIn(host);
  const hooks = composeHooks(host, { ports, layers, agents, skills, commands: commandFiles, moreBound, outputFolder: outputFolderIn(storage) });
  const configuration = new WindowConfiguration({
    ports,
    extension: context.extension,
    layers,
    settings: windowSettings,
    permissions,
    hooks: hooks.ofWindow,
    decideOnHook: (hook) => hooks.review.decide(hook),
    openPlace,
    tryOut: (hook, signal) => hooks.hooks.tryOut(hook, signal),
    agents,
    styles,
    skills,
    commands: commandFiles,
  });
  context.subscriptions.push(places, moreBound, agents, styles, skills, commandFiles, configuration);
  return { hooks, agents, styles, skills, commandFiles, configuration, places, moreBound };
}

function moreBoundIn({ context, log }: Host): MoreBound {
  const review = (kind: ApprovedKind): Thenable<unknown> => vscode.commands.executeCommand(kind === 'hooks' ? 'gnomon.manageHooks' : 'gnomon.showServers');
  return new MoreBound({ dialogs: vscodeDialogs, memory: context.globalState, review, log });
}
