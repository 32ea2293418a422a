import { join } from 'node:path';
import { InvalidDataError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { atomicWrite } from '../atomic-write.js';
import { readSidecar } from '../load.js';
import type { StoreContext } from '../opening.js';
import { setSidecarAside } from '../opening.js';
import { fileNames } from '../session-id.js';
import type { MetaPatch } from '../sidecar.js';
import { encodeSidecar, patchMeta } from '../sidecar.js';

/**
 * Changes the sidecar of a session that is open nowhere; for the holder of its lock.
 * @throws InvalidDataError when there is no such session.
 */
export async function labelFiles(context: StoreContext, id: string, patch: MetaPatch): Promise<void> {
  const { files } = context.writer;
  const names = fileNames(id);
  const [meta, ...bodies] = [names.meta, names.envelope, names.journal].map((name) => join(context.folder, name));
  const found = await Promise.all(bodies.map((path) => files.stat(path)));
  await context.trash.refuse(id);
  if (meta === undefined || found.every((entry) => entry === undefined)) {
    throw new InvalidDataError(names.envelope, t('there is no such conversation; it may have been deleted'));
  }
  const { sidecar, sidecarProblem } = await readSidecar(files, meta);
  if (sidecarProblem !== undefined) await setSidecarAside(context, id);
  await atomicWrite(context.writer, meta, [encodeSidecar({ ...sidecar, meta: patchMeta(sidecar.meta, patch) })]);
}
