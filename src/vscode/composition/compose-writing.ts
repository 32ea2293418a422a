import { join } from 'node:path';
import { createNodeFileLayer } from '../../node/files/node-file-layer.js';
import { TurnWishing } from '../../chat/composer/turn-wishes.js';
import type { WindowAgents } from '../../customization/agents.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import { DraftStore } from '../../chat/composer/draft-store.js';
import { Drafts } from '../../chat/composer/drafts.js';
import type { ConnectedServers } from '../../mcp/connected-servers.js';
import type { Writing } from '../../chat/composer/pane-composer.js';
import type { PageScaler } from '../../chat/composer/page-scaler.js';
import type { WindowCommands } from '../../customization/commands.js';
import type { WindowSettings } from '../../customization/settings.js';
import type { WindowHooks } from '../../customization/hooks/hooks.js';
import type { Host } from './host.js';
import { createMentions } from '../mentions/create-mentions.js';
import type { WindowPermissions } from '../../consent/create-permissions.js';
import { settings } from '../settings/settings.js';
import type { WindowSkills } from '../../customization/skills.js';
import { createVsCodeWorkspace } from '../workspace/folders.js';

/** Dependencies of {@link composeWriting} beside the host. */
export interface WritingDeps {
  readonly storage: string;
  readonly permissions: WindowPermissions;
  readonly pictures: PageScaler;
  readonly windowSettings: WindowSettings;
  /** The MCP servers, whose resources can be mentioned and whose prompts are commands. */
  readonly servers: ConnectedServers;
  /** The skills, which are commands. */
  readonly skills: WindowSkills;
  /** The commands of files. */
  readonly commandFiles: WindowCommands;
  readonly agents: WindowAgents;
  readonly hooks: WindowHooks;
  readonly models: ModelRegistry;
}

/** Builds the services that the text inputs share. */
export function composeWriting(
  { context, log }: Host,
  { storage, pictures, windowSettings, servers, skills, commandFiles, agents, hooks, models, permissions: { book, trust, grants } }: WritingDeps,
): Writing {
  const mentions = createMentions({ workspace: createVsCodeWorkspace(), rules: book, trusted: trust.trusted, pictures, windowSettings, servers });
  context.subscriptions.push(mentions);
  const store = new DraftStore({ folder: draftsIn(storage), files: createNodeFileLayer(), log });
  const wishing = new TurnWishing({ grants, models, agents, hooks, trusted: trust.trusted });
  return {
    mentions,
    servers,
    pictures,
    commandFiles,
    skills,
    wishing,
    warnsOfCold: settings.warnColdCache,
    drafts: new Drafts({ store, resolve: mentions.resolve, wishing }),
  };
}

/** Where the drafts of a storage are. */
export function draftsIn(storage: string): string {
  return join(storage, 'drafts');
}
