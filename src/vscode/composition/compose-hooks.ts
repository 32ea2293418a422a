import * as os from 'node:os';
import type { HookFilePlaces } from '../../node/config/hook-files.js';
import { createHookRunner } from '../../node/hook/hook-runner.js';
import { vscodeDialogs } from '../dialogs/vscode-dialogs.js';
import { ruleMatches } from '../hook/hook-rule.js';
import { HookReview } from '../hook/review-hooks.js';
import { WindowHooks } from '../hook/window-hooks.js';
import { foldersOfWindow } from '../mcp/configurations.js';
import type { WorkspaceTrust } from '../permission/workspace-trust.js';
import type { Host } from './host.js';

/** The hooks of the window, and what asks the user about those that wait. */
export interface HookComposition {
  readonly hooks: WindowHooks;
  readonly review: HookReview;
}

/** Builds them, and reads the files with hooks in the background. */
export function composeHooks({ context, log }: Host, { trusted }: WorkspaceTrust): HookComposition {
  const places = (): HookFilePlaces => ({ folders: foldersOfWindow(), home: os.homedir(), platform: process.platform });
  const hooks = new WindowHooks({ runner: createHookRunner(), places, trusted, memory: context.globalState, matchesRule: ruleMatches, log });
  const review = new HookReview({ hooks, dialogs: vscodeDialogs, trusted, log });
  context.subscriptions.push(hooks, review);
  void hooks.read();
  return { hooks, review };
}
