import { errorMessage } from '../../../domain/errors.js';
import { t } from '../../../domain/l10n.js';
import type { PictureScaler } from '../../../domain/workspace/picture.js';
import { type ContentPart, originLine } from '../../../mcp/resources/contents.js';
import type { Attachments } from './attachments.js';

/** What of a prompt is attached. */
interface AttachedParts {
  /** Id of the server that it is from. */
  readonly server: string;
  readonly parts: readonly ContentPart[];
  readonly pictures: PictureScaler;
}

/** Attaches what a server sent along with a prompt, marked as data of the server. @returns why parts of it are not attached */
export async function attachParts(attachments: Attachments, { server, parts, pictures }: AttachedParts): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const part of parts) {
    try {
      if (part.type === 'text') attachments.addText(`${server}: ${part.uri}`, `${originLine(server, part.uri)}\n${part.text}`);
      else await attachments.addPicture(part.uri === '' ? t('Image of {0}', server) : `${server}: ${part.uri}`, part.data, pictures);
    } catch (error) {
      failed.push(errorMessage(error));
    }
  }
  return failed;
}
