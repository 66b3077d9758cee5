/** Sends a test event to an endpoint from this machine, so that operators resume it only once it accepts events. */
import { webhookRequest } from '../../contract/webhook/webhook-request.ts';
import { takeTestEvent } from '../../db/webhook/test-event.ts';
import { createWebhookAgent } from '../../platform/outbound/agent.ts';
import { post } from '../../platform/outbound/post.ts';
import { createResolve } from '../../platform/outbound/resolve.ts';
import { openWebhookSecrets } from '../../platform/secrets/webhook-secrets.ts';
import { type OpsCommand, parseOpsArgs } from './core/command.ts';
import { idOf, onlySubject } from './core/named-subject.ts';

export const endpointTest: OpsCommand = {
  usage: 'endpoint test <ap_whe_…> [--json]',

  help: `Sends a webhook.test event to the endpoint now, signed as every event, whether it is enabled, paused or
disabled, and prints the response. The event is not stored and not repeated; the audit log names it.
Needs SECRETS_KEY unless "npm start" is running.
Exit code: 0 if the endpoint accepted it, 1 if not, 2 for invalid arguments.`,

  async run(args, { pool, secretBox, webhooks, actor }) {
    const { values, positionals } = parseOpsArgs(args, 1, {});
    const subject = await onlySubject(pool, idOf(positionals), ['endpoint']);
    if (!subject) return 1;
    const box = secretBox();
    const test = await takeTestEvent(
      pool,
      { endpointId: subject.id, merchantId: subject.merchant_id },
      { actor: await actor() },
    );
    if (!test) {
      console.error(`${subject.id} has been deleted.`);
      return 1;
    }
    const secrets = openWebhookSecrets(box, subject.id, test);
    const request = webhookRequest({ ...test, attempts: 0 }, secrets, test.unixSeconds);
    const agent = createWebhookAgent({ ...webhooks, resolve: createResolve() });
    const heard = await post(request, { agent, timeoutMs: webhooks.timeoutMs }, new AbortController().signal);
    const { delivered, httpStatus, error, durationMs, response } = heard;
    if (values.json) {
      const answer = { delivered, http_status: httpStatus, error, duration_ms: durationMs, response };
      console.log(
        JSON.stringify({ endpoint_id: subject.id, status: test.status, event_id: test.eventId, ...answer }),
      );
    } else if (delivered) {
      console.log(`${subject.id} accepted ${test.eventId} with ${httpStatus} after ${durationMs} ms.`);
      if (test.status !== 'enabled')
        console.log(
          `It is ${test.status}. Next: npm run ops -- endpoint resume ${subject.id} --reason <why>`,
        );
    } else {
      console.log(`${subject.id} did not accept ${test.eventId}: ${error}, after ${durationMs} ms.`);
      if (response) console.log(response);
    }
    return delivered ? 0 : 1;
  },
};
