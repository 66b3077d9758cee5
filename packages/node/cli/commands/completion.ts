/** `hosted-checkout completion <shell>`: a script for the shell's completion. */
import { COMMON_OPTIONS, type Command, UsageError } from '../core/command.ts';

type Commands = Readonly<Record<string, Command>>;

const SHELLS: Readonly<Record<string, (commands: Commands) => string>> = {
  bash,
  zsh: (commands) => `autoload -Uz compinit bashcompinit && compinit && bashcompinit\n${bash(commands)}`,
  fish,
};

const help = `Usage: hosted-checkout completion bash|zsh|fish

Completes commands, their options, and what they take, such as the event types of \`trigger\`. Add to your shell's
start-up file:

  bash         eval "$(hosted-checkout completion bash)"
  zsh          eval "$(hosted-checkout completion zsh)"
  fish         hosted-checkout completion fish | source`;

export function completion(commands: () => Commands): Command {
  return {
    summary: 'print a completion script for bash, zsh or fish',
    help,
    words: Object.keys(SHELLS),
    async run({ positionals: [shell = ''] }) {
      const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
      if (!script) throw new UsageError(help);
      console.log(script(commands()));
    },
  };
}

const optionsOf = ({ options }: Command) => Object.keys({ ...options, ...COMMON_OPTIONS });

function bash(commands: Commands): string {
  const cases = Object.entries(commands).map(([name, command]) => {
    const words = [...(command.words ?? []), ...optionsOf(command).map((option) => `--${option}`)];
    return `    ${name}) words='${words.join(' ')}' ;;`;
  });
  return `_hosted_checkout() {
  local words='${Object.keys(commands).join(' ')} --help'
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _hosted_checkout hosted-checkout`;
}

function fish(commands: Commands): string {
  const base = 'complete -c hosted-checkout -f';
  const lines = Object.entries(commands).flatMap(([name, command]) => {
    const within = `${base} -n '__fish_seen_subcommand_from ${name}'`;
    const words = command.words ? [`${within} -a '${command.words.join(' ')}'`] : [];
    return [...words, ...optionsOf(command).map((option) => `${within} -l ${option}`)];
  });
  return [`${base} -n __fish_use_subcommand -a '${Object.keys(commands).join(' ')}'`, ...lines].join('\n');
}
