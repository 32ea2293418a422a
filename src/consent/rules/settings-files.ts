import { t } from '../../domain/l10n.js';
import { realPathOf } from '../../node/files/real-path.js';
import { readRegularFile } from '../../node/files/regular-file.js';

/** Milliseconds that reading the settings files may take. */
const READ_MS = 5_000;

/** A settings file that may contain rules. */
export interface SettingsFile {
  readonly path: string;
  /** Display name, such as “your settings”. */
  readonly label: string;
}

/**
 * Finds settings files with a syntax error: VS Code takes what it can read of them and leaves out the rest without a word,
 * rules that deny included.
 */
export class SettingsFiles {
  private broken: readonly string[] = [];

  constructor(private readonly files: () => readonly SettingsFile[]) {}

  /** Damaged files found by the last {@link check}, a sentence for each. */
  readonly damage = (): readonly string[] => this.broken;

  /** Whether a file of this path is one of them. */
  includes(path: string): boolean {
    return this.files().some((file) => file.path === path);
  }

  /** Reads the files. Resolves to whether there is other damage than before. */
  async check(): Promise<boolean> {
    const found = (await Promise.all(this.files().map((file) => damageOf(file)))).flat();
    const changed = JSON.stringify(found) !== JSON.stringify(this.broken);
    this.broken = found;
    return changed;
  }
}

async function damageOf({ path, label }: SettingsFile): Promise<readonly string[]> {
  const text = await textOf(path);
  if (text === undefined || !namesRules(text) || isWholeSettings(text)) return [];
  return [t('There is a syntax error in {0} ({1}), so some rules may be missing.', label, path)];
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    const { bytes } = await readRegularFile(await realPathOf(path), AbortSignal.timeout(READ_MS));
    return Buffer.from(bytes).toString('utf8');
  } catch {
    // A file that is not there or cannot be read has no rules for VS Code either, and so none to miss.
    return undefined;
  }
}

/** Strings, which stay, and comments, which go, in JSON as VS Code reads it. What is open at the end is taken up to there. */
const STRING_OR_COMMENT = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g;
/** Strings, which stay, and a comma before the end of a list or an object, which VS Code allows. */
const STRING_OR_LAST_COMMA = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|,(?=\s*[}\]])/g;
/** Characters of a settings file that are looked at; a longer one is not judged. */
const MAX_LENGTH = 2_000_000;

/** Whether the text of a settings file is JSON with comments, as VS Code reads it without leaving anything out. */
export function isWholeSettings(text: string): boolean {
  if (text.trim() === '' || text.length > MAX_LENGTH) return true;
  const bare = text
    .replace(/^\uFEFF/, '')
    .replace(STRING_OR_COMMENT, keepStrings)
    .replace(STRING_OR_LAST_COMMA, keepStrings);
  if (bare.trim() === '') return true;
  try {
    JSON.parse(bare);
    return true;
  } catch {
    // That it is not JSON is the answer.
    return false;
  }
}

/** Whether a settings file names rules of permission, also as the part of a name that a broken line leaves. */
function namesRules(text: string): boolean {
  return text.includes('gnomon.permissions');
}

function keepStrings(match: string): string {
  return match.startsWith('"') ? match : ' ';
}
