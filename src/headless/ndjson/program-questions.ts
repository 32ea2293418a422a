import { errorMessage, isAbortError } from '../../domain/errors.js';
import { type AskedPermission, idAmongAll } from '../../domain/tool/asks.js';
import type { QuestionAnswer, Questions } from '../../domain/tool/interaction.js';
import type { ApprovalAnswer } from '../../domain/tool/permission.js';
import type { AgentSession } from '../../engine/agent-session.js';
import type { ControlChannel } from './control.js';
import { permissionAnswer, permissionRequest, questionAnswer, questionRequest } from './permission-frames.js';

/** What only the program that started this one can answer, with how to take it back. */
interface Asked {
  readonly revision: number;
  readonly stop: AbortController;
}

/** How often a call is asked about whose answers could not be followed: a program can correct itself, and must not be asked for ever. */
const MOST_ASKED = 3;

/** Puts what waits for an answer to the program that started this one: each call once, as it is now. */
export class ProgramQuestions {
  /** Also those that are answered, as a call waits until its answer has taken effect. */
  private readonly asked = new Map<string, Asked>();
  /** How often each call was asked about whose answer could not be followed. */
  private readonly unfollowed = new Map<string, number>();

  /** @param folder absolute path of the current one, for paths in calls */
  constructor(
    private readonly control: ControlChannel,
    private readonly folder: string,
  ) {}

  /** Questions of models. One that is not answered is dismissed. */
  readonly ofModels: Questions = {
    ask: async (callId, question, signal): Promise<QuestionAnswer> => {
      const asked = { kind: 'question', who: { session: '', depth: 0 }, callId, question } as const;
      return this.control.request(questionRequest(asked), signal).then(
        (body) => questionAnswer(body, asked),
        () => ({ type: 'dismissed' }),
      );
    },
  };

  /** Asks about what waits and was not asked yet, and takes back what waits no more. @param denies whether nobody is asked, so that it is denied */
  askAgain(session: AgentSession, denies: boolean): void {
    const waiting = new Map(session.asks.waiting.filter((ask) => ask.kind === 'permission').map((ask) => [idAmongAll(ask), ask]));
    for (const [key, { revision, stop }] of this.asked) {
      if (waiting.get(key)?.revision === revision) continue;
      this.asked.delete(key);
      stop.abort();
    }
    for (const [key, ask] of waiting) {
      if (this.asked.has(key)) continue;
      const times = ask.problem === undefined ? 0 : (this.unfollowed.get(key) ?? 0) + 1;
      this.unfollowed.set(key, times);
      const deny = (feedback: string): void => void session.answer(ask.callId, { type: 'deny', feedback }, ask.revision, ask.who.session);
      if (times >= MOST_ASKED) deny(`No answer could be followed. ${ask.problem ?? ''}`);
      else if (denies) deny('The mode is dontAsk: nobody is asked.');
      else void this.ask(ask, session);
    }
  }

  private async ask(ask: AskedPermission, session: AgentSession): Promise<void> {
    const stop = new AbortController();
    const answers = (answer: ApprovalAnswer): void => void session.answer(ask.callId, answer, ask.revision, ask.who.session);
    this.asked.set(idAmongAll(ask), { revision: ask.revision, stop });
    try {
      const body = await this.control.request(permissionRequest(ask, this.folder), stop.signal);
      const { answer, interrupts } = permissionAnswer(body, ask, this.folder);
      answers(answer);
      if (interrupts) session.cancel();
    } catch (error) {
      // It was taken back: someone else has answered, or the turn was stopped.
      if (stop.signal.aborted) return;
      answers({ type: 'deny', feedback: errorMessage(error) });
      // Who can answer no more would be asked again and again.
      if (isAbortError(error)) session.cancel();
    }
  }
}
