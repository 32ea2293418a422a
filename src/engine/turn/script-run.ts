import { present } from '../../domain/present.js';
import { randomUUID } from 'node:crypto';
import { t } from '../../domain/l10n.js';
import type { AgentFile } from '../../domain/config/agent.js';
import type { ToolCallBlock } from '../../domain/model/content.js';
import { commandsIn, type ScriptedText } from '../../domain/session/scripted-text.js';
import type { Tool, ToolResult } from '../../domain/tool/tool.js';
import { headOf, showCommand } from '../../text/show.js';
import type { CommandBlock, EmittedEvent, ToolCallState } from '../events.js';
import { findTool } from '../tool-call/find-tool.js';
import { runToolCalls } from '../tool-call/scheduler.js';
import type { TurnCallsDeps } from './turn-calls.js';
import type { TurnScope } from './turn-scope.js';

/** Characters that one command may add to a message, and that of one that failed are shown. */
const MAX_OUTPUT = 30_000;
const MAX_SHOWN = 2_000;
const TOOL = 'bash';

/** Result of a text with commands: the text with their output, or the reason why it is not sent. */
export type ScriptOutcome = { readonly words: string } | { readonly block: CommandBlock };

/**
 * Runs the commands in a text of the user, one after the other, each as a call of the tool that runs commands: hooks, rules, the mode and
 * the user decide about it as about one of the model. The first that does not run, or fails, ends it. Never rejects.
 */
export class ScriptRun {
  private readonly states = new Map<string, ToolCallState>();

  constructor(
    private readonly deps: TurnCallsDeps & { readonly tools: readonly Tool[]; readonly agent: () => AgentFile | undefined },
    private readonly turn: TurnScope,
  ) {}

  /** @param inCommand the slash command that the text is of, without its slash; empty where that is not known */
  async run(script: ScriptedText, inCommand: string): Promise<ScriptOutcome> {
    const commands = script.filter((part) => part.type === 'command');
    if (commands.length === 0) return { words: wordsWith(script, []) };
    if (findTool(this.deps.tools, TOOL) === undefined)
      return { block: { kind: 'command', reason: t('This chat cannot run commands, so the message was not sent.') } };
    const calls = commands.map(({ command, cwd }): ToolCallBlock => ({
      type: 'tool_call',
      id: `command_${randomUUID()}`,
      name: TOOL,
      arguments: JSON.stringify({ command, ...present({ cwd }) }),
    }));
    this.turn.emit({ type: 'commands_started', calls, time: this.deps.clock.timestamp() });
    const outcome = await this.runAll(script, calls, inCommand);
    this.turn.emit({ type: 'commands_ended', failed: 'block' in outcome });
    return outcome;
  }

  private async runAll(script: ScriptedText, calls: readonly ToolCallBlock[], inCommand: string): Promise<ScriptOutcome> {
    const outputs: string[] = [];
    for (const [index, call] of calls.entries()) {
      const result = await this.runOne(call, inCommand);
      const reason = this.failureOf(call, commandsIn(script)[index] ?? '', result);
      if (reason === undefined) outputs.push(outputOf(result));
      else {
        for (const { id } of calls.slice(index + 1)) this.turn.emit({ type: 'tool_call', callId: id, state: { status: 'cancelled' } });
        return { block: { kind: 'command', reason } };
      }
    }
    return { words: wordsWith(script, outputs) };
  }

  private async runOne(call: ToolCallBlock, inCommand: string): Promise<ToolResult> {
    const { deps } = this;
    const { signal, grants } = this.turn;
    const { sessionId, tools, gate, hooks, approvals, purse, mode, modes, log, transcript, changes } = deps;
    const stop: { reason?: string } = {};
    const emit = (event: EmittedEvent): void => {
      if (event.type === 'tool_call') this.states.set(event.callId, event.state);
      this.turn.emit(event);
    };
    // Changes by the commands belong to the resulting message.
    const messageIndex = transcript.messages.length;
    const shared = {
      sessionId,
      tools,
      agent: deps.agent,
      gate,
      grants,
      hooks,
      inCommand,
      approvals,
      purse,
      mode,
      modes,
      log,
      signal,
      emit,
      messageIndex,
      ...present({ changes }),
    };
    let ran: ToolResult = { content: [], isError: true };
    await runToolCalls(
      [call],
      { ...shared, denied: (denial) => transcript.deny(denial), stopTurn: (reason) => void (stop.reason ??= reason), stopped: () => stop.reason !== undefined },
      (_, result) => {
        ran = result;
        return Promise.resolve();
      },
    );
    return stop.reason === undefined ? ran : { content: [{ type: 'text', text: stop.reason }], isError: true };
  }

  /** Why a message is not sent because of a command; `undefined` where the command ran well. */
  private failureOf({ id }: ToolCallBlock, command: string, result: ToolResult): string | undefined {
    const state = this.states.get(id);
    const shown = headOf(showCommand(command), 200);
    if (this.turn.signal.aborted || state?.status === 'cancelled') return t('You stopped “{0}”, so the message was not sent.', shown);
    if (state?.status === 'denied')
      return state.denial.kind === 'user'
        ? t('You did not allow “{0}”, so the message was not sent.', shown)
        : t('“{0}” is not allowed, so the message was not sent.', shown);
    const code = result.printed?.exitCode;
    if (!result.isError && (code === undefined || code === 0)) return undefined;
    const said = headOf(outputOf(result), MAX_SHOWN);
    return code === undefined
      ? t('“{0}” failed, so the message was not sent.\n{1}', shown, said)
      : t('“{0}” ended with exit code {1}, so the message was not sent.\n{2}', shown, code, said);
  }
}

/** Output of a command, cut to what goes into a message. */
function outputOf({ printed, content }: ToolResult): string {
  const text = (printed?.text ?? content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')).trimEnd();
  const head = headOf(text, MAX_OUTPUT);
  return head.length === text.length ? text : `${head}\n[${text.length - head.length} more characters are left out]`;
}

function wordsWith(script: ScriptedText, outputs: readonly string[]): string {
  const left = [...outputs];
  return script.map((part) => (part.type === 'text' ? part.text : (left.shift() ?? ''))).join('');
}
