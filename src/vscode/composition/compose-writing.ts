import { join } from 'node:path';
import { createNodeFileLayer } from '../../node/files/node-file-layer.js';
import { MessageOptionsResolver } from '../../slash/message-options.js';
import { DraftStore } from '../../chat/composer/draft-store.js';
import { Drafts } from '../../chat/composer/drafts.js';
import type { ComposerServices } from '../../chat/composer/pane-composer.js';
import type { PageScaler } from '../../chat/composer/page-scaler.js';
import type { AgentHost } from '../../agent-host/agent-host.js';
import type { Host } from './host.js';
import { createMentions } from '../mentions/create-mentions.js';
import { settings } from '../settings/vscode-settings.js';
import { createVsCodeWorkspace } from '../workspace/folders.js';

/** Parts of the window that text inputs use, beside the host: the agent host, storage, and image scaling. */
export interface WritingDeps {
  readonly agentHost: AgentHost;
  readonly storage: string;
  readonly imageScaler: PageScaler;
}

/** Builds the services that the text inputs share. */
export function composeWriting({ context, log }: Host, { agentHost, storage, imageScaler }: WritingDeps): ComposerServices {
  const { fileSettings, skills, commandFiles, agents, models, permissions } = agentHost;
  const { book, trust, grants } = permissions;
  const servers = agentHost.servers.shared;
  const hooks = agentHost.hooks.registered;
  const mentions = createMentions({ workspace: createVsCodeWorkspace(), rules: book, trusted: trust.trusted, imageScaler, fileSettings, servers });
  context.subscriptions.push(mentions);
  const store = new DraftStore({ folder: draftsIn(storage), files: createNodeFileLayer(), log });
  const messageOptions = new MessageOptionsResolver({ grants, models, agents, hooks, trusted: trust.trusted });
  return {
    mentions,
    servers,
    imageScaler,
    commandFiles,
    skills,
    messageOptions,
    warnsOfCold: settings.warnColdCache,
    showsModels: settings.routedShownFirst,
    drafts: new Drafts({ store, resolve: mentions.resolve, messageOptions }),
  };
}

/** Where the drafts of a storage are. */
export function draftsIn(storage: string): string {
  return join(storage, 'drafts');
}
