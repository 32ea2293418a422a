import { assertNever } from '../../domain/assert-never.js';
import { t } from '../../domain/l10n.js';
import { McpError } from '../../domain/mcp/connection.js';
import type { McpBlock, McpContents, McpPromptMessage, McpResource } from '../../domain/mcp/feature.js';
import { headOf, showName } from '../../text/show.js';
import { bytesOf, type ContentPart, readContents, visible, withinLimit } from '../resources/contents.js';

/** Characters of a prompt's own text: what a user can look over, some 25,000 tokens. */
const MAX_TEXT = 100_000;
/** Messages of a prompt, and things attached to it. */
const MAX_MESSAGES = 100;
const MAX_ATTACHED = 20;
/** Characters of a name or an address. */
const MAX_NAME = 200;

/** Draft message made from a prompt: text for the composer, and attachments. The user sends it. */
export interface PromptDraft {
  readonly text: string;
  readonly attached: readonly ContentPart[];
  /** Parts of the prompt that are left out, as sentences for the user. */
  readonly problems: readonly string[];
}

/**
 * Converts the messages of a prompt to a draft. Where not all are the user's, each is marked with its role. Hidden
 * characters are written as escapes, so that the user sees what they would send.
 * @param mention how a resource that the prompt links to is mentioned; `undefined` for one that cannot be
 * @throws McpError for a prompt without anything in it
 */
export function promptDraft(messages: readonly McpPromptMessage[], mention: (uri: string) => string | undefined): PromptDraft {
  const reader = new MessageReader(mention);
  for (const message of messages.slice(0, MAX_MESSAGES)) reader.read(message);
  if (messages.length > MAX_MESSAGES) reader.problems.push(t('The prompt has {0} messages. Only the first {1} are used.', messages.length, MAX_MESSAGES));
  const { attached, problems } = reader;
  const text = withinLimit(reader.text, MAX_TEXT);
  if (text === '' && attached.length === 0) throw new McpError('protocol', problems[0] ?? t('The prompt is empty.'));
  // A message that begins like a command would be run as one.
  return { text: text.startsWith('/') ? ` ${text}` : text, attached, problems };
}

class MessageReader {
  readonly attached: ContentPart[] = [];
  readonly problems: string[] = [];
  private readonly said: { readonly role: McpPromptMessage['role']; readonly text: string }[] = [];

  constructor(private readonly mention: (uri: string) => string | undefined) {}

  /** The texts in their order; with roles where an assistant says something. */
  get text(): string {
    const isTalk = this.said.some(({ role }) => role === 'assistant');
    const turns: { readonly role: McpPromptMessage['role']; text: string }[] = [];
    for (const { role, text } of this.said) {
      const before = turns.at(-1);
      if (before?.role === role) before.text += `\n\n${text}`;
      else turns.push({ role, text });
    }
    return turns
      .map(({ role, text }) => (isTalk ? `${role === 'user' ? 'User' : 'Assistant'}:\n${text}` : text))
      .join('\n\n')
      .trim();
  }

  read({ role, content }: McpPromptMessage): void {
    const text = this.textOf(content);
    if (text !== '') this.said.push({ role, text });
  }

  private textOf(block: McpBlock): string {
    switch (block.type) {
      case 'text':
        return visible(block.text).trim();
      case 'image':
        this.attach('', () => [{ type: 'image', uri: '', data: bytesOf(block.data, block.mimeType) }]);
        return '';
      case 'audio':
        this.problems.push(t('The prompt contains audio, which Gnomon cannot send.'));
        return '';
      case 'resource_link':
        return this.linkOf(block.resource);
      case 'resource':
        this.resource(block.contents);
        return '';
      default:
        return assertNever(block);
    }
  }

  /** The user sees the mention, and can take it out before the resource is read. */
  private linkOf({ uri, name }: McpResource): string {
    return this.mention(uri) ?? `${brief(name)} (${brief(uri)})`;
  }

  private resource(contents: McpContents): void {
    this.attach(contents.uri, () => readContents([contents]));
  }

  private attach(what: string, read: () => readonly ContentPart[]): void {
    if (this.attached.length >= MAX_ATTACHED) {
      if (this.attached.length === MAX_ATTACHED && !this.problems.some((each) => each === tooMany())) this.problems.push(tooMany());
      return;
    }
    try {
      this.attached.push(...read());
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      this.problems.push(what === '' ? t('An image of the prompt is left out. {0}', error.message) : t('{0} is left out. {1}', brief(what), error.message));
    }
  }
}

function tooMany(): string {
  return t('The prompt has more than {0} attachments. The others are left out.', MAX_ATTACHED);
}

/** On one line, not too long, with nothing hidden in it. */
function brief(text: string): string {
  return showName(headOf(text, MAX_NAME));
}
