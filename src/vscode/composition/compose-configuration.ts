import * as vscode from 'vscode';
import type { LinkGuards } from '../../node/config/bases.js';
import { WindowAgents } from '../agent/window-agents.js';
import { linkGuards } from '../config/link-guards.js';
import { WindowCommands } from '../config/window-commands.js';
import type { WindowLayers } from '../config/window-layers.js';
import { WindowPlaces } from '../config/window-places.js';
import type { WindowSettings } from '../config/window-settings.js';
import { WindowConfiguration } from '../configuration/window-configuration.js';
import { type ApprovedKind, MoreBound } from '../dialogs/more-bound.js';
import { vscodeDialogs } from '../dialogs/vscode-dialogs.js';
import { WindowStyles } from '../output-style/window-styles.js';
import type { WindowPermissions } from '../permission/create-permissions.js';
import { WindowSkills } from '../skill/window-skills.js';
import { type HookComposition, composeHooks } from './compose-hooks.js';
import { outputFolderIn } from './compose-conversations.js';
import type { Host } from './host.js';
import { searchWith } from './toolbox.js';

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

/** Builds it. @param storage the folder of this workspace */
export function composeConfiguration(
  host: Host,
  layers: WindowLayers,
  { windowSettings, permissions, storage }: { readonly windowSettings: WindowSettings; readonly permissions: WindowPermissions; readonly storage: string },
): ConfigurationComposition {
  const { context, log } = host;
  const { trusted } = permissions.trust;
  const guards = (): Promise<LinkGuards> => linkGuards(permissions.book);
  // Names are looked for, and no contents.
  const search = searchWith(vscode.env.appRoot, async () => (await guards()).ofRepository);
  const places = new WindowPlaces({ trusted, guards, onDidChangeGuards: permissions.book.onDidChange, search, log });
  const agents = new WindowAgents({ trusted, places, log });
  const styles = new WindowStyles({ trusted, places, wanted: windowSettings.outputStyles, log });
  const skills = new WindowSkills({ trusted, places, memory: context.globalState, log });
  const commandFiles = new WindowCommands({ trusted, places, log });
  const moreBound = moreBoundIn(host);
  const hooks = composeHooks(host, {
    layers,
    agents,
    skills,
    commands: commandFiles,
    trust: permissions.trust,
    moreBound,
    outputFolder: outputFolderIn(storage),
  });
  const configuration = new WindowConfiguration({
    extension: context.extension,
    layers,
    settings: windowSettings,
    permissions,
    hooks: hooks.ofWindow,
    hookReview: hooks.review,
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
