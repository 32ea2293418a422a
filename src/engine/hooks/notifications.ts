import type { HookEvent } from '../../domain/hook/event.js';
import { t } from '../../domain/l10n.js';
import type { SessionEvent } from '../events.js';
import type { SessionHooks } from './session-hooks.js';

/** Delay before a `Notification` hook runs, in milliseconds: for an open permission prompt, and for an idle session. The same as in Claude Code. */
const PROMPT_MS = 6_000;
const IDLE_MS = 60_000;

type Notification = Extract<HookEvent, { readonly hook_event_name: 'Notification' }>;

/** Runs the Notification hooks when a session waits for the user, who may be elsewhere: once for each wait, and not when it is over before. */
export class HookNotifications {
  private readonly stop = new AbortController();
  /** Timers of pending notifications, by tool call; the end of a turn has no id. */
  private readonly waits = new Map<string, NodeJS.Timeout>();

  constructor(private readonly hooks: SessionHooks) {}

  /** Takes what happens in the session. */
  heard(event: SessionEvent): void {
    if (event.type === 'tool_call') {
      this.end(event.callId);
      const { state } = event;
      if (state.status === 'awaiting_approval')
        this.begin(event.callId, PROMPT_MS, {
          hook_event_name: 'Notification',
          notification_type: 'permission_prompt',
          title: t('Gnomon needs you'),
          message: `${state.plan.tool}: ${state.plan.subject}`,
        });
    }
    if (event.type === 'turn_started') this.end('');
    if (event.type === 'turn_ended')
      this.begin('', IDLE_MS, {
        hook_event_name: 'Notification',
        notification_type: 'idle_prompt',
        title: t('Gnomon is waiting'),
        message: t('Gnomon is waiting for your next message.'),
      });
  }

  /** Ends all notifications. */
  dispose(): void {
    for (const timer of this.waits.values()) clearTimeout(timer);
    this.waits.clear();
    this.stop.abort();
  }

  private begin(id: string, milliseconds: number, notification: Notification): void {
    this.end(id);
    const timer = setTimeout(() => {
      this.waits.delete(id);
      void this.hooks.run(notification, this.stop.signal);
    }, milliseconds);
    timer.unref();
    this.waits.set(id, timer);
  }

  private end(id: string): void {
    clearTimeout(this.waits.get(id));
    this.waits.delete(id);
  }
}
