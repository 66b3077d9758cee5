/** Responses that do not stay true, and pages that showed a wrong outcome. */
import { type Copy, first, type Planted, refundExchange } from './copy.ts';

type Exchange = Copy['exchanges'][number];
type Subscription = Copy['subscriptions'][number];

const isAnswered =
  (name: string) =>
  ({ path, status }: Exchange) =>
    path.startsWith('/v1/subscriptions/') && path.endsWith(`/${name}`) && status < 300;
const isLive = ({ status, cancel_at_period_end, change }: Subscription) =>
  status === 'active' && !cancel_at_period_end && change === null;

export const CLIENTS: readonly Planted[] = [
  [
    'a session that was created and is gone',
    'a 2xx response stays true',
    (copy) => {
      const { answer } = first(
        copy.exchanges,
        ({ path, status }) => path === '/v1/checkouts' && status === 201,
      );
      const { id } = JSON.parse(answer ?? '{}');
      copy.sessions = copy.sessions.filter((session) => session.id !== id);
    },
  ],
  [
    'a refund that was created and is gone',
    'a 2xx response stays true',
    (copy) => {
      const { id } = JSON.parse(refundExchange(copy).answer ?? '{}');
      copy.refunds = copy.refunds.filter((each) => each.id !== id);
    },
  ],
  [
    'a refund whose amount differs from its response',
    'a 2xx response stays true',
    (copy) => {
      const exchange = refundExchange(copy);
      exchange.answer = exchange.answer?.replace(/"amount":(\d+)/, '"amount":9$1') ?? null;
    },
  ],
  [
    'a second response under one key',
    'equal requests get one response',
    (copy) => {
      const exchange = refundExchange(copy);
      copy.exchanges.push({ ...exchange, answer: exchange.answer?.replace('req_', 'req_9') ?? null });
    },
  ],
  [
    'an equal request rejected as a conflict',
    'an equal request is not a conflict',
    (copy) =>
      void copy.exchanges.push({
        ...refundExchange(copy),
        status: 409,
        answer: '{"code":"idempotency_key_conflict"}',
      }),
  ],
  [
    'a page that showed a paid session as failed',
    'no buyer sees a wrong outcome',
    (copy) => {
      first(copy.seen, ({ state }) => state === 'succeeded').state = 'failed';
    },
  ],

  [
    'an undone cancellation that stays',
    'a 2xx response stays true',
    (copy) => {
      const live = first(copy.subscriptions, isLive);
      live.cancel_at_period_end = true;
      const path = `/v1/subscriptions/${live.id}/cancel/undo`;
      copy.exchanges.push({ ...first(copy.exchanges, isAnswered('cancel')), path, key: 'undo' });
    },
  ],
  [
    'a pause that is lost',
    'a 2xx response stays true',
    (copy) => {
      const live = first(copy.subscriptions, isLive);
      live.pause_at_period_end = false;
      const path = `/v1/subscriptions/${live.id}/pause`;
      copy.exchanges.push({ ...first(copy.exchanges, isAnswered('cancel')), path, body: '{}' });
    },
  ],
  [
    'a resumed pause that stays',
    'a 2xx response stays true',
    (copy) => {
      const live = first(copy.subscriptions, isLive);
      live.pause_at_period_end = true;
      const path = `/v1/subscriptions/${live.id}/resume`;
      copy.exchanges.push({ ...first(copy.exchanges, isAnswered('cancel')), path, body: '{}' });
    },
  ],
  ...['advance', 'cancel'].map(
    (name): Planted => [
      `an answered ${name} that had no effect`,
      'a 2xx response stays true',
      (copy) => {
        const live = first(copy.subscriptions, isLive);
        const answered = first(copy.exchanges, isAnswered(name));
        const body = '{"to":"2099-01-01T00:00:00.000Z"}';
        copy.exchanges.push({ ...answered, path: `/v1/subscriptions/${live.id}/${name}`, body });
      },
    ],
  ),
  [
    'a change of plan that is lost',
    'a 2xx response stays true',
    (copy) => {
      const answered = first(copy.exchanges, isAnswered('plan-change'));
      const live = first(copy.subscriptions, isLive);
      const body = '{"target_plan_id":"ap_prod_other"}';
      copy.exchanges.push({ ...answered, path: `/v1/subscriptions/${live.id}/plan-change`, body });
    },
  ],
  [
    'a cancelled change of plan that takes effect',
    'a 2xx response stays true',
    (copy) => {
      const { path, answer } = first(copy.exchanges, isAnswered('plan-change/cancel'));
      const { target_plan_id: id } = JSON.parse(answer ?? '{}') as { target_plan_id: string };
      first(copy.subscriptions, (each) => path.includes(each.id)).plan = { id };
    },
  ],
  [
    'a change of method that is lost',
    'a 2xx response stays true',
    (copy) => {
      first(copy.methodChanges).state = null;
    },
  ],
  [
    'a change of method that kept the former card',
    'a 2xx response stays true',
    (copy) => {
      const changed = first(copy.methodChanges, ({ state }) => state === 'succeeded');
      const { body } = first(
        copy.exchanges,
        ({ path, answer }) => path === '/v1/payment-methods/change' && !!answer?.includes(changed.id),
      );
      const { subscriptionId } = JSON.parse(body ?? '{}') as { subscriptionId: string };
      const subscription = first(copy.subscriptions, ({ id }) => id === subscriptionId);
      subscription.payment_method = { brand: 'visa', last4: '4242' };
    },
  ],
  ...['/v1/refunds', '/pay/x/pay'].map(
    (path): Planted => [
      `a failed request to ${path} that no retry completed`,
      'a retry completes a failed request',
      (copy) => {
        const [exchange] = copy.exchanges;
        if (exchange)
          copy.exchanges.push({ ...exchange, path, key: 'of its own', status: 503, answer: '{}' });
      },
    ],
  ),
];
