/** The live list of verified webhooks, and the return page's answer to "was it paid?". */

const list = document.querySelector('[data-events]');
const live = document.querySelector('[data-live]');
const purchase = document.querySelector('[data-awaits]')?.dataset;

/** The fact that each event type proves about the return page's purchase; the highest rank is shown. */
const PROOFS = {
  'payment.failed': { rank: 1, kind: 'bad', text: 'A payment failed: nothing is delivered.' },
  'subscription.created': {
    rank: 2,
    kind: 'good',
    text: 'The subscription exists: verified webhook received.',
  },
  'payment.succeeded': { rank: 3, kind: 'good', text: 'Paid: verified webhook received.' },
};

const seen = new Set();
const eventIds = new Set();
let shownRank = 0;

if (list && live) {
  const stream = new EventSource('/events/stream');
  stream.addEventListener('message', ({ data }) => receive(JSON.parse(data)));
  stream.addEventListener('caught-up', () => setLive(true));
  stream.addEventListener('error', () => setLive(false));
}

for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = 'Copied';
  });
}

function setLive(isLive) {
  live.textContent = isLive ? 'live' : 'connecting …';
  live.classList.toggle('on', isLive);
}

function receive(received) {
  const { receivedAt, deliveryAttempt, event } = received;
  // A reconnected stream replays the latest events.
  const delivery = `${event.id} ${deliveryAttempt} ${receivedAt}`;
  if (seen.has(delivery)) return;
  seen.add(delivery);
  list.prepend(entryOf(received));
  document.querySelector('[data-no-events]').hidden = true;
  // Repeated deliveries have the same event id: apply each event once.
  if (!eventIds.has(event.id)) prove(received);
  eventIds.add(event.id);
}

function prove({ receivedAt, event }) {
  const proof = PROOFS[event.type];
  if (!purchase || !proof || proof.rank <= shownRank || receivedAt < purchase.since) return;
  if (event.customer?.external_customer_id !== purchase.customer) return;
  if (purchase.product && event.product?.id !== purchase.product) return;
  shownRank = proof.rank;
  document.querySelector('[data-proof]').dataset.proof = proof.kind;
  document.querySelector('[data-proof-text]').textContent = proof.text;
}

function entryOf({ receivedAt, deliveryAttempt, event }) {
  const summary = element('summary', '');
  const time = element('time', '', new Date(receivedAt).toLocaleTimeString());
  time.dateTime = receivedAt;
  summary.append(
    element('span', 'type', event.type),
    time,
    element(
      'span',
      'attempt',
      deliveryAttempt > 1 ? `signature verified, attempt ${deliveryAttempt}` : 'signature verified',
    ),
    element('code', 'about', subjectOf(event)),
  );
  const raw = element('pre', '', JSON.stringify(event, null, 2));
  raw.tabIndex = 0;
  const details = element('details', '');
  details.append(summary, raw);
  const item = element('li', PROOFS[event.type]?.kind ?? '');
  item.append(details);
  return item;
}

/** The id of the event's subject: the payment of payment.succeeded, the invoice of invoice.created. */
function subjectOf(event) {
  return event[event.type.split('.')[0]]?.id ?? event.payment?.id ?? event.id;
}

function element(name, className, text = '') {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}
