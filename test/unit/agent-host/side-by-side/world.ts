import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Purse } from '../../../../src/domain/model/purse.js';
import { createPurse } from '../../../../src/engine/turn/purse.js';
import { MemoryLog } from '../../engine/rig.js';
import { type NodeHost, nodeHost } from '../node-host.js';
import { MODELS, Models } from './models.js';
import type { WorldPlan } from './plan.js';
import { type Places, filesOf, scriptOf } from './scripts.js';
import { Talk } from './talk.js';

/** A log that keeps its errors apart. */
export class ErrorLog extends MemoryLog {
  readonly errors: string[] = [];

  override error(message: string, error?: unknown): void {
    this.errors.push(`${message}: ${String(error)}`);
  }
}

/** Sessions of one host side by side, with their models. */
export interface World {
  readonly plan: WorldPlan;
  readonly places: Places;
  /** Absolute path of what the host keeps. */
  readonly storage: string;
  readonly host: NodeHost;
  readonly models: Models;
  readonly purse: Purse;
  readonly talks: readonly Talk[];
  readonly log: ErrorLog;
  /** Ends the host and the models. The sessions are closed before. */
  end(): Promise<void>;
}

/** Builds it. Nothing is said yet. @param root absolute path of an empty folder for what is worked on @param storage of one for what is kept */
export async function createWorld(plan: WorldPlan, { root, storage }: { readonly root: string; readonly storage: string }): Promise<World> {
  const at = (name: string): string => join(root, name);
  const places: Places = { folders: [at('first'), at('second')], processes: at('processes') };
  for (const folder of [...places.folders, places.processes]) mkdirSync(folder);
  for (const [number, folder] of places.folders.entries()) {
    for (const [name, text] of Object.entries(filesOf(number, plan))) writeFileSync(join(folder, name), text);
  }
  const scripted = plan.sessions.map((session, number) => ({ session: { ...session, number }, ...scriptOf({ ...session, number }, places) }));
  const models = await Models.start(scripted.map(({ script }) => script));
  const log = new ErrorLog();
  const host = await nodeHost({ folder: places.folders[0], storage, settings: models.settings, log });
  const own = host.groundIn(places.folders[1]);
  await Promise.all([own.environment.refresh(), host.host.ground.environment.refresh()]);
  const purse = createPurse(() => ({ requests: plan.budget }));
  const talks = await Promise.all(
    scripted.map(async ({ session, script, intents }) => {
      const model = await host.host.models.choose(MODELS[session.wire]);
      const mode = session.asksFirst ? 'default' : 'acceptEdits';
      const started = await host.start({ ...model, mode, ...(session.shares ? { purse } : {}) }, session.folder === 0 ? host.host.ground : own);
      return new Talk(session, started, script, intents, models);
    }),
  );
  connect(host, models, talks);
  const end = async (): Promise<void> => {
    own.dispose();
    await host.close();
    await models.close();
  };
  return { plan, places, storage, host, models, purse, talks, log, end };
}

/** Lets each session know of its own prompts and requests. */
function connect({ host }: NodeHost, models: Models, talks: readonly Talk[]): void {
  models.arrived = (canary) => talks.find((talk) => talk.canary === canary)?.arrived() ?? false;
  host.sessions.onDidChangeAsks(() => {
    // Behind the event that tells of it, as whoever answers is not called by it.
    queueMicrotask(() => {
      for (const ask of host.sessions.asks) talks.find(({ session }) => session.id === ask.who.session)?.answer(ask);
    });
  });
}
