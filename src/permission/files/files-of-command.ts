import type { CommandAnalysis, FileUse } from '../../domain/tool/command-analysis.js';
import { t } from '../../domain/l10n.js';
import { expandPattern } from './expand-pattern.js';
import type { Bases } from '../rules/path-pattern.js';
import { fitsPath, pathInFolder } from '../rules/path-pattern.js';
import { protectedReason } from './protected-paths.js';
import type { RuleSet } from '../rules/rule-set.js';
import { isSecret } from './secrets.js';
import type { Surroundings, WalkFolder } from '../surroundings.js';

/** Files that the text of one command may name; looking up more would keep the person waiting. */
const MAX_FILES = 200;

/** What the files of a command are looked up with. */
interface Place {
  readonly rules: RuleSet;
  readonly bases: Bases;
  readonly surroundings: Surroundings;
}

/**
 * The files of a command line, with what file patterns stand for now and without words that name nothing special.
 * @returns the analysis with these files; one that is not readable where they cannot be found out.
 */
export async function filesOfCommand(analysis: CommandAnalysis, place: Place, signal: AbortSignal): Promise<CommandAnalysis> {
  const files: FileUse[] = [];
  for (const use of analysis.files) {
    const found = await expanded(use, place.surroundings, signal);
    if (found === undefined) return { ...analysis, files, unreadable: t('What {0} stands for could not be found out.', `${use.path}/${use.pattern ?? ''}`) };
    files.push(...found.filter((one) => one.by !== 'word' || isSpecial(one, place)));
    if (files.length > MAX_FILES) return { ...analysis, files: files.slice(0, MAX_FILES), unreadable: t('It names more than {0} files.', MAX_FILES) };
  }
  return { ...analysis, files };
}

/** Whether a path is one that must not be touched unasked. */
function isSpecial({ path, kind }: FileUse, { rules, bases }: Place): boolean {
  const name = pathInFolder(path, bases);
  if (kind === 'read' ? isSecret(name) : protectedReason(name) !== undefined) return true;
  const strict = [...rules.of('deny'), ...rules.of('ask')];
  return strict.some(({ rule, path: pattern }) => rule.about === (kind === 'read' ? 'read' : 'edit') && pattern !== undefined && fitsPath(pattern, path, bases));
}

async function expanded(use: FileUse, { workspace, documents, walk }: Surroundings, signal: AbortSignal): Promise<readonly FileUse[] | undefined> {
  if (use.follows !== undefined) return linksOut(use, walk, signal);
  if (use.pattern === undefined) return [use];
  if (documents === undefined) return [];
  try {
    const found = await expandPattern(use, { workspace, documents }, signal);
    return found?.map((path) => ({ kind: use.kind, path, by: use.by }));
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** The links below a folder, each as a file that is read: where it leads is looked at as for any other. */
async function linksOut({ kind, path, by, follows }: FileUse, walk: WalkFolder | undefined, signal: AbortSignal): Promise<readonly FileUse[] | undefined> {
  const links: FileUse[] = [];
  const whole = await walk?.(
    path,
    (entry) => {
      if (follows === 'split' && /[\s'"\\]/.test(entry.path)) return false;
      if (entry.leadsTo !== undefined) links.push({ kind, path: `${path}/${entry.path}`, by });
      return links.length <= MAX_FILES;
    },
    signal,
  );
  return whole === true ? links : undefined;
}
