import { expect, it } from 'vitest';
import { serverId } from '../../../../src/domain/mcp/tool-name.js';
import { lateServer } from '../../../support/mcp/late-server.js';
import { type RecordedRequest, gate, reply } from '../../../support/model-server/index.js';
import { nodeChat } from '../node-chat.js';

const serverTools = ({ body }: RecordedRequest): readonly string[] => [...new Set(JSON.stringify(body.tools).match(/mcp__late__\w+/g))];

it.skipIf(process.platform === 'win32')(
  'in a chat, a server that starts late holds up no message for long, and is there for the next request of the same turn',
  async () => {
    const [late, answer] = [lateServer(), gate()];
    const chat = await nodeChat({ inFolder: { '.mcp.json': JSON.stringify({ mcpServers: { late: late.config } }) } });
    const { servers } = chat.host.host;
    await servers.configurations.read();
    const [entry] = servers.configurations.current.servers.map((each) => each.entry);
    if (entry === undefined) throw new Error('The server is not configured.');
    await servers.approvals.approve(entry, (await servers.approvals.judge(entry)).effective.hash);
    chat.inTurn(reply().hold(answer).toolCall('list', {}), reply().toolCall('list', {}), reply().text('Done.'));
    chat.send('Look around');
    expect(serverTools(await chat.server.request(0))).toEqual([]);
    late.start();
    await expect.poll(() => servers.all.state(serverId('late'))).toMatchObject({ status: 'connected' });
    answer.open();
    const tools = serverTools(await chat.server.request(1));
    expect(tools).toContain('mcp__late__add');
    // They stay as they are then, so that a cache of the provider holds.
    expect(serverTools(await chat.server.request(2))).toEqual(tools);
    await chat.ended();
  },
);
