import { pathToFileURL } from 'node:url';
import { readHookFile } from '../config/hooks/read-hook-file.js';
import { readPermissions } from '../config/permissions/read-permissions.js';
import { readSettings } from '../config/settings/read-settings.js';
import { unfollowedFields } from '../config/settings/settings-fields.js';
import { entriesOf, type RuleCheck } from '../consent/rules/rule-entries.js';
import type { ConfigOrigin } from '../domain/config/origin.js';
import type { ConfigProblem } from '../domain/config/problem.js';
import type { GivenText, StartConfiguration } from '../domain/host/start-configuration.js';
import { t } from '../domain/l10n.js';
import { effectiveServers } from '../mcp/config/effective-servers.js';
import { readGivenServers } from './servers/configurations.js';

/** What was found in what the user has said about configuration in starting the program, as sentences for them. */
export interface StartFindings {
  /** Mistakes, and what cannot be followed and could restrict what may be done: nothing may be run with these. */
  readonly problems: readonly string[];
  /** What has no effect, and does not matter. */
  readonly notes: readonly string[];
}

/**
 * Looks at all of it before anything is run. It is read as the files of the same kinds are, but a mistake is not only reported: the user is
 * there to correct it, and a run must not go on with less than it was told to keep to.
 */
export function checkStart({ settings, servers }: StartConfiguration, folders: readonly string[], check: RuleCheck): StartFindings {
  const readings = servers.map((text) => readGivenServers(text, folders));
  const ofServers = effectiveServers(readings).problems.filter(({ harmless }) => harmless !== true);
  const displays = new Map(servers.map(({ file, display }) => [file, display]));
  const { problems, notes } = settings === undefined ? { problems: [], notes: [] } : checkSettings(settings, check);
  return { problems: [...new Set([...problems, ...ofServers.map((problem) => sentence(problem, displays.get(problem.file) ?? problem.file))])], notes };
}

function checkSettings({ file, display, text }: GivenText, check: RuleCheck): StartFindings {
  const origin: ConfigOrigin = { layer: 'flag', file, display };
  const isEmpty = text.trim() === '';
  const read = [...readSettings(text, origin).problems, ...readHookFile(text, 'settings', { origin, platform: process.platform }).problems];
  const wrong = read.filter(({ harmless }) => harmless !== true || isEmpty);
  // What is no JSON has been told above, and has neither rules nor fields.
  const { lists } = readPermissions(text, display);
  const rules = entriesOf({ place: 'flag', id: pathToFileURL(file).href, label: display, lists }, check).flatMap(({ problems }) => problems);
  const unfollowed = unfollowedFields(text, origin);
  const [restricting, neutral] = [true, false].map((could) => unfollowed.filter(({ couldRestrict }) => couldRestrict === could));
  return {
    problems: [
      ...wrong.map((problem) => sentence(problem, display)),
      ...rules,
      ...(restricting ?? []).map(({ field, note }) =>
        t('{0}: “{1}” could restrict what may be done, and is not followed, so nothing was run. {2}', display, field, note),
      ),
    ],
    notes: (neutral ?? []).map(({ field }) => t('{0}: “{1}” has no effect in Gnomon.', display, field)),
  };
}

/** A problem with its place. The key stands last: what follows a key that is called like a password would be taken for one, and left out. */
function sentence({ key, line, message }: ConfigProblem, display: string): string {
  const place = line === undefined ? display : t('{0}, line {1}', display, line);
  return key === '' ? `${place}: ${message}` : `${place}: ${message} (${key})`;
}
