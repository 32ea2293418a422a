import { t } from '../../domain/l10n.js';
import type { Judgment } from '../../domain/tool/permission.js';
import type { Plan } from '../../domain/tool/tool.js';

/** Permission decision for a plan as it is, before a file is opened for it. */
export interface Assessment {
  readonly judgment: Judgment;
  /** Next step if allowed: the call runs, or its files are opened and it is judged again as a whole. */
  readonly next: 'run' | 'open';
}

/**
 * Judges a plan. One that is unopened is denied as a whole before anything of it is looked at; then it is its reading that is judged,
 * so that no answer to the model depends on a file that may not be read without a question.
 * @param judge what permission says of a plan, nothing opened
 */
export async function assess(plan: Plan, judge: (plan: Plan) => Promise<Judgment>): Promise<Assessment> {
  const { unopened } = plan;
  const whole = await judge(plan);
  if (unopened === undefined || whole.type === 'deny') return { judgment: whole, next: 'run' };
  if (unopened.reads.length === 0) return { judgment: { type: 'allow', reason: t('The model has read it.') }, next: 'open' };
  const reading = await judge({ ...plan, accesses: unopened.reads, preview: { kind: 'none' }, changes: [] });
  if (reading.type === 'deny') return { judgment: reading, next: 'run' };
  if (reading.type === 'allow') return { judgment: reading, next: 'open' };
  if (unopened.runsBlind) return { judgment: whole.type === 'ask' ? whole : reading, next: 'run' };
  return { judgment: { ...reading, reasons: [t('The file has to be read before the change can be shown.'), ...reading.reasons] }, next: 'open' };
}
