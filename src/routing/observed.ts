import { InvalidDataError } from '../domain/errors.js';
import { isShare, type Observations } from './estimates.js';

/** What an observation still counts for after each later one: they weigh as much as the last 33. */
const KEEPS = 0.97;

/**
 * Adds an outcome. A model that did not answer, and a task that the user stopped, are no outcomes: see `afterFailure`.
 * @param outcome how much of the task succeeded, 0 to 1
 * @throws InvalidDataError when it is none
 */
export function observed({ solved, seen }: Observations, outcome: number): Observations {
  if (!isShare(outcome)) throw new InvalidDataError('outcome', `must be between 0 and 1, got ${String(outcome)}`);
  return { solved: KEEPS * solved + outcome, seen: KEEPS * seen + 1 };
}
