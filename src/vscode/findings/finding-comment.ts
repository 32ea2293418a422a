import * as vscode from 'vscode';
import { assertNever } from '../../domain/assert-never.js';
import { t } from '../../domain/l10n.js';
import type { Finding, FindingWords } from '../../findings/finding.js';
import { inertMarkdown } from '../../findings/inert-markdown.js';

/** What a finding is about, with how bad it is. */
export function findingLabel({ severity, title }: Pick<Finding, 'severity' | 'title'>): string {
  switch (severity) {
    case 'error':
      return t('Error: {0}', title);
    case 'warning':
      return t('Warning: {0}', title);
    case 'info':
      return t('Info: {0}', title);
    case 'hint':
      return t('Hint: {0}', title);
    default:
      return assertNever(severity);
  }
}

/** What a finding says, as the comment of a thread. Its words are those of a model: nothing in them does anything. */
export function findingComment({ title, explanation, suggestion }: FindingWords): vscode.Comment {
  const parts = [inertMarkdown(explanation === '' ? title : explanation), ...(suggestion === '' ? [] : [`**${t('Suggestion')}**\n\n${inertMarkdown(suggestion)}`])];
  const body = new vscode.MarkdownString(parts.join('\n\n'));
  body.isTrusted = false;
  body.supportHtml = false;
  return { author: { name: 'Gnomon' }, body, mode: vscode.CommentMode.Preview };
}
