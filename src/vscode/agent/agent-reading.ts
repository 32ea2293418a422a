import type { AgentReading, HookReader } from '../../config/agents/agent-reading.js';
import { readAgentFile } from '../../config/agents/read-agent.js';
import { readRoomodes } from '../../config/agents/read-roomodes.js';
import { t } from '../../domain/l10n.js';
import type { FoundAgentFile } from '../../node/config/agent-files.js';

/** The agents of a file that was found. */
export function agentReading(file: FoundAgentFile): AgentReading {
  const { origin, form } = file;
  if ('problem' in file) return { agents: [], skipped: [{ origin, why: file.problem }], problems: [{ file: origin.file, key: '', message: file.problem }] };
  return form === 'roo' ? readRoomodes(file.text, { origin }) : readAgentFile(file.text, { origin, dialect: form, readHooks });
}

/** Hooks run for whole windows, after they were approved; those of an agent would have to run only while it works. */
const readHooks: HookReader = (_value, { lineAt }) => {
  const line = lineAt(['hooks']);
  return { definitions: [], problems: [], fields: [{ field: 'hooks', state: 'ignored', note: t('Gnomon runs the hooks of settings files only.'), ...(line === undefined ? {} : { line }) }] };
};
