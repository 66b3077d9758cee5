/** A storefront without a server: products and prices come from the service, not from this page. */

const shelf = document.querySelector('[data-shelf]');
const note = document.querySelector('[data-note]');
const storefront = `${shelf.dataset.api}/v1/checkout-clients/${shelf.dataset.client}`;
const pictures = JSON.parse(shelf.dataset.pictures);

const ATTEMPTS = 3;
const PASSING = [408, 409, 429, 500, 502, 503, 504];

try {
  const { products } = await ask(`${storefront}/config`);
  shelf.append(...products.filter((product) => product.active_price).map(cardOf));
  note.hidden = true;
} catch (problem) {
  note.textContent = `Nothing can be sold here. ${problem.message}`;
}

/** One idempotency key per purchase, so that retries create one session. */
async function buy(product) {
  const { hostedUrl } = await ask(`${storefront}/sessions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() },
    body: JSON.stringify({ productReference: product.id }),
  });
  location.assign(hostedUrl);
}

/** Retries transient failures with the same key; throws a refusal with its code. */
async function ask(url, request) {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(url, request).catch(() => null);
    if (answer?.ok) return answer.json();
    if (attempt === ATTEMPTS || (answer && !PASSING.includes(answer.status))) throw await problemOf(answer);
    await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** (attempt - 1)));
  }
}

async function problemOf(answer) {
  if (!answer) return new Error('The service does not answer this page.');
  const { code, message } = await answer.json();
  return new Error(`The service answered ${code}: ${message}`);
}

function cardOf(product) {
  const { name, description, active_price: price } = product;
  const card = element('article', 'card');
  const picture = element('img', '');
  Object.assign(picture, { src: `/assets/${pictures[product.id]}.svg`, alt: '', width: 320, height: 200 });
  const button = element('button', 'button', 'Buy');
  button.type = 'button';
  button.append(' ', element('span', 'hidden', name));
  button.addEventListener('click', async () => {
    button.disabled = true;
    note.hidden = true;
    await buy(product).catch((problem) => {
      note.textContent = `The checkout could not be opened. Nothing was charged. ${problem.message}`;
      note.hidden = false;
    });
    button.disabled = false;
  });
  const till = element('div', 'buy');
  till.append(button);
  card.append(picture, element('h2', '', name), element('p', '', description ?? ''), priceOf(price), till);
  return card;
}

function priceOf({ amount, currency, recurring }) {
  const money = new Intl.NumberFormat('en-IE', { style: 'currency', currency }).format(amount / 100);
  const line = element('p', 'price');
  line.append(element('strong', '', money));
  if (recurring) {
    const { interval, interval_count: count, trial_period_days: trialDays } = recurring;
    line.append(` a ${count === 1 ? interval : `${count} ${interval}s`}`);
    if (trialDays) line.append(`, the first ${trialDays} days free`);
  }
  return line;
}

function element(name, className, text = '') {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}
