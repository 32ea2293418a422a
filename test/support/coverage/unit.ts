/** Saves what ran after each file of unit tests. Vitest loads it before the file if coverage is measured. */
import { afterAll } from 'vitest';
import { countsText, saveCounts } from './counts.mjs';

afterAll(() => {
  saveCounts(countsText());
});
