import { ToolInputError } from '../../domain/errors.js';
import type { FileLocation, Workspace } from '../../domain/workspace/workspace.js';
import { showName } from '../../text/show.js';

/**
 * Checks, right before execution, the places that were judged again: a link may have been put in the place of one, or
 * redirected, while the user read the prompt.
 * @throws ToolInputError when one leads elsewhere now, by its name or by where it led.
 */
export async function checkPlaces(workspace: Workspace, places: readonly FileLocation[]): Promise<void> {
  for (const { path, real, display } of places) {
    const now = await Promise.all([workspace.locate(path), workspace.locate(real)]);
    if (now.every((place) => place.real === real)) continue;
    throw new ToolInputError(`${showName(display)} leads elsewhere than when the call was planned; nothing was done. Plan it again.`);
  }
}
