import { diffArrays } from 'diff';
import { describe, expect, it } from 'vitest';
import { hasOpenConflicts } from '../../../src/edits/open-conflicts.js';

describe('conflicts that a merge leaves open', () => {
  const files = {
    /** Both have changed line 3, the agent line 1 too, and the user line 5. */
    one: {
      base: 'a\nb\nc\nd\ne\n',
      here: 'a\nb\nmine\nd\nE\n',
      marked: 'A\nb\n<<<<<<< yours\nmine\n||||||| base\nc\n=======\ntheirs\n>>>>>>> worktree\nd\nE\n',
    },
    two: { base: 'a\nb\nc\nd\n', here: 'mine 1\nb\nc\nmine 2\n', marked: '<<<<<<< yours\n' },
    created: { base: '', here: 'mine\n', marked: '<<<<<<< yours\nmine\n||||||| base\n=======\ntheirs\n>>>>>>> worktree\n' },
    deleted: { base: 'a\nb\nc\n', here: 'a\nc\n', marked: '<<<<<<< yours\n' },
    spaces: { base: 'a\nb\nc\n', here: 'a\nb  \nc\n', marked: '<<<<<<< yours\n' },
    documented: { base: 'a\nb\nc\n', here: '<<<<<<< yours\nb\nmine\n', marked: '<<<<<<< yours\nb\n<<<<<<< yours\n' },
    /** An empty line is added: which of the three is new cannot be told. */
    slid: { base: 'a\n\n\nb\nc\n', here: 'a\n\n\n\nb\nc\n', marked: '<<<<<<< yours\n' },
  } as const;

  it.each([
    ['the base is still there', 'one', 'A\nb\nc\nd\nE\n', true],
    ['the base is still there, with other ends of lines', 'one', 'A\r\nb\r\nc\r\nd\r\nE\r\n', true],
    ['the base is still there, and an editor has added or removed spaces', 'one', 'A\nb\nc \nd\nE', true],
    ['the lines of the user are taken', 'one', 'A\nb\nmine\nd\nE\n', false],
    ['the lines of the agent are taken', 'one', 'A\nb\ntheirs\nd\nE\n', false],
    ['others are taken', 'one', 'A\nb\nboth\nd\nE\n', false],
    ['none are taken', 'one', 'A\nb\nd\nE\n', false],
    ['the marks of Git are there', 'one', files.one.marked, true],
    ['the first of two has the base', 'two', 'a\nb\nc\ntheirs 2\n', true],
    ['the second of two has the base', 'two', 'theirs 1\nb\nc\nd\n', true],
    ['neither of two has the base', 'two', 'theirs 1\nb\nc\nmine 2\n', false],
    ['nothing is in a file that both have created', 'created', '', true],
    ['only an empty line is in a file that both have created', 'created', '\n', true],
    ['the lines of the agent are in a file that both have created', 'created', 'theirs\n', false],
    ['a line that the user has deleted is back', 'deleted', 'a\nb\nc\n', true],
    ['a line that the user has deleted is changed', 'deleted', 'a\nB\nc\n', false],
    ['spaces that the user has added are gone', 'spaces', 'a\nb\nc\n', true],
    ['what looks like a mark is the user’s own', 'documented', '<<<<<<< yours\nb\nmine\n', false],
    ['the user’s line was added next to equal ones', 'slid', 'new\na\n\n\n\nb\nc\n', false],
  ] as const)('%s', (_, file, result, isOpen) => {
    expect(hasOpenConflicts(files[file], result, diffArrays)).toBe(isOpen);
  });
});
