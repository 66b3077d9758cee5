/** Executes each command in the main loop; the handlers only enqueue (rule 9). */
import type { SubscriptionView } from '../../domain/subscription/subscription-steps.ts';
import type { Entry } from '../core/inbox.ts';
import { database } from '../core/proxies.ts';
import { resolveCharge } from './resolve-charge.ts';
import { lookUpCharge, type SubscriptionRun } from './subscription-charge.ts';
import type { SubscriptionCommand } from './subscription-handlers.ts';
import type { SubscriptionStateAnswer } from './subscription-messages.ts';

/** @returns the subscription afterwards */
export async function execute(
  run: SubscriptionRun,
  view: SubscriptionView,
  entry: Entry<SubscriptionCommand>,
): Promise<SubscriptionView> {
  const { subscriptionId } = run;
  const { command } = entry;
  switch (command.kind) {
    case 'scheduleChange':
    case 'cancelChange':
    case 'cancel':
    case 'advanceClock': {
      const operated = await database.operateSubscription({ subscriptionId, operation: command });
      entry.answer(operated.answer);
      return operated.view;
    }
    case 'reload': {
      const now = await database.loadSubscription(subscriptionId);
      entry.answer({ status: now.status } satisfies SubscriptionStateAnswer);
      return now;
    }
    case 'wake': {
      // Each message restarts the wait for the next look-up: without this look-up, a wake-up each minute
      // would postpone it for ever (rule 18).
      const woken = await database.loadSubscription(subscriptionId);
      return woken.openPayment?.called ? lookUpCharge(run, woken, 'asked') : woken;
    }
    case 'railNews':
      return view.openPayment?.paymentId === command.paymentId ? lookUpCharge(run, view, 'asked') : view;
    case 'resolve':
      return resolveCharge(run, entry, command.request, null);
    case 'resolveRequested': {
      const request = await database.loadResolveRequest(command.requestId);
      return request ? resolveCharge(run, entry, request, command.requestId) : view;
    }
  }
}
