/** @param typed the command, the word before the cursor, and the word at the cursor */
import { COMMON_OPTIONS, type Command, print, UsageError } from '../core/command.ts';
import { recentIds } from '../core/recent-ids.ts';

type Commands = Readonly<Record<string, Command>>;

const SHELLS: Readonly<Record<string, (commands: Commands) => string>> = {
  bash,
  zsh: (commands) => `autoload -Uz compinit bashcompinit && compinit && bashcompinit\n${bash(commands)}`,
  fish,
};

const help = `Usage: hosted-checkout completion bash|zsh|fish

Completes commands, their options, and what they take: the event types of \`trigger\` and, once you are logged in, your
newest ids. Add to your shell's start-up file:

  bash         eval "$(hosted-checkout completion bash)"
  zsh          eval "$(hosted-checkout completion zsh)"
  fish         hosted-checkout completion fish | source`;

export function completion(commands: () => Commands): Command {
  return {
    summary: 'print a completion script for bash, zsh or fish',
    help,
    words: Object.keys(SHELLS),
    async run(given) {
      const [shell = '', ...typed] = given.positionals;
      if (shell === 'ids') {
        const ids = await idsFor(commands(), typed);
        return print(given, ids, ids.join('\n'));
      }
      const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell]?.(commands()) : undefined;
      if (script === undefined) throw new UsageError(help);
      print(given, { shell, script }, script);
    },
  };
}

/** @param typed the command, the word before the cursor, and the word at the cursor */
async function idsFor(commands: Commands, [name = '', before = '', current = '']: readonly string[]) {
  const { ids = {} } = commands[name] ?? {};
  return recentIds(ids[before === name ? '' : before.replace(/^--/, '')] ?? [], current);
}

const optionsOf = ({ options }: Command) => Object.keys({ ...options, ...COMMON_OPTIONS });
/** Returns the words after which the shell completes ids. */
const askedAfter = (name: string, { ids = {} }: Command) =>
  Object.keys(ids).map((option) => (option === '' ? name : `--${option}`));

function bash(commands: Commands): string {
  const cases = Object.entries(commands).map(([name, command]) => {
    const words = [...(command.words ?? []), ...optionsOf(command).map((option) => `--${option}`)];
    return `    ${name}) words='${words.join(' ')}' ;;`;
  });
  const asking = Object.entries(commands).flatMap(([name, command]) =>
    askedAfter(name, command).map((before) => `'${name} ${before}'`),
  );
  return `_hosted_checkout() {
  local words='${Object.keys(commands).join(' ')} --help --version' current="\${COMP_WORDS[COMP_CWORD]}"
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  local before="\${COMP_WORDS[COMP_CWORD-1]}"
  case "\${COMP_WORDS[1]} $before" in
    ${asking.join('|')})
      [ "\${current#-}" = "$current" ] &&
        words="$words $("\${COMP_WORDS[0]}" completion ids -- "\${COMP_WORDS[1]}" "$before" "$current" 2>/dev/null)" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _hosted_checkout hosted-checkout`;
}

function fish(commands: Commands): string {
  const base = 'complete -c hosted-checkout -f';
  const lines = Object.entries(commands).flatMap(([name, command]) => {
    const within = `${base} -n '__fish_seen_subcommand_from ${name}'`;
    const asked = (before: string) =>
      ` -a '(hosted-checkout completion ids -- ${name} ${before} (commandline -ct) 2>/dev/null)'`;
    const { words = [], ids = {} } = command;
    return [
      ...(words.length > 0 ? [`${within} -a '${words.join(' ')}'`] : []),
      ...('' in ids ? [within + asked(name)] : []),
      ...optionsOf(command).map((option) =>
        option in ids ? `${within} -x -l ${option}${asked(`--${option}`)}` : `${within} -l ${option}`,
      ),
    ];
  });
  const first = `${base} -n __fish_use_subcommand`;
  const options = ['help', 'version'].map((option) => `${first} -l ${option}`);
  return [`${first} -a '${Object.keys(commands).join(' ')}'`, ...options, ...lines].join('\n');
}
