import { describe } from 'vitest';
import { agents } from './agents.js';
import { fileCommands } from './file-commands.js';
import { hooks } from './hooks.js';
import { mcpChat } from './mcp-chat.js';
import { mcp } from './mcp.js';
import { requests } from './requests.js';
import { SharedWindow } from './shared-window.js';
import { skills } from './skills.js';

describe('in one window', () => {
  const window = new SharedWindow();
  requests(window);
  agents(window);
  fileCommands(window);
  skills(window);
  hooks(window);
  mcpChat(window);
  mcp(window);
});
