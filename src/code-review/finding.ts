import { withoutUnseen } from '../domain/hidden-characters.js';

/** Severities of findings, worst first. */
export const SEVERITIES = ['error', 'warning', 'info', 'hint'] as const;
/** One of {@link SEVERITIES}. */
export type Severity = (typeof SEVERITIES)[number];

/** Characters of the title, of the explanation and of the suggestion that are kept. */
const MAX_TITLE = 200;
const MAX_TEXT = 4_000;
/** Findings of one review. */
const MAX_FINDINGS = 100;

/** The text of a finding, written by a model, without invisible characters. */
export interface FindingWords {
  /** One line. */
  readonly title: string;
  readonly explanation: string;
  /** Suggested fix; empty for none. */
  readonly suggestion: string;
}

/** Something that a review found in a file. */
export interface Finding extends FindingWords {
  /** Absolute path with every link resolved. */
  readonly path: string;
  /** Lines counted from 0: from `start` up to but without `end`. */
  readonly start: number;
  readonly end: number;
  readonly severity: Severity;
}

/** Sanitizes the text of a finding for display: limits its length and removes invisible characters. */
export function findingWords({ title, explanation, suggestion }: FindingWords): FindingWords {
  return { title: kept(title.replace(/\s+/g, ' '), MAX_TITLE), explanation: kept(explanation, MAX_TEXT), suggestion: kept(suggestion, MAX_TEXT) };
}

/** Why a finding is not taken beside those that there are, for the model; `undefined` when it is. */
export function refusalOf(finding: Finding, known: readonly Finding[]): string | undefined {
  if (finding.title === '') return 'A finding needs a title.';
  if (known.length >= MAX_FINDINGS) return `There are ${MAX_FINDINGS} findings already, and more are not taken. End the review.`;
  const same = known.some(({ path, start, title }) => path === finding.path && start === finding.start && title.toLowerCase() === finding.title.toLowerCase());
  return same ? 'This finding was reported already.' : undefined;
}

/** Number of findings by severity, worst first; severities without findings are left out. */
export function countBySeverity(findings: readonly Finding[]): readonly (readonly [Severity, number])[] {
  const counts = SEVERITIES.map((severity) => [severity, findings.filter((each) => each.severity === severity).length] as const);
  return counts.filter(([, count]) => count > 0);
}

function kept(text: string, limit: number): string {
  const seen = withoutUnseen(text).text.replace(/\r\n?/g, '\n').trim();
  return (seen.length > limit ? `${seen.slice(0, limit)}…` : seen).toWellFormed();
}

/** Punctuation that Markdown could take for something else. Markdown allows a backslash before any ASCII punctuation. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
/** A code span: text between backticks on one line. */
const CODE = /`([^`\n]+)`/;

/**
 * Escapes text of a model as Markdown that renders as plain text: no links, no images, no HTML, no headings. Only text
 * between backticks is shown as code.
 */
export function inertMarkdown(text: string): string {
  // Every other part was between backticks.
  return text
    .trimStart()
    .split(CODE)
    .map((part, index) => (index % 2 === 0 ? inert(part) : `\`\` ${part} \`\``))
    .join('');
}

/** Blank lines part paragraphs, other line breaks stay; nothing at the beginning of a line makes it code. */
function inert(text: string): string {
  return text
    .replace(PUNCTUATION, String.raw`\$&`)
    .replace(/\n[\t ]+/g, '\n')
    .replace(/(?<!\n)\n(?!\n)/g, '  \n');
}
