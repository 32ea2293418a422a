import { describe, expect, it } from 'vitest';
import { newFileHunk, numberedHunks } from '../../../src/code-review/numbered-diff.js';

const DIFF = `diff --git a/a.ts b/a.ts
index 1..2 100644
--- a/a.ts
+++ b/a.ts
@@ -1,3 +1,4 @@
 one
-two
+TWO
+two and a half
 three
@@ -90,2 +91,1 @@ function last() {
 ninety
--- a line that looks like a header
\\ No newline at end of file
`;

describe('a comparison with numbers', () => {
  it('has the number of each line in the file as it is after the change', () => {
    expect(numberedHunks(DIFF)).toEqual([
      ['@@ -1,3 +1,4 @@', '    1  one', '      -two', '    2 +TWO', '    3 +two and a half', '    4  three'].join('\n'),
      ['@@ -90,2 +91,1 @@ function last() {', '   91  ninety', '      --- a line that looks like a header'].join('\n'),
    ]);
  });

  it('has no hunks where git compares no lines', () => {
    expect(numberedHunks('diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n')).toEqual([]);
    expect(numberedHunks('* Unmerged path a.ts\n')).toEqual([]);
    expect(numberedHunks('')).toEqual([]);
  });

  it('cuts lines that are very long, and leaves out the carriage return of CRLF', () => {
    const [hunk = ''] = numberedHunks(`@@ -0,0 +1,2 @@\n+short\r\n+${'x'.repeat(5_000)}\n`);
    expect(hunk).toContain('    1 +short\n');
    expect(hunk).toContain('more characters in this line');
    expect(hunk.length).toBeLessThan(1_200);
  });

  it('shows a new file as one hunk', () => {
    expect(newFileHunk('a\r\nb\n')).toBe('@@ -0,0 +1,2 @@\n    1 +a\n    2 +b');
  });
});
