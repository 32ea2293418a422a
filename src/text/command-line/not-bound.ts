import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { Bound, NotBound } from '../../domain/workspace/binding.js';

/** Characters of one word that are shown. */
const MAX_SHOWN = 120;

/**
 * Parts that an approval does not cover, as sentences for the user to read before approving: at most one for what is not checked, and one for what is
 * downloaded without a version.
 */
export function notBoundSentences(notBound: readonly NotBound[]): readonly string[] {
  const versions = notBound.filter(({ kind }) => kind === 'version').map(shown);
  const others = KINDS.flatMap((kind) => {
    const texts = notBound.filter((each) => each.kind === kind).map(shown);
    return texts.length === 0 ? [] : [partOf(kind, texts.join(', '))];
  });
  return [
    ...(others.length === 0 ? [] : [t('Not checked: {0}. Gnomon can’t see changes to it.', others.join('; '))]),
    ...(versions.length === 0 ? [] : [t('No exact version is named for {0}: it runs whatever version is offered at the time.', versions.join(', '))]),
  ];
}

/**
 * Whether an approval covers, or warns of, more than one of an earlier version. That scripts and programs load others was known, and is said of nearly
 * everything that runs.
 */
export function addsToEarlier({ added, folders, notBound }: Pick<Bound, 'added' | 'folders' | 'notBound'>): boolean {
  return added.length + folders.length > 0 || notBound.some(({ kind }) => !USUAL.has(kind));
}

const USUAL: ReadonlySet<NotBound['kind']> = new Set(['script', 'program', 'input', 'code']);

/** In the order in which they are said: what matters most comes first. */
const KINDS = ['line', 'word', 'variable', 'input', 'code', 'written', 'outside', 'large', 'script', 'program'] as const;

function partOf(kind: (typeof KINDS)[number], texts: string): string {
  switch (kind) {
    case 'line':
      return t('what the command line as a whole runs');
    case 'word':
      return t('what {0} turns out to be', texts);
    case 'variable':
      return t('what {0} makes programs load', texts);
    case 'input':
      return t('what {0} gets on its standard input', texts);
    case 'code':
      return t('what the code in the arguments of {0} loads', texts);
    case 'written':
      return t('what is written to {0} before', texts);
    case 'outside':
      return t('files outside the workspace ({0})', texts);
    case 'large':
      return t('everything in {0}, which is too much to look at', texts);
    case 'script':
      return t('what {0} loads or runs in turn', texts);
    case 'program':
      return t('what {0} loads or runs by itself', texts);
  }
}

function shown(reason: NotBound): string {
  const written = 'text' in reason ? reason.text : '';
  const text = escapeHidden(/^"([^"]*)"$/s.exec(written)?.[1] ?? written);
  return `\`${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}\``;
}
