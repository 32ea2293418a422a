/** Lines that one call of `read` returns when the model sets no limit. */
export const READ_LINES = 2_000;
/** Characters of one line; the rest is cut with a notice. */
export const READ_LINE_CHARACTERS = 2_000;
/** Characters that one call returns at most, some 20,000 tokens. */
export const READ_CHARACTERS = 80_000;
