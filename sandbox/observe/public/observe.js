/** Draws the dashboards of deploy/observability with Prometheus' numbers, its alerts, and the latest traces. */

const COLOURS = [
  '#1f77b4',
  '#ff7f0e',
  '#2ca02c',
  '#d62728',
  '#9467bd',
  '#8c564b',
  '#e377c2',
  '#17becf',
  '#7f7f7f',
];
const view = document.querySelector('#view');
const notice = document.querySelector('#notice');
const environment = document.querySelector('#environment');
const range = document.querySelector('#range');

function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  Object.assign(element, properties);
  element.append(...children);
  return element;
}

/** @param decimals for amounts of money, which are not abbreviated */
function show(value, { unit, decimals }) {
  if (!Number.isFinite(value)) return '–';
  if (decimals !== undefined)
    return value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  if (unit === 'percentunit') return `${(value * 100).toFixed(1)} %`;
  if (unit === 'bytes') return `${(value / 2 ** 20).toFixed(1)} MiB`;
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
  const number = Number(value.toFixed(digits)).toLocaleString('en');
  return unit === 's' ? `${number} s` : number;
}

/** @param at in Unix seconds */
const timeOf = (at) => `${new Date(at * 1_000).toISOString().slice(11, 16)} UTC`;

function inWords(seconds) {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

const named = (format, labels) =>
  format.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, label) => labels[label] ?? '').trim();

async function query(expr) {
  const seconds = Number(range.value);
  const text = expr.replaceAll('$environment', environment.value).replaceAll('$__range', `${seconds}s`);
  const now = Date.now() / 1_000;
  const search = new URLSearchParams({
    query: text,
    start: now - seconds,
    end: now,
    step: Math.max(5, seconds / 120),
  });
  const answer = await fetch(`/api/v1/query_range?${search}`);
  if (answer.status === 404) throw new Error('no_prometheus');
  const { data, error } = await answer.json();
  if (!data) throw new Error(error);
  return data.result;
}

async function seriesOf({ targets }) {
  const found = await Promise.all(
    targets.map(async ({ expr, legendFormat }) =>
      (await query(expr)).map(({ metric, values }) => ({
        name: named(legendFormat, metric) || 'value',
        points: values.map(([at, value]) => [at, Number(value)]),
      })),
    ),
  );
  return found.flat().map((series, index) => ({ ...series, colour: COLOURS[index % COLOURS.length] }));
}

function chart(series, format) {
  const seconds = Number(range.value);
  const end = Date.now() / 1_000;
  const values = series.flatMap(({ points }) => points.map(([, value]) => value)).filter(Number.isFinite);
  const top = Math.max(...values, 1e-9) * 1.05;
  const lines = series.map(({ points, colour }) => {
    const path = points
      .filter(([, value]) => Number.isFinite(value))
      .map(([at, value], index) => {
        const x = 300 * (1 - (end - at) / seconds);
        return `${index ? 'L' : 'M'}${x.toFixed(1)},${(100 - (100 * value) / top).toFixed(1)}`;
      })
      .join('');
    return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.5" vector-effect="non-scaling-stroke"/>`;
  });
  const grid = [0, 50, 100].map(
    (y) =>
      `<path d="M0,${y}H300" stroke="currentColor" stroke-opacity=".15" vector-effect="non-scaling-stroke"/>`,
  );
  const figure = make('div', { className: 'chart' });
  figure.innerHTML = `<svg viewBox="0 0 300 100" preserveAspectRatio="none" aria-hidden="true">${grid.join('')}${lines.join('')}</svg>`;
  const axes = { top: show(top, format), bottom: '0', start: timeOf(end - seconds), end: timeOf(end) };
  figure.append(...Object.entries(axes).map(([className, text]) => make('small', { className }, text)));
  return figure;
}

function legend(series, format) {
  const rows = series.map(({ name, colour, points }) => {
    const dot = make('i');
    dot.style.background = colour;
    return make('li', {}, dot, make('span', {}, name), make('b', {}, show(points.at(-1)?.[1], format)));
  });
  return make('ul', {}, ...rows);
}

async function draw(panel, section) {
  const series = await seriesOf(panel);
  const format = panel.fieldConfig.defaults;
  const title = make('h3', { title: panel.description }, panel.title);
  if (series.length === 0) {
    const where = panel.targets.some(({ expr }) => expr.includes('$environment'))
      ? `${environment.value}: `
      : '';
    return section.replaceChildren(title, make('p', { className: 'none' }, `${where}nothing in this range`));
  }
  if (panel.type === 'stat') {
    const values = series.map(({ name, points }) =>
      make('p', { className: 'stat' }, show(points.at(-1)?.[1], format), make('small', {}, ` ${name}`)),
    );
    return section.replaceChildren(title, ...values);
  }
  if (panel.type === 'bargauge') {
    const last = (each) => each.points.at(-1)?.[1] ?? 0;
    const most = Math.max(...series.map(last), 1e-9);
    const rows = series.map((each) => {
      const bar = make('div', { className: 'bar' });
      bar.style.width = `${(100 * last(each)) / most}%`;
      return make(
        'div',
        { className: 'span' },
        make('span', {}, each.name),
        make('div', {}, bar),
        make('b', {}, show(last(each), format)),
      );
    });
    return section.replaceChildren(title, ...rows);
  }
  section.replaceChildren(title, chart(series, format), legend(series, format));
}

async function dashboard(name) {
  const { panels, error } = await (await fetch(`/${name}.json`)).json();
  if (error) throw new Error(error);
  const drawings = [];
  const elements = panels.map((panel) => {
    if (panel.type === 'row') return make('h2', {}, panel.title.replace('$environment', environment.value));
    const section = make('section', {}, make('h3', {}, panel.title));
    drawings.push(draw(panel, section));
    return section;
  });
  await Promise.all(drawings);
  return elements;
}

const URGENCY = { firing: 0, pending: 1, page: 0, ticket: 1 };
const byUrgency = (one, other) =>
  URGENCY[one.state] - URGENCY[other.state] ||
  URGENCY[one.labels.severity] - URGENCY[other.labels.severity] ||
  Date.parse(one.activeAt) - Date.parse(other.activeAt);

/** The first command of the runbook's section. */
function firstCommand(runbook, url = '') {
  const lines = runbook.getElementById(url.split('#')[1])?.nextElementSibling?.children ?? [];
  const first = [...lines].find(({ textContent }) => textContent.startsWith('First:'));
  return first?.querySelector('code')?.textContent ?? '';
}

const OPEN_INCIDENTS =
  'max by (__name__, kind, state, merchant, environment, currency) ({__name__=~"checkout_incident_(open|oldest_age_seconds|amount)"} > 0)';

/** Open incidents by kind: merchant, state, number, age and amount of money. */
async function openIncidents() {
  const answer = await fetch(`/api/v1/query?${new URLSearchParams({ query: OPEN_INCIDENTS })}`);
  const { data } = await answer.json();
  const groups = Map.groupBy(data.result, ({ metric }) => {
    const { kind, merchant = 'all merchants', environment, state } = metric;
    return JSON.stringify([kind, `${merchant} (${environment}${state ? `, ${state}` : ''})`]);
  });
  const rows = [...groups].map(([key, series]) => {
    const [kind, whose] = JSON.parse(key);
    const find = (name) =>
      series
        .filter(({ metric }) => metric.__name__ === `checkout_incident_${name}`)
        .map(({ value }) => value[1]);
    const amounts = series
      .filter(({ metric }) => metric.currency)
      .map(({ metric, value }) => `, ${show(value[1] / 100, { decimals: 2 })} ${metric.currency}`);
    const oldest = inWords(Number(find('oldest_age_seconds')));
    return [kind, `${whose}: ${find('open')} open, the oldest for ${oldest}${amounts.join('')}`];
  });
  return Map.groupBy(rows, ([kind]) => kind);
}

/** A rule's own labels and value, for a rule without incidents. */
const labelsAndValue = (labels, value) =>
  [...Object.entries(labels).map((pair) => pair.join(' ')), `value ${show(Number(value), {})}`].join(' · ');

async function alerts() {
  const answer = await fetch('/api/v1/alerts');
  if (answer.status === 404) throw new Error('no_prometheus');
  const found = (await answer.json()).data.alerts;
  if (found.length === 0) return [make('p', { className: 'none' }, 'No alert is pending or firing.')];
  const document = await (await fetch('/docs/on-call.md')).text();
  const runbook = new DOMParser().parseFromString(document, 'text/html');
  const incidents = await openIncidents();
  return found
    .sort(byUrgency)
    .map(({ labels: { alertname, severity, ...labels }, annotations, state, activeAt, value }) => {
      const since = Date.parse(activeAt) / 1_000;
      const found = incidents.get(annotations.runbook_url?.split('#')[1]);
      const rows = found?.map(([, row]) => row) ?? [labelsAndValue(labels, value)];
      return make(
        'section',
        {},
        make('h3', {}, `${alertname} · ${severity} · ${state}`),
        make('p', {}, annotations.summary),
        ...rows.map((row) => make('p', {}, row)),
        make('p', { className: 'none' }, `since ${timeOf(since)}, ${inWords(Date.now() / 1_000 - since)}`),
        make('p', {}, make('code', {}, firstCommand(runbook, annotations.runbook_url))),
        make('a', { href: annotations.runbook_url }, 'Runbook'),
        ...(annotations.workflows_url?.startsWith('http')
          ? [' · ', make('a', { href: annotations.workflows_url }, 'Workflows in Temporal UI')]
          : []),
      );
    });
}

function spanRow(span, startMs, lengthMs) {
  const bar = make('div', { className: `bar ${span.service} ${span.failed ? 'failed' : ''}` });
  bar.style.marginLeft = `${(100 * (span.startMs - startMs)) / lengthMs}%`;
  bar.style.width = `${Math.max(0.5, (100 * (span.endMs - span.startMs)) / lengthMs)}%`;
  const title = Object.entries(span.attributes)
    .map((pair) => pair.join(': '))
    .join('\n');
  const time = `${(span.endMs - span.startMs).toFixed(1)} ms`;
  return make(
    'div',
    { className: 'span', title },
    make('span', {}, `${span.service}: ${span.name}`),
    make('div', {}, bar),
    make('b', {}, time),
  );
}

async function traces() {
  const found = await (await fetch('/traces')).json();
  if (found.length === 0)
    return [make('p', { className: 'none' }, 'No trace has arrived yet: buy something.')];
  return found.map(({ traceId, spans }) => {
    const startMs = spans[0].startMs;
    const lengthMs = Math.max(...spans.map(({ endMs }) => endMs)) - startMs || 1;
    const flow = spans.map(({ attributes }) => attributes['checkout.flow.id']).find(Boolean) ?? '';
    const head = `${spans[0].name} · ${spans.length} spans · ${lengthMs.toFixed(0)} ms`;
    const rows = spans.map((span) => spanRow(span, startMs, lengthMs));
    const details = make(
      'details',
      { open: found[0].traceId === traceId },
      make('summary', {}, head),
      make('p', { className: 'none' }, `${traceId} ${flow}`),
      ...rows,
    );
    return make('section', { className: 'wide' }, details);
  });
}

const VIEWS = {
  business: () => dashboard('business'),
  operations: () => dashboard('operations'),
  alerts,
  traces,
};

async function refresh() {
  const name = location.hash.slice(1) in VIEWS ? location.hash.slice(1) : 'business';
  for (const link of document.querySelectorAll('nav a')) {
    if (link.hash === `#${name}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  try {
    const elements = await VIEWS[name]();
    view.replaceChildren(...elements);
    notice.hidden = true;
  } catch (error) {
    view.replaceChildren();
    notice.hidden = false;
    notice.textContent =
      error.message === 'no_prometheus'
        ? 'Prometheus is not installed, so there are no charts and no alerts (on Debian: apt-get install prometheus). Traces work without it.'
        : `This cannot be shown: ${error.message}`;
  }
}

addEventListener('hashchange', refresh);
environment.addEventListener('change', refresh);
range.addEventListener('change', refresh);
setInterval(() => location.hash !== '#traces' && refresh(), 15_000);
await refresh();
