import { diffArrays } from 'diff';
import { codePath, commentPath } from '../../../src/protocol/code-path.js';
import { fileMentions, mayBeFile } from '../../../src/protocol/file-place.js';
import { jsonInText } from '../../../src/text/json-in-text.js';
import { redact } from '../../../src/text/redact.js';
import { htmlToMarkdown } from '../../../src/tool/html/html-markdown.js';
import { differingStretches } from '../../../src/text/line-diff.js';
import { findMatches } from '../../../src/tool/editing/match.js';
import { inSlices } from '../../../src/concurrency/steps.js';
import { PathIndex } from '../../../src/mentions/path-index.js';
import { parseMentions } from '../../../src/mentions/typed-mentions.js';
import { minimalEdits } from '../../../src/text/minimal-edits.js';
import {
  CREDENTIAL_BEGINNINGS,
  HARD_MENTIONS,
  HARD_PATHS,
  hardPage,
  HTML_PIECES,
  manyPaths,
  JSON_BEGINNINGS,
  millionOf,
  PATH_PIECES,
  PATH_PIECES_COUNT,
  REPETITIVE_EDIT,
  repetitiveTexts,
  unlikeDocuments,
  unrelatedTexts,
} from '../../support/worst-inputs.js';
import { type WorstCase, worksWith, workWithAll } from './worst-case.js';

const { signal } = new AbortController();
/** More than any page has. */
const ALL = 100_000_000;

/** Texts of models, pages and people. */
export const TEXT_CASES: readonly WorstCase[] = [
  { name: 'json_in_text_1mb_ms', goal: 500, prepare: () => worksWith(JSON_BEGINNINGS.map(millionOf), jsonInText) },
  { name: 'redact_1mb_ms', goal: 2_000, prepare: () => worksWith(CREDENTIAL_BEGINNINGS.map(millionOf), redact) },
  {
    name: 'code_path_100kb_ms',
    goal: 500,
    prepare: () => workWithAll(HARD_PATHS, (text) => [codePath({ language: text, info: text }, text), commentPath(text)]),
  },
  {
    name: 'file_mentions_ms',
    goal: 1_000,
    prepare: () => workWithAll(PATH_PIECES, (piece) => [fileMentions(piece.repeat(PATH_PIECES_COUNT)), mayBeFile(piece.repeat(400))]),
  },
  { name: 'mentions_1mb_ms', goal: 5_000, prepare: () => workWithAll(HARD_MENTIONS, ([text]) => parseMentions(text)) },
  {
    name: 'find_path_of_50k_ms',
    goal: 400,
    prepare: () => {
      const index = PathIndex.of(manyPaths());
      return worksWith(['c', 'comp', 'component-49999', 'mod3fea12', 'zzzz'], (query) => index.find(query, 30, signal));
    },
  },
  {
    name: 'hostile_page_ms',
    goal: 8_000,
    prepare: () => worksWith(HTML_PIECES, (piece) => htmlToMarkdown(hardPage(piece), 'https://site.example/docs/page', ALL, signal)),
  },
  {
    name: 'diff_200k_lines_ms',
    goal: 5_000,
    prepare: () => {
      const pairs = [repetitiveTexts(), unrelatedTexts()];
      return workWithAll(pairs, ({ before, after }) => inSlices(differingStretches(before, after, diffArrays)));
    },
  },
  {
    name: 'minimal_edits_20k_lines_ms',
    goal: 3_000,
    prepare: () => {
      const { before, after } = unlikeDocuments();
      return { 'texts with hardly a line in common': () => minimalEdits(before, after) };
    },
  },
  {
    name: 'find_in_repetitive_text_ms',
    goal: 2_000,
    prepare: () => ({ '100,000 lines': () => inSlices(findMatches(REPETITIVE_EDIT.text, { old: REPETITIVE_EDIT.old, fresh: 'x' })) }),
  },
];
