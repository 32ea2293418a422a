import { resolve } from 'node:path';
import { checkStart } from '../agent-host/check-start.js';
import type { GivenText, StartConfiguration } from '../domain/host/start-configuration.js';
import { present } from '../domain/present.js';
import { readProblem, readRealFile } from '../node/files/configuration-file.js';
import { realPathOf } from '../node/files/real-path.js';
import { ruleProblems } from '../permission/rules/rule-set.js';
import { redact } from '../text/redact.js';
import { EXIT, Impossible } from './exit.js';
import type { WantedConfiguration } from './flags.js';

/** Bytes of a file that is named on the command line: as many as a file of a layer can have. */
const MAX_BYTES = 1024 * 1024;
/** Characters of a path that messages show: what is longer may be no path, and have a key in it. */
const MAX_SHOWN = 300;

/**
 * Reads what the command line says about configuration, once for the whole run.
 * @param folder absolute path of the current folder, which relative paths begin in
 * @param warn takes sentences about what has no effect
 * @throws Impossible where a file cannot be read, or something in it cannot be followed; nothing may be run then
 */
export async function readStart(wanted: WantedConfiguration, folder: string, warn: (text: string) => void): Promise<StartConfiguration> {
  const { settings, layers, servers, onlyTheseServers } = wanted;
  const start: StartConfiguration = {
    ...present({ settings: settings === undefined ? undefined : await givenText('--settings', settings, folder), layers }),
    servers: await Promise.all(servers.map((each) => givenText('--mcp-config', each, folder))),
    onlyTheseServers,
  };
  const { problems, notes } = checkStart(start, [folder], ruleProblems);
  if (problems.length > 0) throw refused(problems.join('\n'));
  for (const note of notes) warn(redact(note));
  return start;
}

/** The text that a flag has in itself, or that is in the file which it names. */
async function givenText(flag: string, value: string, folder: string): Promise<GivenText> {
  if (/^[\s\uFEFF]*[{[]/.test(value)) return { file: flag, display: flag, text: value };
  const path = resolve(folder, value);
  const found = value.trim() === '' ? undefined : await readGiven(path);
  const canBeShown = value.trim() !== '' && value.length <= MAX_SHOWN && !/[\r\n{}]/.test(value);
  if (!canBeShown && (found === undefined || 'problem' in found)) throw refused(`${flag} needs the path of a file, or JSON in braces.`);
  const display = canBeShown ? `${flag} ${value}` : flag;
  if (found === undefined) throw refused(`${display}: there is no such file.`);
  if ('problem' in found) throw refused(`${display}: ${found.problem}`);
  return { file: path, display, text: found.text };
}

/** Pipes and devices are not waited for. A link leads where the user has put it. */
async function readGiven(path: string): ReturnType<typeof readRealFile> {
  const never = new AbortController().signal;
  try {
    return await readRealFile({ path: await realPathOf(path), maxBytes: MAX_BYTES }, never);
  } catch (error) {
    return { problem: readProblem(error) };
  }
}

/** What is wrong can have a key in it that stands where it does not belong. */
function refused(why: string): Impossible {
  return new Impossible(redact(why), EXIT.usage);
}
