import type { McpToolInfo } from '../../../../src/domain/mcp/feature.js';
import type { OfferedServer, ToolLoading } from '../../../../src/mcp/tools/toolset.js';
import { gives, info, serverOf, type TestServer } from './rig.js';

const NOUNS: Readonly<Record<string, readonly string[]>> = {
  github: ['issue', 'pull_request', 'repository', 'branch', 'commit', 'release', 'workflow_run', 'label', 'milestone', 'gist'],
  slack: ['message', 'channel', 'user', 'reaction', 'file', 'reminder', 'thread', 'emoji', 'bookmark', 'canvas'],
  postgres: ['table', 'row', 'index', 'view', 'schema', 'query_plan', 'migration', 'role', 'backup', 'trigger'],
  sentry: ['event', 'project', 'alert', 'session', 'team', 'dashboard', 'replay', 'monitor', 'tag', 'member'],
};
const VERBS: Readonly<Record<string, string>> = {
  list: 'Lists all',
  get: 'Gets the details of one',
  create: 'Creates a new',
  update: 'Changes the fields of an existing',
  delete: 'Removes for good an existing',
};
/** What a parameter is for, as long as servers have it. */
const PARAMETER = { type: 'string', description: 'The identifier, as it was given by the tool that lists them; names are not accepted' };

function toolsOf(server: string): readonly McpToolInfo[] {
  return (NOUNS[server] ?? []).flatMap((noun) =>
    Object.entries(VERBS).map(([verb, words]) => {
      const what = noun.replace('_', ' ');
      const properties = { [`${noun}_id`]: PARAMETER, owner: PARAMETER, cursor: { type: 'string', description: 'Where the last page ended' } };
      return info(`${verb}_${noun}`, {
        title: `${verb} ${what}`,
        description: `${words} ${what} in ${server}. The caller needs the right to do so; of more than 100 results, the next page is read with the cursor.`,
        inputSchema: { type: 'object', properties, required: ['owner'] },
      });
    }),
  );
}

/** Four servers with 200 tools together, which answer with what they were asked. */
export function twoHundredTools(loading: ToolLoading): readonly (OfferedServer & TestServer)[] {
  return Object.keys(NOUNS).map((id) => ({
    ...serverOf(toolsOf(id), { id, call: ({ name }, args) => Promise.resolve(gives(`${name} ${JSON.stringify(args)}`, { structured: args })) }),
    loading,
    instructions: `Use this to work with ${id}: all that the team has there.\nSecond line.`,
  }));
}
