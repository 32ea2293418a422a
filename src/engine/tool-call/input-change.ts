import { isDeepStrictEqual } from 'node:util';
import { text } from '../../domain/model/content.js';
import { withNotesBefore } from '../../domain/tool/model-notes.js';
import { plainOutcome, type RanInstead } from '../../domain/tool/outcome.js';
import type { Plan, ToolResult } from '../../domain/tool/tool.js';
import { headOf } from '../../text/show.js';

/** Most characters of the arguments of a changed call that the model gets; it has the rest, such as the text of a file, from the file. */
const TOLD_CHARACTERS = 10_000;

/** Whether two plans are of the same call: the same tool with the same arguments, in whatever order they were written. */
export function isSameInput(asked: Plan, plan: Plan): boolean {
  return plan.tool === asked.tool && isDeepStrictEqual(plan.args, asked.args);
}

/** The names of the arguments that are other ones, left out, or new. */
export function changedFields(before: unknown, after: unknown): readonly string[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((name) => !isDeepStrictEqual(old.get(name), now.get(name)));
}

function fieldsOf(args: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof args === 'object' && args !== null ? Object.entries(args) : []);
}

/** Tells the model what ran in place of what it asked for; of a file's text, the tool says itself what is another. */
export function withChange(asked: Plan, plan: Plan, result: ToolResult): ToolResult {
  const { subject, preview } = plan;
  const onlyText = isSameInput(asked, plan) && preview.kind === 'diff';
  const words = onlyText ? 'Their text stands; do not change it back.' : `What ran: ${subject}${inputWords(asked, plan)}`;
  return withWhatRan(withNotesBefore(result, [text(`The user changed this call before allowing it. ${words}\n\n`)]), { subject, by: 'user' });
}

/** Keeps with a result that something else ran than the call in the transcript says. */
export function withWhatRan(result: ToolResult, ran: RanInstead): ToolResult {
  const { outcome = plainOutcome(result.isError) } = result;
  return { ...result, outcome: { ...outcome, ran } };
}

/** The arguments that a call ran with, unless its title has all that is another. */
function inputWords(asked: Plan, plan: Plan): string {
  const now = fieldsOf(plan.args);
  const isShown = (name: string): boolean => {
    const value = now.get(name);
    return typeof value === 'string' && plan.subject.startsWith(value);
  };
  if (plan.tool === asked.tool && changedFields(asked.args, plan.args).every(isShown)) return '';
  const whole = JSON.stringify(plan.args);
  const told = whole.length > TOLD_CHARACTERS ? `${headOf(whole, TOLD_CHARACTERS)}…` : whole;
  return `\nThe arguments that it ran with: ${told}\nDo not change it back.`;
}
