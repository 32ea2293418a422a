import { attachedBlock } from '../domain/session/attached.js';
import type { UserContent } from '../domain/model/content.js';
import { imageTypeOf } from '../domain/model/image-type.js';
import { t } from '../domain/l10n.js';
import { McpError, type McpProgress } from '../domain/mcp/connection.js';
import type { McpResource } from '../domain/mcp/feature.js';
import type { ImageScaler } from '../domain/workspace/image.js';
import type { ConnectedServers } from '../mcp/connected-servers.js';
import { type ContentPart, originLine, readContents } from '../mcp/resources/contents.js';
import { findResources, type FoundResource } from '../mcp/resources/find-resources.js';
import { readMentioned, type ResourceAddress } from '../mcp/resources/read-resource.js';
import { fitImage } from '../node/files/images/fit-image.js';
import type { MentionOffer } from '../protocol/host/composer-messages.js';
import { type ResourceMention, MENTION, resourceIn, resourceMention, writtenUri } from '../protocol/mention-syntax.js';
import { headOf, showName, showSize } from '../text/show.js';

/** Characters of a name or an address that is shown. */
const MAX_SHOWN = 200;

/** The resources of MCP servers, as they are mentioned. */
export class ResourceMentions {
  constructor(
    private readonly servers: ConnectedServers,
    private readonly imageScaler?: ImageScaler,
  ) {}

  /** Whether there is a server of this id, connected or not. */
  has(id: string): boolean {
    return this.servers.state(id) !== undefined;
  }

  /** Mentions to offer after an `@`, best first. */
  offers(query: string, max: number): readonly MentionOffer[] {
    return findResources(this.servers, query, max).flatMap((found) => offerOf(found) ?? []);
  }

  /** Display name of a resource: its server, and its name there. */
  nameOf(mention: ResourceMention): string {
    const listed = this.listed(mention);
    return `${mention.server}: ${shown(listed?.title ?? listed?.name ?? mention.uri)}`;
  }

  /** As {@link ResourceMentions.nameOf} for a mention as it is written, with the `@`; empty where no server is meant. */
  nameIn(written: string): string {
    const [match] = written.matchAll(MENTION);
    if (match === undefined) return '';
    const [, , , server, uri, word = ''] = match;
    const mention = server === undefined || uri === undefined ? resourceIn(word) : { server, uri };
    return mention !== undefined && this.has(mention.server) ? this.nameOf(mention) : '';
  }

  /** Where a resource is that a text mentions: the address as the server lists it, else as it is written. */
  addressOf(mention: ResourceMention): ResourceAddress {
    return { server: mention.server, uri: this.listed(mention)?.uri ?? mention.uri };
  }

  /** Reads a resource as blocks of a message, marked as data of the server. @throws McpError when it cannot be read; AbortError. */
  async attach(
    mention: ResourceMention,
    { signal, progress = () => undefined }: { readonly signal: AbortSignal; readonly progress?: (text: string) => void },
  ): Promise<readonly UserContent[]> {
    const name = this.nameOf(mention);
    progress(t('Reading {0}…', name));
    const contents = await readMentioned(this.servers, this.addressOf(mention), { signal, progress: (news) => progress(progressText(name, news)) });
    const parts = readContents(contents);
    const blocks = await Promise.all(
      parts.map((part, index) =>
        blocksOfPart(part, {
          server: mention.server,
          name: parts.length === 1 ? name : `${name} (${index + 1}/${parts.length})`,
          imageScaler: this.imageScaler,
          signal,
        }),
      ),
    );
    return blocks.flat();
  }

  private listed({ server, uri }: ResourceMention): McpResource | undefined {
    const resources = this.servers.state(server)?.resources ?? [];
    return resources.find((each) => each.uri === uri) ?? resources.find((each) => writtenUri(each.uri) === uri);
  }
}

/** What a part of a server’s content is attached with. */
export interface AttachedPart {
  /** Id of the server that it is from. */
  readonly server: string;
  /** Its name in the list under the message. */
  readonly name: string;
  /** Makes images smaller; without it those that are too large are refused. */
  readonly imageScaler?: ImageScaler | undefined;
  readonly signal: AbortSignal;
}

/** A part of a server’s content as blocks of a message, marked as data of the server. @throws McpError for an image that models cannot take; AbortError */
export async function blocksOfPart(part: ContentPart, { server, name, imageScaler, signal }: AttachedPart): Promise<readonly UserContent[]> {
  if (part.type === 'text') return [attachedBlock({ name, text: `${originLine(server, part.uri)}\n${part.text}` })];
  const mimeType = imageTypeOf(part.data);
  const fitted = mimeType === undefined ? undefined : await fitImage({ data: part.data, mimeType }, { imageScaler, signal });
  if (fitted === undefined || fitted.type === 'broken') throw new McpError('protocol', t('The image is corrupted or truncated.'));
  if (fitted.type === 'large')
    throw new McpError(
      'refused',
      t('The image ({0}, {1} × {2} pixels) is too large for models.', showSize(part.data.length), fitted.size.width, fitted.size.height),
    );
  return [
    attachedBlock({ name, text: `${originLine(server, part.uri)}\nAn image (${fitted.image.mimeType}), which follows.` }),
    { type: 'image', ...fitted.image },
  ];
}

function offerOf({ type, server, item }: FoundResource): MentionOffer | undefined {
  const address = type === 'resource' ? item.uri : item.uriTemplate;
  const common = { kind: 'resource' as const, label: shown(item.title ?? item.name), detail: `${server} · ${shown(address)}` };
  if (type === 'template') return { ...common, insert: `@${server}:${address}`, template: { server, uriTemplate: address } };
  const insert = resourceMention({ server, uri: item.uri });
  return insert === undefined ? undefined : { ...common, insert };
}

/** Progress text of a request to a server, with the server's own message. */
export function progressText(name: string, { progress, total, message = '' }: McpProgress): string {
  const share = total === undefined || !(total > 0) ? '' : ` ${Math.min(100, Math.max(0, Math.round((progress / total) * 100)))}%`;
  return `${t('Reading {0}…', name)}${share}${message === '' ? '' : ` ${shown(message)}`}`;
}

/** On one line, not too long, with nothing hidden in it. */
function shown(text: string): string {
  return showName(headOf(text, MAX_SHOWN));
}
