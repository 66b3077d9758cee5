/** `hosted-checkout trigger <event type or operation>`: causes the event, or runs the operation, in the sandbox. */
import { type Command, print, UsageError } from '../core/command.ts';
import { TRIGGERS } from '../core/sandbox-events.ts';
import { OPERATIONS } from '../core/sandbox-operations.ts';
import { sandboxClientOf } from '../core/settings.ts';

const ALL = { ...TRIGGERS, ...OPERATIONS };
const widest = Math.max(...Object.keys(ALL).map((name) => name.length));
const listOf = (triggers: typeof OPERATIONS) =>
  Object.entries(triggers)
    .map(([name, { what }]) => `  ${name.padEnd(widest)}  ${what}`)
    .join('\n');

export const trigger: Command = {
  summary: 'make an event happen in the sandbox',
  words: Object.keys(ALL),
  help: `Usage: hosted-checkout trigger <event type or operation>

${listOf(TRIGGERS)}

${listOf(OPERATIONS)}

The event really happens in the sandbox, and every event that comes with it is sent too.

  --endpoint <id>    with webhook.test: where to (default: the only endpoint of the sandbox)
  --client <id>      where you log in: the identity provider's public client for this program (default: cli)`,
  ids: { endpoint: ['ap_whe_'] },
  options: { endpoint: { type: 'string' }, client: { type: 'string' } },
  async run(given) {
    const [type] = given.positionals;
    const found = Object.entries(ALL).find(([known]) => known === type)?.[1];
    if (!found) {
      throw new UsageError(
        `${type ? `${type} cannot be triggered` : 'Which event type or operation?'}\n\n${trigger.help}`,
      );
    }
    const made = await found.run(await sandboxClientOf(given), given);
    const ids = Object.entries(made)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name} ${value}`);
    print(given, { type, ...made }, `${type}: ${ids.join(', ')}`);
  },
};
