/**
 * A text of which some parts are commands: what they print takes their place before it is sent. Only those parts are ever run;
 * what looks like a command in a text, or in what a command prints, is text.
 */
export type ScriptedText = readonly ScriptPart[];

/** A part of a {@link ScriptedText}. */
export type ScriptPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'command';
      readonly command: string;
      /** Absolute path of the folder that it runs in, where that is not the usual one. */ readonly cwd?: string;
    };

/** The commands in a text, in their order. */
export function commandsIn(script: ScriptedText): readonly string[] {
  return script.flatMap((part) => (part.type === 'command' ? [part.command] : []));
}

/** The text with its commands as they are written in files: in backticks behind an exclamation mark, or as a block. */
export function scriptAsWritten(script: ScriptedText): string {
  return script.map((part) => (part.type === 'text' ? part.text : commandAsWritten(part.command))).join('');
}

function commandAsWritten(command: string): string {
  return /[`\n]/.test(command) ? `\`\`\`!\n${command}\n\`\`\`` : `!\`${command}\``;
}
