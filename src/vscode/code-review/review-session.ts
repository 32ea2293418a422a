import type { UserContent } from '../../domain/model/content.js';
import { t } from '../../domain/l10n.js';
import type { Gate } from '../../domain/tool/permission.js';
import type { Tool } from '../../domain/tool/tool.js';
import type { Turn } from '../../engine/events.js';
import type { Conversation } from '../chat/conversation/conversation.js';
import type { SessionShape } from '../chat/conversation/conversations.js';
import type { FindingDesk } from './report-tool.js';
import { createReportTool, REPORT_TOOL } from './report-tool.js';

/** The tools that only read; beside them there is the one that reports. */
const READERS: ReadonlySet<string> = new Set(['read', 'grep', 'glob', 'diagnostics', 'symbols']);

/** The shape of a conversation that reviews: it reads, and says what it found. */
export class ReviewShape implements SessionShape {
  private readonly desk: FindingDesk;

  constructor(desk: FindingDesk) {
    this.desk = desk;
  }

  readonly tools = (all: readonly Tool[]): readonly Tool[] => [...all.filter(({ spec }) => READERS.has(spec.name)), createReportTool(this.desk)];

  /** A report touches nothing, so it passes in every mode; all else is judged as ever. */
  readonly gate = (base: Gate): Gate => ({
    judge: (request, signal) => (request.plan.tool === REPORT_TOOL ? Promise.resolve({ type: 'allow', reason: t('It only shows a finding.') }) : base.judge(request, signal)),
    remember: (request, rules, scope) => base.remember(request, rules, scope),
  });
}

/** Says something and waits for the end of the turn. @throws Error when it cannot begin. */
export async function turnOf(conversation: Conversation, content: readonly UserContent[]): Promise<Turn> {
  let stop = (): void => undefined;
  const ended = new Promise<Turn>((resolve) => {
    stop = conversation.session.onEvent((event) => {
      if (event.type === 'turn_ended') resolve(event.turn);
    });
  });
  try {
    await conversation.send(content);
    return await ended;
  } finally {
    stop();
  }
}
