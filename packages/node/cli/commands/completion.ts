/** `hosted-checkout completion <shell>`: a script for the shell's completion. */
import { type Command, UsageError } from '../core/command.ts';

export function completion(commands: () => readonly string[]): Command {
  const help = `Usage: hosted-checkout completion bash|zsh

Add to your shell's start-up file: eval "$(hosted-checkout completion bash)"`;
  return {
    summary: 'print a completion script for bash or zsh',
    help,
    async run({ positionals: [shell] }) {
      const words = commands().join(' ');
      if (shell === 'bash') {
        console.log(`complete -W '${words}' hosted-checkout`);
      } else if (shell === 'zsh') {
        console.log(
          `autoload -Uz compinit && compinit\ncompdef '_arguments "1:command:(${words})"' hosted-checkout`,
        );
      } else {
        throw new UsageError(help);
      }
    },
  };
}
