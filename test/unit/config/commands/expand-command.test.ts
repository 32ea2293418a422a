import { describe, expect, it } from 'vitest';
import { expandCommand, inputsOf, typedInputs } from '../../../../src/config/commands/expand-command.js';
import { commandLines, commandOf, expanded } from './rig.js';
import { processorMs } from '../../../support/processor-time.js';

describe('arguments in the text of a command', () => {
  it.each([
    ['no argument', 'Fix $1 and $ARGUMENTS.', '', 'Fix  and .'],
    ['one argument', 'Fix $1.', '42', 'Fix 42.'],
    ['several arguments', '$2 before $1', 'a b', 'b before a'],
    ['one in quotation marks', '$1|$2', '"a b" c', 'a b|c'],
    ['one in single quotation marks', '$1|$2', "'a b' c", 'a b|c'],
    ['an apostrophe', '$1|$2', "don't stop", "don't|stop"],
    ['an escaped quotation mark', '$1|$2', String.raw`"say \"hi\"" x`, 'say "hi"|x'],
    ['an escaped quotation mark without others', '$1', String.raw`\"hi\"`, '"hi"'],
    ['a quotation mark that is not closed', '$1|$2', '"a b', '"a|b'],
    ['other alphabets', '$1 $2', 'größe 日本', 'größe 日本'],
    ['a line feed', '$1|$2|$ARGUMENTS', 'a\nb', 'a|b|a\nb'],
    ['an index that is not there', '[$3]', 'a b', '[]'],
    ['the tenth argument', '$10', 'a b c d e f g h i j', 'j'],
    ['the first one and a zero', '$ARGUMENTS[0]0', 'a', 'a0'],
    ['a number that is too large to be a place', '$100', 'a', '$100\n\nARGUMENTS: a'],
    ['two dollar signs', '$$ $$1 $1', 'a', '$$ $$1 a'],
    ['an escaped place', String.raw`\$1 is $1, \$ARGUMENTS is $ARGUMENTS`, 'a', '$1 is a, $ARGUMENTS is a'],
    ['a backslash in front of something else', String.raw`\$HOME C:\$x $1`, 'a', String.raw`\$HOME C:\$x a`],
    ['all arguments twice', '$ARGUMENTS and $ARGUMENTS', 'a  "b"', 'a  "b" and a  "b"'],
    ['an index from 0 on', '$ARGUMENTS[0] $ARGUMENTS[1] $1', 'a b', 'a b a'],
    ['no place for arguments', 'Work.', 'a b', 'Work.\n\nARGUMENTS: a b'],
    ['neither places nor arguments', 'Work.', '', 'Work.'],
    ['places in an argument', '$1 $2', '$2 $ARGUMENTS', '$2 $ARGUMENTS'],
    ['a longer word', '$ARGUMENTSX', 'a', '$ARGUMENTSX\n\nARGUMENTS: a'],
    ['variables', '${CLAUDE_PROJECT_DIR} ${CLAUDE_OTHER} ${x}', '', '/ws ${CLAUDE_OTHER} ${x}'],
  ])('S-40: %s', (_, body, argument, result) => {
    expect(expanded(body, argument)).toBe(result);
  });

  it('S-40: a file that uses $0 counts from 0 (decision 32)', () => {
    expect(expanded('$0 $1 $ARGUMENTS[0]', 'a b')).toBe('a b a');
    expect(expanded(String.raw`\$0 $1`, 'a b')).toBe('$0 a');
  });

  it('S-40: names that the file declares stand for its arguments', () => {
    const text = '---\narguments: [file, mode]\n---\n$file in $mode, $modes, $1';
    expect(expanded(text, 'a.ts fast')).toBe('a.ts in fast, $modes, a.ts');
  });

  it('S-40: places in the front matter are not expanded', () => {
    const command = commandOf('---\ndescription: Fix $1\nargument-hint: $ARGUMENTS\n---\n$1');
    expect([command.description, command.argumentHint]).toEqual(['Fix $1', '$ARGUMENTS']);
  });

  it('S-40: what looks like a command line or a mention in an argument stays text', () => {
    const command = commandOf('Do $ARGUMENTS and $1');
    const { script, mentioning } = expandCommand(command, { argument: '!`rm -rf x` @/etc/passwd', inputs: {}, variables: {}, shell: 'bash' });
    expect(script).toEqual([{ type: 'text', text: 'Do !`rm -rf x` @/etc/passwd and !`rm' }]);
    expect(mentioning).not.toContain('@');
    const appended = expandCommand(commandOf('Do'), { argument: '!`rm -rf x` @/etc/passwd', inputs: {}, variables: {}, shell: 'bash' });
    expect(appended.script.every(({ type }) => type === 'text')).toBe(true);
    expect(appended.mentioning).toBe('Do');
  });

  it('S-42: an argument is only the path of a mention where its author wrote the @', () => {
    const mentioning = (body: string, argument: string): string =>
      expandCommand(commandOf(body), { argument, inputs: {}, variables: {}, shell: 'bash' }).mentioning;
    expect(mentioning('See @$1 and @src/$2.', 'a.ts b/c.ts')).toBe('See @a.ts and @src/b/c.ts.');
    expect(mentioning('See @$1', '"a @b"')).toBe('See @ ');
    expect(mentioning('See $1', '@a.ts')).toBe('See  ');
    expect(mentioning('mail me@$1', 'x.org')).toBe('mail me@ ');
  });
});

describe('command lines in the text of a command', () => {
  it('S-41: are at the start of a line, or behind a white space, or in blocks', () => {
    expect(expanded('!`git status`\nand !`git log`, but x!`not this` and `!not`')).toBe('!`git status`\nand !`git log`, but x!`not this` and `!not`');
    expect(commandLines('!`git status`\nand !`git log`, but x!`not this`', '')).toEqual(['git status', 'git log']);
    expect(commandLines('a\n```!\nnpm ci\nnpm test\n```\nb\n```\n!text\n```', '')).toEqual(['npm ci\nnpm test']);
    expect(commandLines('```!\nwithout an end', '')).toEqual([]);
  });

  it('S-40: take arguments as words, and never as more', () => {
    const evil = '"; touch /tmp/x; $(id) `id`';
    expect(commandLines('!`gh pr view $1`', '42')).toEqual(['gh pr view 42']);
    expect(commandLines('!`gh pr view $1`', '')).toEqual(['gh pr view ']);
    expect(commandLines('!`git log --grep $1`', '"a b; c"')).toEqual(["git log --grep 'a b; c'"]);
    expect(commandLines('!`echo $ARGUMENTS`', evil)).toEqual([String.raw`echo '";' touch '/tmp/x;' '$(id)' ` + "'`id`'"]);
    expect(commandLines('!`echo "$ARGUMENTS"`', '$(id) "x"')).toEqual([String.raw`echo "\$(id) \"x\""`]);
    expect(commandLines(`!\`echo '$1'\``, `"it's"`)).toEqual([String.raw`echo 'it'\''s'`]);
    expect(commandLines('!`echo $1`', `"it's"`, 'powershell')).toEqual(["echo 'it''s'"]);
  });

  it('S-40: refuse arguments where it is not certain how the shell takes them', () => {
    expect(() => commandLines('!`echo $(basename $1)`', 'a;b')).toThrow('cannot be used as an argument in the command');
    expect(commandLines('!`echo $(basename $1)`', 'a.ts')).toEqual(['echo $(basename a.ts)']);
    expect(() => commandLines('!`echo "$1"`', '$x', 'powershell')).toThrow('cannot be used');
  });

  it('takes time in proportion to the length of the text', async () => {
    const texts = ['!`'.repeat(50_000), '```!\n'.repeat(20_000), '$'.repeat(100_000), '\\'.repeat(100_000), '${'.repeat(50_000)];
    expect(await processorMs(() => texts.forEach((text) => expanded(`x ${text}`)))).toBeLessThan(5_000);
  });
});

describe('prompts of VS Code', () => {
  const text = 'Make ${input:name} in ${input:kind:class or function} of ${workspaceFolder}, ${name}, ${input:name}';

  it('S-40: have inputs that are filled in', () => {
    const command = commandOf(text, 'a.prompt.md', { dialect: 'vscode' });
    expect(inputsOf(command)).toEqual([{ name: 'name' }, { name: 'kind', hint: 'class or function' }]);
    expect(typedInputs(command, 'Foo a class')).toEqual({ name: 'Foo', kind: 'a class' });
    expect(expanded(text, '', { name: '${input:kind} $1', kind: 'class' })).toBe('Make ${input:kind} $1 in class of /ws, ${name}, ${input:kind} $1');
  });

  it('S-40: have no command lines, and arguments follow the text', () => {
    expect(
      expandCommand(commandOf('Run !`id` $1, see #file:a.ts', 'a.prompt.md', { dialect: 'vscode' }), {
        argument: 'soon @x',
        inputs: {},
        variables: {},
        shell: 'bash',
      }),
    ).toEqual({
      script: [
        { type: 'text', text: 'Run !`id` $1, see #file:a.ts' },
        { type: 'text', text: '\n\nsoon @x' },
      ],
      mentioning: 'Run !`id` $1, see @a.ts',
    });
  });
});
