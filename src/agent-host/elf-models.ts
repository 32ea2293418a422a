import { modelWish } from '../config/agents/model-wish.js';
import { errorMessage } from '../domain/errors.js';
import type { Log } from '../domain/log.js';
import { modelKey } from '../domain/model/model-key.js';
import { type ModelInfo, priceOf } from '../domain/model/provider.js';
import type { RoutedModel, Router } from '../domain/model/router.js';
import type { Decision } from '../domain/model/routing.js';
import { present } from '../domain/present.js';
import type { AgentToolDeps, ElfModel } from '../elf/agent-tool.js';
import { CHEAP_MODEL } from '../elf/elf-types.js';
import type { Elves } from '../elf/elves.js';
import type { AgentSession } from '../engine/agent-session.js';
import type { ModelRegistry } from '../models/model-registry.js';
import { wantedModel, type WantedModelAnswer } from '../models/wanted-model.js';
import { textTokens } from '../text/text-tokens.js';
import type { OpenSessions } from './open-sessions.js';

/** The models that there are for agents. */
interface ElfModelsDeps {
  readonly models: Pick<ModelRegistry, 'entries' | 'find' | 'refresh'>;
  readonly router: Router;
  readonly ports: { readonly log: Log };
  readonly sessions: Pick<OpenSessions, 'find'>;
}

/** Finds the models of the agents that sessions start. */
export function elfModels(deps: ElfModelsDeps, elves: Elves): Pick<AgentToolDeps, 'modelOf' | 'modelKept'> {
  return {
    modelOf: async (written, id, prompt, signal) => {
      const session = deps.sessions.find(id);
      const above = modelsAbove(elves, session);
      const isLeftToUs = leftToUs(elves, session);
      const planOnly = session?.effectiveMode === 'plan';
      return (await chosenModel(deps, written, { ...above, isLeftToUs, planOnly, prompt, signal })) ?? modelFor(deps, written, above);
    },
    modelKept: async (key, id) => {
      const session = deps.sessions.find(id);
      const kept = await modelNamed(deps, key, modelsAbove(elves, session));
      // It was allowed, or left to us, when the agent was started.
      return kept.kind === 'other' ? { ...kept, isLeftToUs: leftToUs(elves, session) } : kept;
    },
  };
}

/** Whether the user has left it to Gnomon to choose models: they have said so for the chat, whoever works for that. */
function leftToUs(elves: Elves, session: AgentSession | undefined): boolean {
  return session !== undefined && elves.chatOf(session).auto.choice.type === 'auto';
}

/** What an agent is to do, and whether its user has left it to Gnomon to choose models. */
interface AgentTask {
  readonly isLeftToUs: boolean;
  readonly planOnly: boolean;
  readonly prompt: string;
  readonly signal: AbortSignal;
}

/** The models of who starts an agent, and of the chat that both work for: what the user has chosen is the latter. */
interface ModelsAbove {
  readonly own: ModelInfo | undefined;
  readonly chat: ModelInfo | undefined;
}

function modelsAbove(elves: Elves, session: AgentSession | undefined): ModelsAbove {
  const chat = session && elves.chatOf(session);
  // One that works for a chat that is not found is compared with nothing.
  return { own: session?.model, chat: chat?.identity.worksFor === undefined ? chat?.model : undefined };
}

/** Tokens that an agent begins with, beside what it is told: its instructions and tools. */
const BEGINNING_TOKENS = 12_000;

/**
 * The model that is chosen for what an agent is to do: where its file says so, and where its chat has Auto and it wants none in particular. The user is not
 * asked: where none is good enough, it has that of its parent.
 * @returns undefined where none is to be chosen
 */
async function chosenModel(
  { models, router, ports }: ElfModelsDeps,
  written: string | undefined,
  { own, chat, isLeftToUs, planOnly, prompt, signal }: ModelsAbove & AgentTask,
): Promise<ElfModel | undefined> {
  const { type } = modelWish(written);
  const isFree = type === 'inherit' || written === CHEAP_MODEL;
  if (own === undefined || (type !== 'auto' && !(isFree && isLeftToUs))) return undefined;
  const kind = written === CHEAP_MODEL ? ('explain' as const) : undefined;
  const tokens = BEGINNING_TOKENS + textTokens(prompt);
  const task = { words: prompt, planOnly, hasImages: false, current: own, tokens, isAnew: true };
  const routed = await router.choose({ ...task, ...present({ kind }) }, signal).catch((error: unknown) => {
    ports.log.warn(`No model could be chosen for an agent: ${errorMessage(error)}`);
    return undefined;
  });
  // Nothing is kept where one is chosen anew.
  if (routed === undefined || routed.routing.type === 'kept') return undefined;
  const { routing } = routed;
  if (routing.type === 'ask' || (chat !== undefined && routing.key === modelKey(chat))) return { kind: 'own', routing };
  return { ...besideChat(models, routing.key, chat), routing, isLeftToUs };
}

/** The model that an agent is to have. @param written as a file or a call has it */
async function modelFor({ models }: ElfModelsDeps, written: string | undefined, { own, chat }: ModelsAbove): Promise<ElfModel> {
  const look = (): WantedModelAnswer => wantedModel(written, own, models.entries());
  // The lists may not have come yet.
  if (look().type === 'missing') await models.refresh();
  const wanted = look();
  // A cheap model is a wish of Gnomon's own, and not one that the work depends on.
  if (wanted.type === 'missing' && written !== CHEAP_MODEL) return { kind: 'missing', wanted: wanted.wanted };
  const found = wanted.type === 'model' ? wanted.key : undefined;
  // With the model of its parent it costs less.
  const isKept = found === undefined || (written === CHEAP_MODEL && priceBeside(models.find(found), own) !== 'cheaper');
  const [ofParent, ofChat] = [own && modelKey(own), chat && modelKey(chat)];
  const key = isKept ? ofParent : found;
  return key === undefined || (key === ofParent && key === ofChat) ? { kind: 'own' } : besideChat(models, key, chat);
}

/** The model that an agent goes on with, which it has had before. @param key `provider/model` */
async function modelNamed({ models }: ElfModelsDeps, key: string, { chat }: ModelsAbove): Promise<ElfModel> {
  if (chat !== undefined && key === modelKey(chat)) return { kind: 'own' };
  if (models.find(key) === undefined) await models.refresh();
  return besideChat(models, key, chat);
}

function besideChat(models: ElfModelsDeps['models'], key: string, chat: ModelInfo | undefined): Extract<ElfModel, { kind: 'other' }> {
  const found = models.find(key);
  return { kind: 'other', key, label: found?.label ?? key, price: priceBeside(found, chat), ofOtherProvider: found?.provider !== chat?.provider };
}

/** Reading and writing count alike: which of the two an agent does more is not known before. */
function priceBeside(model: ModelInfo | undefined, own: ModelInfo | undefined): Extract<ElfModel, { kind: 'other' }>['price'] {
  const [price, usual] = [model && priceOf(model), own && priceOf(own)];
  if (price === undefined || usual === undefined) return 'unknown';
  const difference = price.input + price.output - usual.input - usual.output;
  if (difference === 0) return 'same';
  return difference < 0 ? 'cheaper' : 'dearer';
}

/** The router of a session whose model was chosen before it began: it keeps that. @param running the model */
export function startedWith(routing: Decision, running: Extract<RoutedModel, { readonly running: unknown }>['running'], router: Router): Router {
  let isFirst = true;
  const own = modelKey(running.model);
  return {
    choose: ({ cache }) => {
      const { kind } = routing;
      const kept = { type: 'kept', kind, key: own, cachedTokens: cache?.tokens ?? 0 } as const;
      const how = isFirst && routing.type === 'chosen' ? routing : kept;
      isFirst = false;
      return Promise.resolve({ routing: how, running, suitable: [own] });
    },
    waits: false,
    holds: (chosen) => chosen.type !== 'ask' && chosen.key === own,
    forWork: (...work) => router.forWork(...work),
    // Who allowed it was shown this model.
    mayStandIn: () => false,
    answered: (key, well) => router.answered(key, well),
  };
}
