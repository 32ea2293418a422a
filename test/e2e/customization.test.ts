import { describe } from 'vitest';
import { agents, AGENT_TOKENS } from './agents.js';
import { choices } from './choices.js';
import { fileCommands } from './file-commands.js';
import { hooks } from './hooks.js';
import { hostile } from './hostile.js';
import { mcpChat } from './mcp-chat.js';
import { mcp } from './mcp.js';
import { requests } from './requests.js';
import { SharedWindow } from './shared-window.js';
import { skills } from './skills.js';
import { startWithModel } from './with-model.js';
import { worktrees } from './worktrees.js';

describe('in one window', () => {
  // More than agents use in all cases but the one about the limit.
  const window = new SharedWindow(() => startWithModel({ 'gnomon.agents.maxTokens': AGENT_TOKENS, 'gnomon.routing.showFirst': true }));
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
