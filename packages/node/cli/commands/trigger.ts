/** `hosted-checkout trigger <event type>`: causes this event in the sandbox. */
import { type Command, print, UsageError } from '../core/command.ts';
import { TRIGGERS } from '../core/sandbox-events.ts';
import { sandboxClientOf } from '../core/settings.ts';

const widest = Math.max(...Object.keys(TRIGGERS).map((type) => type.length));

export const trigger: Command = {
  summary: 'make an event happen in the sandbox',
  words: Object.keys(TRIGGERS),
  help: `Usage: hosted-checkout trigger <event type>

${Object.entries(TRIGGERS)
  .map(([type, { what }]) => `  ${type.padEnd(widest)}  ${what}`)
  .join('\n')}

It really happens, in the sandbox: every event that comes with it is sent too.

  --endpoint <id>    with webhook.test: where to (default: the only endpoint of the sandbox)
  --client <id>      with webhook.test: the identity provider's public client for this program (default: cli)`,
  ids: { endpoint: ['ap_whe_'] },
  options: { endpoint: { type: 'string' }, client: { type: 'string' } },
  async run(given) {
    const [type] = given.positionals;
    const found = Object.entries(TRIGGERS).find(([known]) => known === type)?.[1];
    if (!found) {
      throw new UsageError(
        `${type ? `${type} cannot be triggered` : 'Which event type?'}\n\n${trigger.help}`,
      );
    }
    const made = await found.run(await sandboxClientOf(given), given);
    const ids = Object.entries(made).map(([name, value]) => `${name} ${value}`);
    print(given, { type, ...made }, `${type}: ${ids.join(', ')}`);
  },
};
