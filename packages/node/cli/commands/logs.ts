/** `hosted-checkout logs`: the latest attempts to deliver webhooks. */
import { type Command, eventTypeOf, positiveNumber, print, textOf } from '../core/command.ts';
import { clientOf } from '../core/settings.ts';

export const logs: Command = {
  summary: 'show the latest deliveries of webhooks',
  help: `Usage: hosted-checkout logs [options]

  --limit <n>        how many, at most 100 (default: 20)
  --type <type>      only attempts for this event type
  --event <id>       only attempts for this event
  --endpoint <id>    only attempts to this endpoint`,
  ids: { event: ['evt_'], endpoint: ['ap_whe_'] },
  options: {
    limit: { type: 'string' },
    type: { type: 'string' },
    event: { type: 'string' },
    endpoint: { type: 'string' },
  },
  async run(given) {
    const limit = positiveNumber(given, 'limit', 20);
    const checkout = await clientOf(given);
    const { merchant_id } = await checkout.billing.showDashboard();
    const { data } = await checkout.merchants.webhookAttempts.list(merchant_id, {
      limit,
      type: eventTypeOf(given),
      event_id: textOf(given, 'event'),
      endpoint_id: textOf(given, 'endpoint'),
    });
    for (const attempt of data.toReversed()) {
      const { at, event_type, event_id, attempt: number, status, error, duration_ms } = attempt;
      print(
        given,
        attempt,
        `${at}  ${status ?? error}  ${event_type}  ${event_id}  attempt ${number}, ${duration_ms} ms`,
      );
    }
    if (data.length === 0 && !given.values.json) console.error('No deliveries yet.');
  },
};
