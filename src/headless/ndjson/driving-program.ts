import { Signal } from '../../concurrency/signal.js';
import type { HookDefinition } from '../../domain/hook/definition.js';
import { HOOK_EVENTS } from '../../domain/hook/event.js';
import type { CallbackHooks } from '../../domain/hook/runner.js';
import type { McpEntry } from '../../domain/mcp/config.js';
import { errorMessage } from '../../domain/errors.js';
import type { ServerPorts } from '../../agent-host/host-ports.js';
import { type ControlBody, type ControlChannel, objectIn } from './control.js';

/** Seconds that a hook may take where the program does not say, as in Claude Code. */
const HOOK_SECONDS = 60;

/** Where what a program brings is from, for users. */
const PROGRAM = { file: 'the program that started Gnomon', display: 'the program that started Gnomon' } as const;

type Events = Parameters<ServerPorts['inProcess']['connect']>[1];

/**
 * What the program that started this one brings: hooks that are functions of it, and MCP servers within it. Both are there from its request
 * `initialize` on, and nothing of them before.
 */
export class DrivingProgram {
  private control: ControlChannel | undefined;
  private hooks: readonly HookDefinition[] = [];
  private entries: readonly McpEntry[] = [];
  private readonly changed = new Signal();
  private readonly connected = new Map<string, Events>();

  /** The hooks, for the agent host. */
  readonly callbacks: CallbackHooks = {
    definitions: () => this.hooks,
    call: (id, input, signal) => this.channel().request({ subtype: 'hook_callback', callback_id: id, input, ...toolUseId(input) }, signal),
  };

  /** The servers, for the agent host. */
  get servers(): ServerPorts['inProcess'] {
    const entries = (): readonly McpEntry[] => this.entries;
    return {
      get entries() {
        return entries();
      },
      connect: (name, events) => this.connect(name, events),
      onDidChange: this.changed.subscribe,
    };
  }

  /** Asks this program from now on. */
  attach(control: ControlChannel): void {
    this.control = control;
  }

  /** Takes what `initialize` brings. */
  take({ hooks, sdkMcpServers }: ControlBody): void {
    this.hooks = HOOK_EVENTS.flatMap((event) => definitionsOf(event, objectIn(hooks)[event]));
    const names = Array.isArray(sdkMcpServers) ? sdkMcpServers.filter((name) => typeof name === 'string' && name !== '') : [];
    this.entries = names.map((name: string) => entryOf(name));
    if (names.length > 0) this.changed.emit();
  }

  /** A message that a server within the program sends on its own. @returns whether there is such a server */
  received(server: string, message: unknown): boolean {
    const events = this.connected.get(server);
    events?.message(message);
    return events !== undefined;
  }

  private channel(): ControlChannel {
    if (this.control === undefined) throw new Error('The program that started Gnomon cannot be asked.');
    return this.control;
  }

  private connect(name: string, events: Events): ReturnType<ServerPorts['inProcess']['connect']> {
    if (!this.entries.some((entry) => entry.name === name)) return undefined;
    this.connected.set(name, events);
    const closing = new AbortController();
    return {
      send: (message) => {
        // How long a call may take, the client of the server knows.
        this.channel()
          .request({ subtype: 'mcp_message', server_name: name, message }, closing.signal)
          .then(
            ({ mcp_response: answer }) => {
              if (isAnswer(message, answer)) events.message(answer);
            },
            (error: unknown) => this.refused(message, error, events),
          );
      },
      close: () => {
        this.connected.delete(name);
        closing.abort();
      },
    };
  }

  /** Nothing else would answer the client of the server. */
  private refused(message: unknown, error: unknown, events: Events): void {
    const { id } = objectIn(message);
    if (id !== undefined) events.message({ jsonrpc: '2.0', id, error: { code: -32_603, message: errorMessage(error) } });
  }
}

/** Whether an answer is one: to a notification there is none, whatever the program sends. */
function isAnswer(message: unknown, answer: unknown): boolean {
  return objectIn(message)['id'] !== undefined && objectIn(answer)['id'] !== undefined;
}

function toolUseId(input: unknown): ControlBody {
  const { tool_use_id: id } = objectIn(input);
  return typeof id === 'string' ? { tool_use_id: id } : {};
}

/** The hooks of an event: `[{ matcher?, hookCallbackIds, timeout? (seconds), onFailure? }]`. */
function definitionsOf(event: HookDefinition['event'], groups: unknown): readonly HookDefinition[] {
  if (!Array.isArray(groups)) return [];
  return groups.map(objectIn).flatMap(({ matcher, hookCallbackIds, timeout, onFailure }): readonly HookDefinition[] => {
    const ids = Array.isArray(hookCallbackIds) ? hookCallbackIds.filter((id) => typeof id === 'string') : [];
    return ids.map((id: string) => ({
      event,
      ...(typeof matcher === 'string' ? { matcher } : {}),
      handler: { type: 'callback', id },
      timeoutMs: (typeof timeout === 'number' && timeout > 0 ? timeout : HOOK_SECONDS) * 1_000,
      ...(onFailure === 'block' || onFailure === 'continue' ? { onFailure } : {}),
      dialect: 'claude',
      origin: { layer: 'user', ...PROGRAM },
    }));
  });
}

function entryOf(name: string): McpEntry {
  return { name, source: { scope: 'program', format: 'gnomon', file: PROGRAM.file }, config: { type: 'sdk', name } };
}
