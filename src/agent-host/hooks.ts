import { present } from '../domain/present.js';
import { HookReview } from '../consent/review-hooks.js';
import type { MoreBound } from '../consent/more-bound.js';
import { RegisteredHooks, type RegisteredHooksDeps } from '../customization/hooks/hooks.js';
import { ruleMatches } from '../customization/hooks/hook-rule.js';
import type { Approvals } from '../domain/host/approvals.js';
import type { Layers } from '../customization/layers.js';
import { type Disposable, together } from '../domain/host/disposable.js';
import { createHooks, type TriableHooks } from '../hook/run-hooks.js';
import { createHookRunner } from '../node/hook/hook-runner.js';
import { createCommandLog, MAX_LOG_BYTES } from '../node/process/output/command-log.js';
import { outputFolderIn } from './ground.js';
import type { AgentHostPorts } from './host-ports.js';

/** The hooks, and what asks the user about those that wait. */
export interface HostHooks extends Disposable {
  readonly hooks: TriableHooks;
  readonly registered: RegisteredHooks;
  readonly review: HookReview;
}

/** Services of the window behind its hooks: files per layer, owners such as agents and skills, and approvals. */
interface Deps {
  readonly layers: Layers;
  readonly owners: RegisteredHooksDeps['owners'];
  readonly moreBound: MoreBound;
  readonly approvals: Approvals;
}

/** Builds them. */
export function createHostHooks(ports: AgentHostPorts, { layers, owners, moreBound, approvals }: Deps): HostHooks {
  const { log, trust, dialogs, storage } = ports;
  const registered = new RegisteredHooks({ ports, layers, owners, approvals, ...present({ callbacks: ports.callbackHooks }) });
  const runner = createHookRunner(ports.callbackHooks);
  const hooks = createHooks({
    definitionsFor: (event, scope) => registered.definitionsFor(event, scope),
    runner,
    matchesRule: ruleMatches,
    forbids: (url) => registered.forbids(url),
    keep: (text) => kept(text, outputFolderIn(storage.workspace)),
    log,
  });
  const review = new HookReview({
    hooks: registered,
    dialogs,
    trusted: trust.trusted,
    manage: () => ports.review('hooks'),
    tellMore: (more) => moreBound.add('hooks', more),
    log,
  });
  return { hooks, registered, review, dispose: () => together(registered, review, runner).dispose() };
}

/** Keeps the whole of a long text where outputs of commands are, and as long as these. */
async function kept(text: string, folder: string): Promise<string | undefined> {
  const file = await createCommandLog(folder, MAX_LOG_BYTES);
  await file.append(text);
  await file.close();
  return file.problem === undefined ? file.path : undefined;
}
