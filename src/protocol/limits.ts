/** The most characters of a message that a person can send; about 250,000 tokens. */
export const MAX_SEND_LENGTH = 1_000_000;
/** The most characters of the words that go with a denial. */
export const MAX_FEEDBACK_LENGTH = 20_000;
/** The most characters of an address in an answer that a panel may ask to open. */
export const MAX_URL_LENGTH = 8_192;
/** The most characters of an error that a panel reports. */
export const MAX_ERROR_LENGTH = 10_000;
/** The most characters of a command that a person may change it to. */
export const MAX_COMMAND_LENGTH = 100_000;
/** The most characters of a permission rule. */
export const MAX_RULE_LENGTH = 2_000;
/** The most rules that one answer may add. */
export const MAX_RULES = 50;
