import { ToolInputError } from '../../domain/errors.js';
import type { FileLocation, Workspace } from '../../domain/workspace/workspace.js';
import { showName } from '../../text/show.js';

/**
 * Looks again, right before something is done, at the places that were judged: somebody may have put a link in the place
 * of one, or turned one round, while the user read the prompt.
 * @throws ToolInputError when one leads elsewhere now, by its name or by where it led.
 */
export async function checkPlaces(workspace: Workspace, places: readonly FileLocation[]): Promise<void> {
  for (const { path, real, display } of places) {
    const now = await Promise.all([workspace.locate(path), workspace.locate(real)]);
    if (now.every((place) => place.real === real)) continue;
    throw new ToolInputError(`${showName(display)} leads elsewhere than when the call was planned; nothing was done. Plan it again.`);
  }
}
