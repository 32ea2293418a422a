import * as vscode from 'vscode';
import { assertNever } from '../../domain/assert-never.js';
import { t } from '../../domain/l10n.js';
import type { FindingWords, Severity } from '../../code-review/finding.js';
import { inertMarkdown } from '../../code-review/inert-markdown.js';

/** A severity as people read it. */
export function severityName(severity: Severity): string {
  switch (severity) {
    case 'error':
      return t('Error');
    case 'warning':
      return t('Warning');
    case 'info':
      return t('Info');
    case 'hint':
      return t('Hint');
    default:
      return assertNever(severity);
  }
}

/** What a finding says, as the comment of a thread. Its words are those of a model: nothing in them does anything. */
export function findingComment({ title, explanation, suggestion }: FindingWords): vscode.Comment {
  const parts = [`**${inertMarkdown(title)}**`, ...(explanation === '' ? [] : [inertMarkdown(explanation)]), ...(suggestion === '' ? [] : [`**${t('Suggestion')}**\n\n${inertMarkdown(suggestion)}`])];
  const body = new vscode.MarkdownString(parts.join('\n\n'));
  body.isTrusted = false;
  body.supportHtml = false;
  return { author: { name: 'Gnomon' }, body, mode: vscode.CommentMode.Preview };
}
