import { handlerLine, type HookDefinition } from '../../src/domain/hook/definition.js';
import type { HookEventName, HookContext, HookEvent } from '../../src/domain/hook/event.js';
import type { HookAnswer, HookRunner, HookStart } from '../../src/domain/hook/runner.js';
import { createHooks, type TriableHooks } from '../../src/hook/run-hooks.js';
import type { HooksDeps } from '../../src/hook/running-hooks.js';
import type { SessionHooksOptions } from '../../src/engine/hooks/session-hooks.js';

/** What a hook of a test prints, or how it ends. */
export type Printed = Readonly<Record<string, unknown>> | string | Partial<HookAnswer>;

/** A hook that is told apart by its name. */
export interface TestHook {
  readonly event: HookEventName;
  readonly name: string;
  readonly answer: (input: HookContext & HookEvent, start: HookStart, signal: AbortSignal) => Printed | Promise<Printed>;
  readonly more?: Partial<HookDefinition>;
}

/** A definition of a test hook, which its command names. */
export function definitionOf({ event, name, more = {} }: Pick<TestHook, 'event' | 'name' | 'more'>): HookDefinition {
  return {
    event,
    handler: { type: 'command', command: name },
    timeoutMs: 60_000,
    dialect: 'claude',
    origin: { layer: 'user', file: `/home/${name}.json`, display: name },
    ...more,
  };
}

/** Hooks without processes, with all that they were told. */
export function hooksOf(
  hooks: readonly TestHook[],
  more: Partial<HooksDeps> = {},
): {
  readonly hooks: TriableHooks;
  readonly options: SessionHooksOptions;
  readonly told: { readonly name: string; readonly input: HookContext & HookEvent }[];
} {
  const told: { readonly name: string; readonly input: HookContext & HookEvent }[] = [];
  const runner: HookRunner = {
    async run(start, signal) {
      const name = handlerLine(start.handler);
      const input = JSON.parse(start.input) as HookContext & HookEvent;
      told.push({ name, input });
      return answerOf(await hooks.find((hook) => hook.name === name && hook.event === input.hook_event_name)?.answer(input, start, signal));
    },
    dispose: () => undefined,
  };
  const definitions = hooks.map(definitionOf);
  const made = createHooks({
    definitionsFor: (event) => Promise.resolve(definitions.filter((hook) => hook.event === event)),
    runner,
    matchesRule: () => true,
    ...more,
  });
  return { hooks: made, options: { hooks: made, transcriptPath: '/sessions/session-1.json', cwd: () => '/ws' }, told };
}

function answerOf(printed: Printed = ''): HookAnswer {
  if (typeof printed === 'object' && 'type' in printed && typeof printed['type'] === 'string') return { durationMs: 1, stderr: '', ...printed } as HookAnswer;
  const stdout = new TextEncoder().encode(typeof printed === 'string' ? printed : JSON.stringify(printed));
  return { type: 'exited', exitCode: 0, stdout, stderr: '', durationMs: 1 };
}

/** An answer by exit code and standard error. */
export function exits(exitCode: number, stderr = '', stdout = ''): Partial<HookAnswer> {
  return { type: 'exited', exitCode, stderr, stdout: new TextEncoder().encode(stdout), durationMs: 1 };
}

/** The answer of a PreToolUse hook. */
export function decides(permissionDecision: 'allow' | 'deny' | 'ask', more: Readonly<Record<string, unknown>> = {}): Printed {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more } };
}
