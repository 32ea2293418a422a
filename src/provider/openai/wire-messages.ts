import { assertNever } from '../../domain/assert-never.js';
import type { ImageBlock } from '../../domain/model/content.js';
import type { Message, ToolResultMessage } from '../../domain/model/message.js';
import type { Dialect } from './dialect.js';
import type { WireMessage, WirePart } from './wire.js';
import { wireAssistant, wireParts, wireResult } from './wire-blocks.js';

/** Said for the model where a server wants it to speak between a tool's result and the person. */
const BRIDGE = 'I have read the results.';

/**
 * The conversation in the API's form. Messages of which nothing is left are dropped, and what the person said in a row
 * is one message: many chat templates accept nothing else. Pictures of tools follow behind all results of the round in
 * a message of the person's, because a tool message cannot hold any and results must not be torn apart.
 */
export function wireMessages(messages: readonly Message[], dialect: Dialect): WireMessage[] {
  const builder = new Conversation(dialect);
  for (const message of messages) builder.add(message);
  return builder.end();
}

class Conversation {
  private readonly dialect: Dialect;
  private readonly wire: WireMessage[] = [];
  /** Pictures of tools that still have to be shown. */
  private pictures: WirePart[] = [];

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  add(message: Message): void {
    switch (message.role) {
      case 'tool_result':
        this.wire.push(wireResult(message, this.dialect));
        this.pictures.push(...picturesOf(message));
        return;
      case 'user':
        this.addUser([...this.takePictures(), ...wireParts(message.content)]);
        return;
      case 'assistant': {
        this.addUser(this.takePictures());
        const said = wireAssistant(message, this.dialect);
        if (said !== undefined) this.wire.push(said);
        return;
      }
      default:
        assertNever(message);
    }
  }

  end(): WireMessage[] {
    this.addUser(this.takePictures());
    return this.wire;
  }

  private takePictures(): WirePart[] {
    const pictures = this.pictures;
    this.pictures = [];
    return pictures;
  }

  private addUser(parts: readonly WirePart[]): void {
    if (parts.length === 0) return;
    const last = this.wire.at(-1);
    if (last?.role === 'user') {
      this.wire[this.wire.length - 1] = { role: 'user', content: compact([...partsOf(last.content), ...parts]) };
      return;
    }
    if (last?.role === 'tool' && this.dialect.bridgesUserAfterTool) this.wire.push({ role: 'assistant', content: BRIDGE });
    this.wire.push({ role: 'user', content: compact(parts) });
  }
}

function picturesOf({ toolName, content }: ToolResultMessage): WirePart[] {
  const pictures = content.filter((block): block is ImageBlock => block.type === 'image');
  return pictures.length === 0 ? [] : [{ type: 'text', text: `From the result of ${toolName}:` }, ...wireParts(pictures)];
}

function partsOf(content: string | readonly WirePart[]): readonly WirePart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** Plain text where there is nothing else: every server takes that, and not every one a list. */
function compact(parts: readonly WirePart[]): string | readonly WirePart[] {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === parts.length ? texts.join('\n\n') : parts;
}
