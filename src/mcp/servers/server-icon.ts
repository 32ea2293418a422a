import type { ImageMimeType } from '../../domain/model/content.js';
import { imageTypeOf } from '../../domain/model/image-type.js';
import { McpError } from '../../domain/mcp/connection.js';
import type { McpIcon } from '../../domain/mcp/feature.js';
import type { McpServerState } from '../../domain/mcp/server.js';
import type { McpSignInFetch } from '../../domain/mcp/sign-in.js';

/** Bytes of an icon that is shown at a few pixels. */
const MAX_BYTES = 256 * 1024;

/** Bytes and type of a server's icon. */
export interface McpIconImage {
  readonly mimeType: ImageMimeType;
  readonly data: Uint8Array;
}

/** Whether a server has an icon that can be loaded. */
export function hasIcon(state: McpServerState): boolean {
  return usableIcon(state) !== undefined;
}

/**
 * The icon of a server; `undefined` when there is none that can be shown. Only bytes that begin like a PNG, JPEG, GIF, or WebP file
 * are one, whatever the server says of them: an SVG file can contain scripts. It is part of what the server sent, or on the server
 * itself, since loading an image from elsewhere would reveal who uses the server.
 */
export async function serverIcon(state: McpServerState, fetchFor: McpSignInFetch, signal: AbortSignal): Promise<McpIconImage | undefined> {
  const icon = usableIcon(state);
  if (icon === undefined) return undefined;
  const data = inlineBytes(icon) ?? (await download(icon, fetchFor, signal));
  const mimeType = data === undefined || data.length > MAX_BYTES ? undefined : imageTypeOf(data);
  return data === undefined || mimeType === undefined ? undefined : { mimeType, data };
}

function usableIcon({ agreement, entry: { config } }: McpServerState): McpIcon | undefined {
  const origin = config.type === 'http' || config.type === 'sse' ? originOf(config.url) : undefined;
  return agreement?.server?.icons?.find(({ src }) => src.startsWith('data:image/') || (origin !== undefined && originOf(src) === origin));
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

function inlineBytes({ src }: McpIcon): Uint8Array | undefined {
  const [, base64] = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/=]+)$/.exec(src) ?? [];
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}

async function download({ src }: McpIcon, fetchFor: McpSignInFetch, signal: AbortSignal): Promise<Uint8Array | undefined> {
  if (!URL.canParse(src) || src.startsWith('data:')) return undefined;
  try {
    const answer = await fetchFor(new URL(src))(src, { signal });
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined;
  } catch (error) {
    // An icon that cannot be downloaded is treated as missing; the server works without it.
    if (error instanceof McpError) return undefined;
    throw error;
  }
}
