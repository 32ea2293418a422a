import type { AgentReading } from '../config/agents/agent-reading.js';
import { readAgentFile } from '../config/agents/read-agent.js';
import { readRoomodes } from '../config/agents/read-roomodes.js';
import { readDefinedServers } from '../mcp/config/read-config.js';
import type { FoundAgentFile } from '../node/config/agent-files.js';

/** The agents of a file that was found. */
export function agentReading(file: FoundAgentFile): AgentReading {
  const { origin, form } = file;
  if ('problem' in file) return { agents: [], skipped: [{ origin, why: file.problem }], problems: [{ file: origin.file, key: '', message: file.problem }] };
  return form === 'roo' ? readRoomodes(file.text, { origin }) : readAgentFile(file.text, { origin, dialect: form, readServers: readDefinedServers });
}
