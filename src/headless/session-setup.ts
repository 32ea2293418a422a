import type { AgentHost } from '../agent-host/agent-host.js';
import { CHAT, type SessionShape } from '../agent-host/session-factory.js';
import { toolMeaning } from '../config/tool-names.js';
import { errorMessage } from '../domain/errors.js';
import { SERVER_TOOL } from '../domain/mcp/tool-name.js';
import { EFFORT_TOKENS, effortWithin, type ThinkingEffort } from '../domain/model/effort.js';
import { present } from '../domain/present.js';
import type { OpenSession } from '../domain/session/session-store.js';
import type { Questions } from '../domain/tool/interaction.js';
import type { PermissionMode } from '../domain/tool/permission.js';
import type { AgentSession } from '../engine/agent-session.js';
import { modelKey } from '../domain/model/model-key.js';
import { createPurse } from '../engine/turn/purse.js';
import { wantedModel } from '../models/wanted-model.js';
import { ruleProblems } from '../permission/rules/rule-set.js';
import { EXIT, Impossible } from './exit.js';
import type { RunOptions } from './flags.js';
import type { HeadlessHost } from './open-host.js';
import { alone } from './storage/busy.js';
import { NOBODY, withoutPrompts } from './unattended.js';
import { AUTO, DEFAULT_MODEL, readChoice } from '../domain/model/model-choice.js';

/** A session with the names of the tools that it has from the start, but those of servers. */
export interface OpenedSession {
  readonly session: AgentSession;
  readonly tools: readonly string[];
}

/** What else a session is limited by, where what works in it is no model. */
export type OwnLimits = Pick<SessionShape, 'tools' | 'gate'>;

/**
 * Opens the session of a run as the command line says.
 * @param questions takes the questions of its model; left out: nobody can be asked, so that what would be asked about is denied
 * @param limits narrow what the command line says further
 * @throws Impossible where something that was named is not there, or may not be
 */
export async function openSession(options: RunOptions, parts: HeadlessHost, questions?: Questions, limits?: OwnLimits): Promise<OpenedSession> {
  const { factory } = parts.host;
  checkRules(options);
  const instructions = await factory.instructions();
  const open = await storedSession(options, parts, factory.systemPrompt(instructions));
  try {
    return await workIn({ open, instructions, ...present({ questions, limits }) }, options, parts);
  } catch (error) {
    // A process that serves sessions goes on, and would keep this one from all others.
    await open.recorder.close();
    throw error;
  }
}

/** A stored session, and what it is opened with. */
interface Stored {
  readonly open: OpenSession;
  readonly instructions: Awaited<ReturnType<AgentHost['factory']['instructions']>>;
  readonly questions?: Questions;
  readonly limits?: OwnLimits;
}

async function workIn({ open, instructions, questions, limits }: Stored, options: RunOptions, parts: HeadlessHost): Promise<OpenedSession> {
  const { host, store, log } = parts;
  const { factory, fileSettings, permissions, ground } = host;
  const { modelChoice } = open.meta;
  for (const warning of open.warnings) log.warn(warning);
  const [chosen, agent] = await Promise.all([
    chooseModel(host, options.model, open.meta.model),
    chooseAgent(host, options.agent, open.meta.agent),
    // What is told with a message is known before it, as there may be only one.
    ground.environment.refresh(),
  ]);
  const tools: string[] = [];
  const shape = limitedBy(
    limits,
    shapeOf(options, questions !== undefined, (names) => tools.push(...names.filter((name) => !tools.includes(name)))),
  );
  const session = factory.open({
    ...chosen,
    ...(options.model === undefined && modelChoice !== undefined ? { choice: readChoice(modelChoice) } : {}),
    open,
    instructions,
    mode: startingMode(host, options, fileSettings.permissionMode()),
    questions: questions ?? NOBODY,
    shape,
    ...present({ agent, maxRounds: options.maxTurns, addition: options.appendedPrompt, purse: purseOf(options) }),
  });
  // Models get it turn by turn, but the first message names it already.
  shape.tools(await factory.turnTools(chosen));
  store.share(session.id, {
    // One prompt is one piece of work, from here to the end.
    isIdle: () => options.inputIsProtocol && session.state === 'idle',
    onTakenOver: () => {
      log.warn(`The session ${session.id} was taken over by another window or program.`);
      // What would come of it here could not be stored any more.
      session.close().catch((error: unknown) => log.error('The session could not be closed', error));
    },
  });
  ground.environment.follow(session);
  const effort = effortOf(options);
  if (effort !== undefined) session.setEffort(effort);
  permissions.sessionRules.update(session.id, { type: 'addRules', effect: 'allow', rules: options.allowed });
  permissions.sessionRules.update(session.id, { type: 'addRules', effect: 'deny', rules: options.denied });
  return { session, tools };
}

/** How much the model thinks: as it is said, but no more than a limit lets it. */
function effortOf({ effort, maxThinkingTokens: most }: RunOptions): ThinkingEffort | undefined {
  if (most === undefined || effort === undefined) return most === undefined ? effort : effortWithin(most);
  return EFFORT_TOKENS[effort] <= most ? effort : effortWithin(most);
}

/** @throws Impossible for a rule of the command line that cannot be read: it could be one that restricts */
function checkRules({ allowed, denied }: RunOptions): void {
  const given = [
    { flag: '--allowedTools', effect: 'allow', texts: allowed },
    { flag: '--disallowedTools', effect: 'deny', texts: denied },
  ] as const;
  for (const { flag, effect, texts } of given) {
    const [problem] = ruleProblems(texts.map((text) => ({ effect, text, scope: 'session' })));
    if (problem !== undefined) throw new Impossible(`${flag}: ${problem}`, EXIT.usage);
  }
}

/** A session that is new, or gone on with. */
async function storedSession(
  { fork, takesOver, systemPrompt }: RunOptions,
  { store, session, checkpoints }: HeadlessHost,
  usual: string,
): Promise<OpenSession> {
  const continues = session?.continues;
  if (continues === undefined) return store.create(systemPrompt ?? usual, session?.id);
  if (fork) {
    const copy = await store.branch(continues, Number.MAX_SAFE_INTEGER, session?.id);
    await checkpoints.copy(continues, copy.session.id, copy.session.messages.length);
    return copy;
  }
  return alone(() => store.open(continues, { takeOver: takesOver }), session?.otherwise);
}

/**
 * A model by its name on the command line, else that of the session, else the one for new sessions.
 * @throws Impossible where none is set up: the demo is for those who want it, as a script takes its answer for that of a model
 */
export async function chooseModel({ models }: AgentHost, asked: string | undefined, stored?: string): ReturnType<AgentHost['models']['choose']> {
  if (asked === undefined) return (await realModel(models, stored)) ?? (await afterLists(models, stored));
  if (asked === AUTO || asked === DEFAULT_MODEL) return (await realModel(models, asked)) ?? (await afterLists(models, asked));
  if (asked.includes('/')) {
    return models.choose(asked).catch((error: unknown) => {
      throw new Impossible(errorMessage(error), EXIT.usage);
    });
  }
  await models.refresh();
  const found = wantedModel(asked, undefined, models.entries());
  if (found.type !== 'model')
    throw new Impossible(`There is no model “${asked}”. Name one as provider/model, such as anthropic/claude-sonnet-5-5.`, EXIT.usage);
  return models.choose(found.key);
}

type Chosen = Awaited<ReturnType<AgentHost['models']['choose']>>;

async function realModel(models: AgentHost['models'], stored: string | undefined): Promise<Chosen | undefined> {
  const chosen = await models.choose(stored);
  return models.isStandIn(modelKey(chosen.model)) ? undefined : chosen;
}

/** The model once servers of this machine have said which they have. */
async function afterLists(models: AgentHost['models'], stored: string | undefined): Promise<Chosen> {
  await models.refresh();
  const chosen = await realModel(models, stored);
  if (chosen !== undefined) return chosen;
  throw new Impossible(
    'No model is set up. Set the environment variable of a provider’s key, such as ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a model with --model. ' +
      '--model demo/demo is a demo that works offline.',
  );
}

/** The agent by its name on the command line, else that of the session: it may be there to limit what is done. */
async function chooseAgent({ agents }: AgentHost, asked: string | undefined, stored: string | undefined): Promise<ReturnType<AgentHost['agents']['find']>> {
  const name = asked ?? stored;
  if (name === undefined || asked === 'none') return undefined;
  await agents.ready();
  const found = agents.find(name);
  if (found !== undefined) return found;
  const why = 'Those of a project are used with --trust-project only.';
  throw new Impossible(
    asked === undefined
      ? `The agent “${name}” of this session is not there. ${why} Name another one with --agent, or go on without with --agent none.`
      : `There is no agent “${name}”. ${why}`,
    asked === undefined ? EXIT.failed : EXIT.usage,
  );
}

function startingMode({ permissions: { bypass } }: AgentHost, { mode: { mode: asked } }: RunOptions, usual: PermissionMode): PermissionMode {
  const mode = bypass.startingMode(asked ?? usual);
  if (asked === undefined || mode === asked) return mode;
  const by = bypass.disabledBy();
  throw new Impossible(by === undefined ? 'Permissions cannot be bypassed here.' : `Permissions cannot be bypassed: the mode is disabled in ${by}.`);
}

function purseOf({ maxBudgetUsd }: RunOptions): ReturnType<typeof createPurse> | undefined {
  return maxBudgetUsd === undefined ? undefined : createPurse(() => ({ costUsd: maxBudgetUsd }));
}

function shapeOf({ tools, mode }: RunOptions, asks: boolean, chosen: (names: readonly string[]) => void): SessionShape {
  const named = tools === undefined ? undefined : new Set(tools.flatMap(toolsCalled));
  return {
    ...CHAT,
    tools: (all) => {
      // Servers are limited by what is said of servers.
      const own = named === undefined ? all : all.filter(({ spec }) => named.has(spec.name) || spec.name.startsWith(SERVER_TOOL));
      chosen(own.map(({ spec }) => spec.name));
      return own;
    },
    ...(asks && !mode.neverAsks ? {} : { gate: (gate) => withoutPrompts(gate) }),
  };
}

function limitedBy(limits: OwnLimits | undefined, shape: SessionShape): SessionShape {
  if (limits === undefined) return shape;
  return { ...shape, tools: (all) => limits.tools(shape.tools(all)), gate: (gate) => limits.gate(shape.gate(gate)) };
}

/** The tools that a name of the command line means. */
function toolsCalled(name: string): readonly string[] {
  const meaning = toolMeaning(name, 'claude');
  if (meaning.type !== 'tools') throw new Impossible(`There is no tool “${name}”.`, EXIT.usage);
  return meaning.tools;
}
