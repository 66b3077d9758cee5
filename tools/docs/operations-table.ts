/** The table of states and operations in docs/subscriptions.md, from `domain/subscription/operations.ts`. */
import {
  OPERATION_FACTS,
  type OperationFact,
  refusalIn,
  refusalOfAll,
  SUBSCRIPTION_OPERATIONS,
  type SubscriptionOperationName,
  type Wait,
  waitIn,
} from '../../domain/subscription/operations.ts';
import { SUBSCRIPTION_STATUSES } from '../../domain/subscription/subscription.ts';

const PATHS: Readonly<Record<SubscriptionOperationName, string>> = {
  cancel: 'cancel',
  undoCancel: 'cancel/undo',
  pause: 'pause',
  resume: 'resume',
  moveTrial: 'trial',
  scheduleChange: 'plan-change, offering-change, quantity',
  changeNow: 'plan-change, offering-change, quantity',
  cancelChange: 'plan-change/cancel',
  payInvoice: 'invoices/:id/pay',
  linkInvoice: 'invoices/:id/payment-link',
  changeMethod: 'payment-methods/change',
  advanceClock: 'advance',
};

const FACTS: Readonly<Record<OperationFact, string>> = {
  changePending: 'a change is being charged',
  changeScheduled: 'a change is scheduled, or requires action',
  chargingStopped: 'nothing is charged, after a lost dispute or a restore',
  ending: 'it ends immediately, or its end is due',
  collecting: 'its period has ended, and its unpaid invoices are collected',
  endsWithPeriod: 'it ends with its period',
  continues: 'it is not set to end',
  lastPeriod: 'in its last billing cycle',
  pausing: 'it is paused, or set to pause',
  notPausing: 'it is neither paused nor set to pause',
  chargeOpen: 'a charge is in progress',
};

const WAITS: Readonly<Record<Wait, string>> = {
  openCharge: 'once the charge is settled',
  joinedCharge: 'joins the charge',
  ownCharge: 'once its charge has succeeded',
  periodEnd: 'at the end of the period',
};

const PLACE = /(<!-- table of operations -->\n)[\s\S]*?(<!-- end of the table -->)/;

export function withOperationsTable(document: string): string {
  return document.replace(PLACE, (_all, begin, end) => `${begin}\n${table()}\n\n${end}`);
}

function table(): string {
  const statuses = SUBSCRIPTION_STATUSES.filter((status) => !refusalOfAll(status));
  const columns = [...statuses, ...OPERATION_FACTS];
  const heads = columns.map((state) => (isFact(state) ? FACTS[state] : `\`${state}\``));
  const rows = SUBSCRIPTION_OPERATIONS.map((operation) => [
    PATHS[operation]
      .split(', ')
      .map((path) => `\`${path}\``)
      .join(', ') + (operation === 'changeNow' ? ', effective now' : ''),
    ...columns.map((state) => cell(refusalIn(operation, state), waitIn(operation, state))),
  ]);
  return [['', ...heads], columns.map(() => '---').concat('---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function isFact(state: string): state is OperationFact {
  return state in FACTS;
}

function cell(refusal: string | null, wait: Wait | null): string {
  if (refusal) return `\`${refusal}\``;
  return wait ? `yes, ${WAITS[wait]}` : 'yes';
}
