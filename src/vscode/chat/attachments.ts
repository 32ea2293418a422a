import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { ImageMimeType, UserContent } from '../../domain/content.js';
import { MAX_IMAGE_BYTES, text } from '../../domain/content.js';
import type { Attachment } from '../../protocol/messages.js';

const IMAGE_TYPES: Readonly<Record<string, ImageMimeType>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

interface Held {
  readonly attachment: Attachment;
  readonly content: UserContent;
}

/** What the person attached and has not sent yet. */
export class Attachments {
  private readonly held = new Map<string, Held>();

  /** For the composer. */
  list(): readonly Attachment[] {
    return [...this.held.values()].map((each) => each.attachment);
  }

  /**
   * Lets the person choose files. Pictures are read; of any other file its path is told to the model.
   * @throws Error naming the file when a picture is too large or empty.
   */
  async pick(): Promise<void> {
    const chosen = await vscode.window.showOpenDialog({ canSelectMany: true, openLabel: 'Attach', title: 'Attach to the message' });
    for (const uri of chosen ?? []) await this.add(uri);
  }

  /** Takes some back. */
  remove(ids: readonly string[]): void {
    for (const id of ids) this.held.delete(id);
  }

  /** The contents of the ones named, in order; unknown names are passed over. */
  contents(ids: readonly string[]): readonly UserContent[] {
    return ids.flatMap((id) => this.held.get(id)?.content ?? []);
  }

  private async add(uri: vscode.Uri): Promise<void> {
    const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
    const mimeType = IMAGE_TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
    const id = randomUUID();
    const content = mimeType === undefined ? text(`Attached file: ${vscode.workspace.asRelativePath(uri)}`) : await readImage(uri, mimeType);
    this.held.set(id, { attachment: { id, name, kind: mimeType === undefined ? 'file' : 'image' }, content });
  }
}

async function readImage(uri: vscode.Uri, mimeType: ImageMimeType): Promise<UserContent> {
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size === 0 || size > MAX_IMAGE_BYTES) {
    throw new Error(`${uri.path} has ${size} bytes; a picture must have between 1 byte and ${MAX_IMAGE_BYTES / 1024 / 1024} MB.`);
  }
  return { type: 'image', data: await vscode.workspace.fs.readFile(uri), mimeType };
}
