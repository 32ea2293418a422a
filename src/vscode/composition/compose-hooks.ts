import * as vscode from 'vscode';
import { createHooks, type TriableHooks } from '../../hook/run-hooks.js';
import { createHookRunner } from '../../node/hook/hook-runner.js';
import { createCommandLog, MAX_LOG_BYTES } from '../../node/process/output/command-log.js';
import type { WindowAgents } from '../../customization/agents.js';
import type { WindowCommands } from '../../customization/commands.js';
import type { WindowLayers } from '../../customization/layers.js';
import type { MoreBound } from '../dialogs/more-bound.js';
import { ruleMatches } from '../../customization/hooks/hook-rule.js';
import { HookReview } from '../hook/review-hooks.js';
import { WindowHooks } from '../../customization/hooks/hooks.js';
import type { HostPorts } from '../../domain/host/host-ports.js';
import type { WindowSkills } from '../../customization/skills.js';
import type { Host } from './host.js';

/** The hooks of the window, and what asks the user about those that wait. */
export interface HookComposition {
  readonly hooks: TriableHooks;
  readonly ofWindow: WindowHooks;
  readonly review: HookReview;
}

/** Dependencies of {@link composeHooks} beside the host. */
interface Deps {
  readonly ports: HostPorts;
  readonly layers: WindowLayers;
  readonly agents: WindowAgents;
  readonly skills: WindowSkills;
  readonly commands: WindowCommands;
  readonly moreBound: MoreBound;
  /** Absolute path of the folder for long outputs, which models may read. */
  readonly outputFolder: string;
}

/** Builds them. */
export function composeHooks({ context, log }: Host, { ports, layers, agents, skills, commands, moreBound, outputFolder }: Deps): HookComposition {
  const ofWindow = new WindowHooks({ ports, layers, owners: { agents, skills, commands }, memory: ports.memory.global });
  const runner = createHookRunner();
  const hooks = createHooks({
    definitionsFor: (event, scope) => ofWindow.definitionsFor(event, scope),
    runner,
    matchesRule: ruleMatches,
    forbids: (url) => ofWindow.forbids(url),
    keep: (text) => kept(text, outputFolder),
    log,
  });
  const review = new HookReview({
    hooks: ofWindow,
    dialogs: ports.dialogs,
    trusted: ports.trust.trusted,
    manage: () => vscode.commands.executeCommand('gnomon.manageHooks'),
    tellMore: (hooks) => moreBound.add('hooks', hooks),
    log,
  });
  context.subscriptions.push(ofWindow, review, runner);
  return { ofWindow, hooks, review };
}

/** Keeps the whole of a long text where outputs of commands are, and as long as these. */
async function kept(text: string, folder: string): Promise<string | undefined> {
  const file = await createCommandLog(folder, MAX_LOG_BYTES);
  await file.append(text);
  await file.close();
  return file.problem === undefined ? file.path : undefined;
}
