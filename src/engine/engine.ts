import type { ScriptedText } from '../domain/session/scripted-text.js';
import { type ScriptOutcome, ScriptRun } from './turn/script-run.js';
import type { Message, UserMessage } from '../domain/model/message.js';
import type { ModelInfo, Request } from '../domain/model/provider.js';
import type { ColdCache } from '../domain/session/context.js';
import type { FiguresByModel, Usage } from '../domain/model/usage.js';
import type { AskedModel } from './one-shot/ask-once.js';
import { askPaid, type Payer } from './one-shot/ask-paid.js';
import type { Answer } from './turn/answer.js';
import type { CompactionOutcome } from './context/context-window.js';
import type { SessionEvent, StartedTurn } from './events.js';
import { type TurnDeps, TurnRun } from './turn/turn.js';
import type { RunningModel, TurnScope } from './turn/turn-scope.js';

/** What an {@link Engine} is made from; the model can change later. */
export type EngineDeps = Omit<TurnDeps, 'model'> & RunningModel;

/** Talks to models and runs tools for exactly one session. Turns run one at a time; the session ensures that. */
export class Engine {
  private own: RunningModel;
  private ofTurn: RunningModel | undefined;

  constructor(private readonly deps: EngineDeps) {
    this.own = { provider: deps.provider, model: deps.model };
  }

  /** The conversation so far. */
  get history(): readonly Message[] {
    return this.deps.transcript.messages;
  }

  /** Tokens of the whole session. */
  get usage(): Usage {
    return this.deps.total.usage;
  }

  /** US dollars of the whole session; `undefined` when not known. */
  get costUsd(): number | undefined {
    return this.deps.total.costUsd;
  }

  /** The same by model, since it is stored. */
  get byModel(): FiguresByModel {
    return this.deps.total.byModel;
  }

  /** The model of the next round. */
  get model(): ModelInfo {
    return this.current.model;
  }

  /** The model of the session, whatever the turn that runs has. */
  get ownModel(): ModelInfo {
    return this.own.model;
  }

  /** What the next request costs because the provider's cache has expired. */
  get coldCache(): ColdCache | undefined {
    return this.deps.window.cold(this.current);
  }

  /** Uses another model from the next round on. */
  setModel(model: RunningModel): void {
    this.own = model;
    this.ofTurn = undefined;
  }

  /** Uses another model for one turn; `undefined`: that of the session again. */
  setTurnModel(model: RunningModel | undefined): void {
    this.ofTurn = model;
  }

  /**
   * Runs a turn: the model and the tools it asks for, until it is done.
   * @param input a valid message of the user; `undefined` asks again for what stands.
   */
  submit(input: UserMessage | undefined, turn: TurnScope): StartedTurn {
    return new TurnRun({ ...this.deps, model: () => this.current }, turn).start(input);
  }

  /** Runs the commands in a text of the user. Never rejects. @param inCommand as {@link ScriptRun.run} has it */
  runScript(script: ScriptedText, inCommand: string, turn: TurnScope): Promise<ScriptOutcome> {
    return new ScriptRun(this.deps, turn).run(script, inCommand);
  }

  /** Sends a request beside the turns, paid for as theirs are. Never throws. @param callback gets every event; must not throw */
  ask(request: Request, asked: Omit<AskedModel, 'clock' | 'log'>, callback: (event: SessionEvent) => void): Promise<Answer> {
    const { clock, log } = this.deps;
    return askPaid(request, { ...asked, clock, log }, this.payer(callback));
  }

  /**
   * Summarizes the conversation so far, at the wish of the user. Never rejects.
   * @param callback gets every event; must not throw.
   */
  compact(instructions: string | undefined, callback: (event: SessionEvent) => void, signal: AbortSignal): Promise<CompactionOutcome> {
    const { window } = this.deps;
    const wish = instructions === undefined || instructions.trim() === '' ? {} : { instructions: instructions.trim() };
    return window.compact({ ...this.current, ...wish, trigger: 'manual', emit: callback, signal, payer: this.payer(callback) });
  }

  private payer(callback: (event: SessionEvent) => void): Payer {
    const { purse, total } = this.deps;
    return {
      purse,
      count: (answer, model) => {
        total.add(answer, model);
        callback({ type: 'usage', usage: total.usage, costUsd: total.costUsd });
      },
    };
  }

  private get current(): RunningModel {
    return this.ofTurn ?? this.own;
  }
}
