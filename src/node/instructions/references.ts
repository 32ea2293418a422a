/** Files that one file may include. */
const MAX_REFERENCES = 100;
/** What `@` refers to: everything up to a space, where a space in a name is written `\ `. */
const REFERENCE = /(?<=^|\s)@((?:[^\s\\]|\\ )+)/g;

/**
 * What the `@path` references in a Markdown text name, in their order, each once.
 * Source: code.claude.com/docs/en/memory, "Import additional files": not within code spans and code blocks.
 *
 * Own code: only code has to be recognized, in a time that is linear for any text, which Markdown parsers do not promise.
 */
export function referencesIn(text: string): readonly string[] {
  const found = [...withoutCode(text).matchAll(REFERENCE)].map(([, path = '']) => path.replaceAll('\\ ', ' ').replace(/[.,;:!?)\]}'"]+$/, ''));
  return [...new Set(found.filter((path) => path !== ''))].slice(0, MAX_REFERENCES);
}

/** Whether a text only includes other files, as files for tools with another file name do. */
export function onlyRefers(text: string): boolean {
  return text.split('\n').every((line) => line.trim() === '' || /^@(?:[^\s\\]|\\ )+$/.test(line.trim()));
}

/** The relative path that a file holds in the place of a link (git-config(1), core.symlinks); `undefined` for any other text. */
export function linkIn(text: string): string | undefined {
  return /^(?!\/)[^\s@\\:*?"<>|]{1,255}\.mdc?$/.exec(text)?.[0];
}

/** Takes fenced code blocks and code spans out. Source: spec.commonmark.org 0.31, 4.5 and 6.1. */
function withoutCode(text: string): string {
  let fence: string | undefined;
  const lines = text.split('\n').filter((line) => {
    const [, marks = ''] = /^ {0,3}(`{3,}(?!.*`)|~{3,})/.exec(line) ?? [];
    if (fence === undefined) {
      if (marks === '') return true;
      fence = marks;
    } else if (marks.startsWith(fence) && line.trim() === marks) fence = undefined;
    return false;
  });
  // A span does not go beyond its paragraph.
  return lines
    .join('\n')
    .split(/\n[ \t]*\n/)
    .map(withoutSpans)
    .join('\n\n');
}

function withoutSpans(paragraph: string): string {
  const runs = [...paragraph.matchAll(/`+/g)];
  // By length, the places of runs from the last to the first, so that the next one that closes is found at once.
  const places = new Map<number, number[]>();
  for (const { 0: run, index } of runs.toReversed()) {
    const same = places.get(run.length);
    if (same === undefined) places.set(run.length, [index]);
    else same.push(index);
  }
  const kept: string[] = [];
  let at = 0;
  for (const { 0: run, index } of runs) {
    if (index < at) continue;
    const same = places.get(run.length) ?? [];
    while ((same.at(-1) ?? Infinity) <= index) same.pop();
    const end = same.at(-1);
    if (end === undefined) continue;
    kept.push(paragraph.slice(at, index));
    at = end + run.length;
  }
  return [...kept, paragraph.slice(at)].join(' ');
}
