import { type HookDefinition, hookName } from '../domain/hook/definition.js';
import { CALL_GUARDS, type HookEvent, type HookEventName } from '../domain/hook/event.js';
import type { HookOutcome } from '../domain/hook/outcome.js';
import { t } from '../domain/l10n.js';
import { shownName } from '../text/key-path.js';
import { vocabularyOf } from './foreign-input.js';
import { calledTool, callIn, namesOf } from './foreign-names.js';
import type { Matchers } from './matcher.js';

/** A tool call, for the conditions of hooks. */
export interface HookedCall {
  /** Gnomon's name of the tool. */
  readonly tool: string;
  readonly args: unknown;
}

/** Services that decide whether a hook matches an event. */
interface HitDeps {
  readonly matchers: Matchers;
  /** Whether a permission rule is about a call; `undefined` when that cannot be decided. */
  readonly matchesRule: (rule: string, call: HookedCall) => boolean | undefined;
}

/** The hooks that are for an event, and what users have to know of their matchers. */
interface Hits {
  readonly hooks: readonly HookDefinition[];
  readonly notices: HookOutcome['messages'];
}

/** Events at which a hook can guard something: one whose matcher cannot be used is for all there. */
const GUARDED: ReadonlySet<HookEventName> = new Set([...CALL_GUARDS, 'UserPromptSubmit', 'PreCompact', 'Stop', 'SubagentStop']);

/** Chooses the hooks for an event by their matchers and conditions. A condition that cannot be decided counts as fulfilled. */
export function hitsOf(registered: readonly HookDefinition[], event: HookEvent, { matchers, matchesRule }: HitDeps): Hits {
  const notices: { readonly by: string; readonly text: string }[] = [];
  const hooks = registered.filter((hook) => {
    const names = subjectsOf(event, hook);
    const matches = names === undefined ? true : matchers.matches(hook.matcher, names);
    if (matches === false) return false;
    if (matches !== true) notices.push({ by: hookName(hook), text: undecidedText(hook) });
    if (matches !== true && !GUARDED.has(hook.event)) return false;
    return hook.condition === undefined || !('tool_name' in event) || matchesRule(hook.condition, callOf(event)) !== false;
  });
  return { hooks, notices };
}

function callOf(event: Extract<HookEvent, { readonly tool_name: string }>): HookedCall {
  const { name, input } = calledTool(callIn(event));
  return { tool: name, args: input };
}

/** Texts that a matcher is compared with; `undefined` for events without any (code.claude.com/docs/en/hooks, "Matcher patterns"). */
function subjectsOf(event: HookEvent, hook: HookDefinition): readonly string[] | undefined {
  switch (event.hook_event_name) {
    case 'PreToolUse':
    case 'PreSkillShellCommand':
    case 'PermissionRequest':
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return namesOf(callIn(event), vocabularyOf(hook));
    case 'SessionStart':
      return [event.source];
    case 'SessionEnd':
      return [event.reason];
    case 'PreCompact':
    case 'PostCompact':
      return [event.trigger];
    case 'Notification':
      return [event.notification_type];
    case 'SubagentStart':
    case 'SubagentStop':
      return [event.agent_type];
    case 'UserPromptSubmit':
    case 'Stop':
      return undefined;
  }
}

function undecidedText({ matcher = '', event }: HookDefinition): string {
  return GUARDED.has(event)
    ? t('The matcher “{0}” cannot be used, so the hook runs for everything.', shownName(matcher))
    : t('The matcher “{0}” cannot be used, so the hook does not run.', shownName(matcher));
}
