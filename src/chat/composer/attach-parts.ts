import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { PictureScaler } from '../../domain/workspace/picture.js';
import { type ContentPart, originLine } from '../../mcp/resources/contents.js';
import { headOf } from '../../text/show.js';
import type { Attachments } from './attachments.js';

/** Characters of the name of something attached. */
const MAX_NAME = 200;

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
    const name = headOf(`${server}: ${part.uri}`, MAX_NAME);
    try {
      if (part.type === 'text') attachments.addText(name, `${originLine(server, part.uri)}\n${part.text}`);
      else await attachments.addPicture(part.uri === '' ? t('Image of {0}', server) : name, part.data, pictures);
    } catch (error) {
      failed.push(errorMessage(error));
    }
  }
  return failed;
}
