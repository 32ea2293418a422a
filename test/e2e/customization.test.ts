import { describe } from 'vitest';
import { agents } from './agents.js';
import { choices } from './choices.js';
import { fileCommands } from './file-commands.js';
import { hooks } from './hooks.js';
import { hostile } from './hostile.js';
import { mcpChat } from './mcp-chat.js';
import { mcp } from './mcp.js';
import { requests } from './requests.js';
import { SharedWindow } from './shared-window.js';
import { skills } from './skills.js';
import { worktrees } from './worktrees.js';

describe('in one window', () => {
  const window = new SharedWindow();
  requests(window);
  choices(window);
  hostile(window);
  agents(window);
  fileCommands(window);
  skills(window);
  hooks(window);
  mcpChat(window);
  worktrees(window);
  // The last of these closes the window.
  mcp(window);
});
