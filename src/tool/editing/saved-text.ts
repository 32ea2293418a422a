import { replaceAll } from './replace.js';
import { inSlices } from '../../concurrency/steps.js';
import { lineEndingsOf, withLineEndings } from '../../text/line-endings.js';

/**
 * What the user meant to write, given what an editor saved. An editor normalizes line endings and may put a byte-order mark
 * in front: where the proposal has mixed line endings, each line keeps its ending, and new lines get those of their
 * neighbors.
 */
export async function textOfSave(saved: string, proposed: string, signal: AbortSignal): Promise<string> {
  const text = saved.startsWith('\uFEFF') && !proposed.startsWith('\uFEFF') ? saved.slice(1) : saved;
  if (!['mixed', '\r'].includes(lineEndingsOf(proposed))) return text;
  // Only line endings that an editor changed on its own are no change of the user's.
  if (withLineEndings(text, '\n') === withLineEndings(proposed, '\n')) return proposed;
  const whole = { start: 0, end: proposed.length, text: withLineEndings(text, '\n') };
  return (await inSlices(replaceAll(proposed, [whole]), signal)).text;
}
