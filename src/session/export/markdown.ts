import { assertNever } from '../../domain/assert-never.js';
import type { AssistantContent, ImageBlock, ToolCallBlock, UserContent } from '../../domain/model/content.js';
import { t } from '../../domain/l10n.js';
import type { AssistantMessage, Message, ToolResultMessage } from '../../domain/model/message.js';
import { withoutNotes } from '../../domain/session/attached.js';
import type { Session } from '../../domain/session/session.js';
import type { SessionMeta } from '../../domain/session/session-store.js';
import { toBase64 } from '../codec/strings.js';
import { layOut } from '../codec/arguments.js';
import { shortTitle, titleOf, untitled } from '../library/title.js';
import { encodeSession } from '../codec/encode.js';

/** How a conversation is written. */
export interface MarkdownOptions {
  /** `note` names type and size of an image; `data` puts it into the file. */
  readonly images: 'note' | 'data';
}

/** A message, with the results of its calls. */
interface Entry extends MarkdownOptions {
  readonly message: Message;
  readonly results: Map<string, ToolResultMessage>;
}

/** Exports a conversation as a readable Markdown file: the messages, with tool calls folded. */
export function exportMarkdown(session: Session, meta: SessionMeta, options: MarkdownOptions = { images: 'note' }): string {
  const entries = withResults(session.messages, options);
  return `${[headOf(session, meta), ...entries.map(entryText)].join('\n\n')}\n`;
}

/** Results go with their calls. Some servers give the same id in each round, so only results up to the next answer count. */
function withResults(messages: readonly Message[], options: MarkdownOptions): readonly Entry[] {
  const entries: Entry[] = [];
  let answer: Entry | undefined;
  for (const message of messages) {
    if (message.role === 'tool_result' && answer !== undefined && asks(answer, message.toolCallId)) {
      answer.results.set(message.toolCallId, message);
      continue;
    }
    const entry = { ...options, message, results: new Map<string, ToolResultMessage>() };
    if (message.role === 'assistant') answer = entry;
    entries.push(entry);
  }
  return entries;
}

function asks({ message, results }: Entry, id: string): boolean {
  return !results.has(id) && message.content.some((block) => block.type === 'tool_call' && block.id === id);
}

function headOf(session: Session, meta: SessionMeta): string {
  const title = shortTitle(meta.title ?? '') ?? titleOf(session.messages) ?? untitled();
  const facts = [
    `- ${t('Started: {0}', session.createdAt)}`,
    `- ${t('Last message: {0}', session.updatedAt)}`,
    ...(meta.model === undefined ? [] : [`- ${t('Model: {0}', escapeHtml(meta.model))}`]),
    ...(meta.costUsd === undefined ? [] : [`- ${t('Cost: {0}', `$${meta.costUsd.toFixed(2)}`)}`]),
    `- ${t('Messages: {0}', session.messages.length)}`,
  ];
  return `# ${escapeMarkdown(escapeHtml(title))}\n\n${facts.join('\n')}`;
}

function entryText(entry: Entry): string {
  const { message } = entry;
  switch (message.role) {
    case 'user':
      return section(
        t('You'),
        message,
        withoutNotes(message.content).map((block) => userText(block, entry)),
      );
    case 'assistant':
      return section('Gnomon', message, [...message.content.flatMap((block) => assistantText(block, entry)), ...endOf(message)]);
    case 'tool_result':
      return details(message.toolName, resultText(message, entry));
    default:
      return assertNever(message);
  }
}

function section(who: string, { timestamp }: Message, blocks: readonly string[]): string {
  return [`## ${who}`, `*${timestamp}*`, ...blocks].join('\n\n');
}

function userText(block: UserContent, writing: MarkdownOptions): string {
  return block.type === 'text' ? contained(block.text) : imageText(block, writing);
}

function assistantText(block: AssistantContent, entry: Entry): readonly string[] {
  switch (block.type) {
    case 'text':
      return [contained(block.text)];
    case 'thinking':
      return block.thinking === '' ? [] : [details(t('Thinking'), fenced(block.thinking))];
    case 'tool_call':
      return [callText(block, entry)];
    default:
      return assertNever(block);
  }
}

function callText(call: ToolCallBlock, entry: Entry): string {
  const result = entry.results.get(call.id);
  const outcome = result === undefined ? `*${t('No result.')}*` : resultText(result, entry);
  return details(call.name, `${fenced(readable(call.arguments), 'json')}\n\n${outcome}`);
}

function resultText({ isError, content }: ToolResultMessage, writing: MarkdownOptions): string {
  const blocks = content.map((block) => (block.type === 'text' ? fenced(block.text) : imageText(block, writing)));
  return [`**${isError ? t('Error') : t('Result')}**`, ...blocks].join('\n\n');
}

/** Arguments on several lines, their numbers as they are; as they came when they are no JSON. */
function readable(json: string): string {
  return layOut(json, 0).laidOut ?? json;
}

function imageText({ data, mimeType }: ImageBlock, { images }: MarkdownOptions): string {
  const type = /^image\/[a-z0-9.+-]+$/i.test(mimeType) ? mimeType : 'image';
  if (images === 'data') return `![${type}](data:${type};base64,${toBase64(data)})`;
  return `*${t('Image: {0}, {1} KB', type, Math.max(1, Math.round(data.length / 1024)))}*`;
}

function endOf({ stopReason }: AssistantMessage): readonly string[] {
  switch (stopReason) {
    case 'aborted':
      return [`*${t('Stopped.')}*`];
    case 'error':
      return [`*${t('The response ended with an error.')}*`];
    case 'length':
      return [`*${t('The response was cut off at the maximum length.')}*`];
    case 'end_turn':
    case 'tool_use':
    case 'unknown':
      return [];
    default:
      return assertNever(stopReason);
  }
}

function details(summary: string, body: string): string {
  return `<details>\n<summary>${escapeHtml(summary)}</summary>\n\n${body}\n\n</details>`;
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]]/g, '\\$&');
}

/** Text in a fence that no backticks inside of it can close. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}${fence}`;
}

/** Begins or ends a fenced block of Markdown: up to three spaces, then at least three backticks or tildes. */
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
/** HTML that would fold or hide what follows. */
const FOLDING = /<(?=\/?(?:details|summary)\b|!--)/gi;

/** Markdown of a message that has no effect on what follows it: open fences are closed, and HTML that folds or hides is shown. */
function contained(markdown: string): string {
  let open: string | undefined;
  const lines = markdown.split('\n').map((line) => {
    const [, mark = '', rest = ''] = FENCE.exec(line) ?? [];
    if (open === undefined) {
      if (mark !== '' && !(mark.startsWith('`') && rest.includes('`'))) open = mark;
      return open === undefined ? line.replace(FOLDING, '&lt;') : line;
    }
    if (mark.startsWith(open) && rest.trim() === '') open = undefined;
    return line;
  });
  return [...lines, ...(open === undefined ? [] : [open])].join('\n');
}

/** Plain text on one line of HTML. */
function escapeHtml(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** A conversation as the bytes of a v1 file, which other programs and {@link SessionLibrary.import} take. */
export function exportJson({ id, systemPrompt, createdAt, updatedAt, messages }: Session): Uint8Array {
  return encodeSession(
    { id, systemPrompt, createdAt, updatedAt },
    messages.map((message) => ({ message })),
  );
}
