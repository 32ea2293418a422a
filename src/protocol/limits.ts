/** The most characters of a message that a user can send; about 250,000 tokens. */
export const MAX_SEND_LENGTH = 1_000_000;
/** The most characters of the feedback that goes with a denial. */
export const MAX_FEEDBACK_LENGTH = 20_000;
/** The most characters of an address in an answer that a panel may ask to open. */
export const MAX_URL_LENGTH = 8_192;
/** The most characters of an error that a panel reports. */
export const MAX_ERROR_LENGTH = 10_000;
/** The most characters of a command that a user may change it to. */
export const MAX_COMMAND_LENGTH = 100_000;
/** The most characters of a permission rule. */
export const MAX_RULE_LENGTH = 2_000;
/** The most rules that one answer may add. */
export const MAX_RULES = 50;
/** The most characters of a path. */
export const MAX_PATH_LENGTH = 4_096;
/** The most characters of a value in a form. */
export const MAX_FIELD_LENGTH = 20_000;
/** The most characters of a title that a user gives. */
export const MAX_TITLE_LENGTH = 500;
/** The most characters of a text that is looked for in conversations. */
export const MAX_QUERY_LENGTH = 1_000;
/** The most code that a panel may ask to put into a file, in characters. */
export const MAX_CODE_LENGTH = 1_000_000;
/** The most paths that a panel may ask for at once. */
export const MAX_FILES_ASKED = 100;
/** The largest text file that is attached from outside of VS Code, in bytes and in characters; about 50,000 tokens. */
export const MAX_ATTACHED_TEXT = 200_000;
/** The largest image in bytes: models take 5 MB of base64, which takes a third more than the bytes. */
export const MAX_RAW_IMAGE_BYTES = 3_932_160;
/** The largest image in bytes that is made smaller to be attached. */
export const MAX_SCALED_BYTES = 50 * 1024 * 1024;
export { MAX_IMAGE_SIDE } from '../domain/workspace/image.js';
