import type { DiffPreview } from '../../../src/domain/tool/tool.js';
import type { CommandRisk } from '../../../src/domain/tool/permission.js';
import { formatNumber, t } from '../../../src/protocol/l10n.js';
import type { ViewPreview, ViewToolCall } from '../../../src/protocol/view-state.js';
import { nameParts } from '../transcript/tool-labels.js';
import { visibleText } from './visible-text.js';

/** Question of a permission prompt. @param commands how many commands a command line runs; 0 for a single one. */
export function questionOf({ name, subject, topic, preview }: Pick<ViewToolCall, 'name' | 'subject' | 'topic' | 'preview'>, commands: number): string {
  if (preview?.kind === 'command') return commands > 1 ? t('Run {0} commands?', formatNumber(commands)) : t('Run this command?');
  // The subject is the path as it is seen from the workspace.
  if (preview?.kind === 'diff' && preview.deleted === true) return t('Delete {0}?', visibleText(subject));
  if (preview?.kind === 'diff' && preview.from !== undefined) {
    const [from, to] = [visibleText(topic?.what ?? preview.from), visibleText(topic?.where ?? preview.path)];
    return preview.diff === '' ? t('Move {0} to {1}?', from, to) : t('Move {0} to {1} and edit it?', from, to);
  }
  if (preview?.kind === 'diff') return preview.created ? t('Create {0}?', visibleText(subject)) : t('Edit {0}?', visibleText(subject));
  if (preview?.kind === 'diffs') return preview.files.length === 1 ? t('Change 1 file?') : t('Change {0} files?', formatNumber(preview.files.length));
  if (preview?.kind === 'search') return t('Search the web?');
  // An edit shows what it changes as soon as its file may be read.
  if (preview === undefined && (name === 'edit' || name === 'apply_patch')) return t('Read {0} to change it?', visibleText(topic?.what ?? subject));
  if (name === 'read') return t('Read {0}?', visibleText(subject));
  if (name === 'list') return t('List {0}?', visibleText(subject));
  if (preview?.kind === 'url') return t('Fetch this URL?');
  const { own, whose } = nameParts(name);
  // The name is the tool's own, not what it calls itself: a server can have any title for any tool.
  return whose === '' ? t('Allow {0}?', visibleText(name)) : t('Use {0} ({1})?', visibleText(own), visibleText(whose));
}

/** What is announced when a permission is asked for. @param by the agent that asks; absent: the chat does */
export function askedText(question: string, by: string | undefined): string {
  return by === undefined ? t('Permission required: {0}', question) : t('Permission required by the agent “{0}”: {1}', visibleText(by), question);
}

/** The worst that a command does: the first that is dangerous, else the first that wants caution. */
export function worstOf(risks: readonly CommandRisk[]): CommandRisk | undefined {
  return risks.find(({ level }) => level === 'danger') ?? risks[0];
}

/** All that a call will do, as one text: two calls that would do different things have different ones. */
export function wholeText({ subject, preview }: Pick<ViewToolCall, 'subject' | 'preview'>): string {
  return [...partsOf(preview), subject].join('\n');
}

/** A carriage return before the line feed is part of a line's end and not shown. */
function partsOfChange({ path, from = '', deleted, diff }: DiffPreview): readonly string[] {
  return [path, from, deleted === true ? '-' : '', diff.replaceAll('\r\n', '\n')];
}

function partsOf(preview: ViewPreview | undefined): readonly string[] {
  if (preview?.kind === 'command') return [preview.command, preview.cwd];
  if (preview?.kind === 'diff') return partsOfChange(preview);
  if (preview?.kind === 'diffs') return preview.files.flatMap(partsOfChange);
  if (preview?.kind === 'input') return [preview.input, preview.changed ?? ''];
  if (preview?.kind === 'search') return [preview.query, preview.service];
  return preview?.kind === 'url' ? [preview.url] : [];
}
