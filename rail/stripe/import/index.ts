/** Reads an account's customers, prices and subscriptions, and takes subscriptions over from Stripe. */
import type { AccountSource } from '../../account-source.ts';
import type { RailAccount } from '../../rail-account.ts';
import { call } from '../core/call.ts';
import type { StripeApi } from '../core/client.ts';
import { unknownOf } from '../core/refused.ts';
import { paidForPeriod } from './paid.ts';
import { EXPAND, pendingItems, readAccount } from './read.ts';
import { subscriptionSchema } from './schema.ts';
import { endedAsCancelled, endedByUs, sourceSubscription, stoppedByUs } from './subscription.ts';

type Open = (account: RailAccount, signal: AbortSignal) => StripeApi;

/** @param open throws RailListFailed if there is no usable credential */
export function accountSource(open: Open): AccountSource {
  return {
    read: (account, signal) => readAccount(open(account, signal)),
    readAgain: async (request) => {
      const api = open(request.account, request.signal);
      const found = await retrieve(api, request.id);
      if (found.kind !== 'answer') return unknownOf(found);
      const { id: customer } = found.value.customer;
      const pending = await pendingItems(api, customer);
      if (pending.kind !== 'answer') return unknownOf(pending);
      // An unreadable item is assumed to be this customer's.
      const owing = new Set(pending.value.map(() => customer));
      return { kind: 'found', value: sourceSubscription(found.value, owing) };
    },
    stop: async (request) => {
      const api = open(request.account, request.signal);
      // Only ever send `true`, so that a repeated or late call changes nothing more.
      const stopped = await call(api, subscriptionSchema, (stripe) =>
        stripe.subscriptions.update(request.id, {
          cancel_at_period_end: true,
          cancellation_details: { comment: stoppedByUs(request.movedTo) },
          metadata: { moved_to: request.movedTo },
          expand: EXPAND,
        }),
      );
      if (stopped.kind !== 'answer') return unknownOf(stopped);
      return { kind: 'stopped', value: sourceSubscription(stopped.value, new Set()) };
    },
    paidForPeriod: async (request) => {
      const api = open(request.account, request.signal);
      const found = await retrieve(api, request.id);
      return found.kind === 'answer' ? paidForPeriod(api, found.value) : null;
    },
    end: (request) => end(open(request.account, request.signal), request),
  };
}

function retrieve(api: StripeApi, id: string) {
  return call(api, subscriptionSchema, (stripe) => stripe.subscriptions.retrieve(id, { expand: EXPAND }));
}

async function end(
  api: StripeApi,
  { id, movedTo, isCancelled }: Parameters<AccountSource['end']>[0],
): ReturnType<AccountSource['end']> {
  const ended = await call(api, subscriptionSchema, (stripe) =>
    stripe.subscriptions.cancel(id, {
      prorate: false,
      invoice_now: false,
      cancellation_details: { comment: isCancelled ? endedAsCancelled(movedTo) : endedByUs(movedTo) },
      expand: EXPAND,
    }),
  );
  if (ended.kind === 'answer') return { kind: 'ended' };
  if (ended.kind !== 'missing') return unknownOf(ended);
  // Stripe answers the cancel of an ended subscription with "not found", and does not report how it ended: retrieve it.
  const found = await retrieve(api, id);
  if (found.kind !== 'answer') return unknownOf(found);
  const { state } = sourceSubscription(found.value, new Set());
  if (state === 'over') return { kind: 'ended' };
  return state === 'cancelled' ? { kind: state } : { kind: 'unknown', reason: 'malformed_answer' };
}
