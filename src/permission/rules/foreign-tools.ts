/**
 * Tools of other programs that Gnomon has nothing like, by the program that documents them: rules about them can concern no
 * call here. A rule that denies or asks about any other unknown name counts as one that cannot be read.
 */
const TOOLS: readonly { readonly program: string; readonly source: string; readonly names: readonly string[] }[] = [
  {
    program: 'Claude Code',
    source: 'https://code.claude.com/docs/en/tools-reference',
    names: [
      ...[
        'Artifact',
        'CronCreate',
        'CronDelete',
        'CronList',
        'EnterPlanMode',
        'EnterWorktree',
        'ExitPlanMode',
        'ExitWorktree',
        'ListAgents',
        'ListMcpResourcesTool',
        'LSP',
      ],
      ...[
        'Monitor',
        'PushNotification',
        'ReadMcpResourceTool',
        'RemoteTrigger',
        'ReportFindings',
        'ScheduleWakeup',
        'SendMessage',
        'SendUserFile',
        'ShareOnboardingGuide',
        'TaskCreate',
        'TaskGet',
      ],
      ...['TaskList', 'TaskOutput', 'TaskStop', 'TaskUpdate', 'TeamCreate', 'TeamDelete', 'ToolSearch', 'WaitForMcpServers', 'Workflow'],
    ],
  },
  // Names of earlier versions, and of rules that are about no tool.
  {
    program: 'Claude Code',
    source: 'https://code.claude.com/docs/en/changelog',
    names: ['AgentOutputTool', 'BashOutput', 'Cd', 'KillBash', 'KillShell', 'SlashCommand'],
  },
];

const PROGRAMS: ReadonlyMap<string, string> = new Map(TOOLS.flatMap(({ program, names }) => names.map((name) => [name.toLowerCase(), program])));

/** The program that documents a tool which Gnomon does not have. */
export function programWithTool(name: string): string | undefined {
  return PROGRAMS.get(name.toLowerCase());
}
