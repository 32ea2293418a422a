import type { Client } from '@modelcontextprotocol/client';
import type { McpHandlers } from '../../domain/mcp/connection.js';
import { CappedLines } from './transport/capped-lines.js';
import { jsonStart } from './wire/json.js';
import type { McpLimits } from './limits.js';

/** A list that can change. */
export type ChangingList = 'tools' | 'prompts' | 'resources';

/** When a change that was not reported yet came first, and what will report it. */
interface Pending {
  readonly since: number;
  readonly timer: NodeJS.Timeout;
}

/** Passes on what servers tell unasked: changes of lists (few, however many there are), of resources, and the log. */
export class Inbox {
  private readonly pending = new Map<ChangingList, Pending>();
  private readonly log: CappedLines[] = [];
  private open = false;

  constructor(
    private readonly handlers: McpHandlers,
    private readonly limits: McpLimits,
  ) {}

  /** Has a client pass on what it gets. */
  attach(client: Client): void {
    client.setNotificationHandler('notifications/tools/list_changed', () => this.changed('tools'));
    client.setNotificationHandler('notifications/prompts/list_changed', () => this.changed('prompts'));
    client.setNotificationHandler('notifications/resources/list_changed', () => this.changed('resources'));
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      if (this.open) this.handlers.resourceUpdated(params.uri);
    });
    let level = '';
    const lines = new CappedLines(this.limits, (line) => this.handlers.logged({ level, text: line }));
    this.log.push(lines);
    client.setNotificationHandler('notifications/message', ({ params }) => {
      level = params.level;
      const data = typeof params.data === 'string' ? params.data : jsonStart(params.data, this.limits.lineCharacters);
      lines.add(params.logger === undefined ? data : `${params.logger}: ${data}`);
    });
  }

  /** From now on changes are reported. Before, all is still to be read anyway. */
  start(): void {
    this.open = true;
  }

  /** Reports a change, once things are quiet or have been lively for too long. */
  changed(list: ChangingList): void {
    if (!this.open) return;
    const now = performance.now();
    const before = this.pending.get(list);
    clearTimeout(before?.timer);
    const since = before?.since ?? now;
    const wait = Math.max(0, Math.min(this.limits.changeMs, since + this.limits.changeMaxMs - now));
    const timer = setTimeout(() => {
      this.pending.delete(list);
      this.handlers.changed(list);
    }, wait);
    this.pending.set(list, { since, timer });
  }

  /** From now on nothing is reported. */
  stop(): void {
    this.open = false;
    for (const { timer } of this.pending.values()) clearTimeout(timer);
    this.pending.clear();
    for (const lines of this.log) lines.finish();
  }
}
