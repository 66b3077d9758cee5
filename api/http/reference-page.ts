/** The page of the API reference: Swagger UI with samples, a search over operations, and requests with sandbox keys. */
import { API_NAME } from '../../contract/openapi/document.ts';

/** Darkens colours of Swagger UI's light mode that are too pale to read (WCAG 1.4.3), and styles the samples. */
export const STYLE = `html:not(.dark-mode) .swagger-ui .opblock:not(.opblock-options) .opblock-summary-method { color: #000; text-shadow: none }
html:not(.dark-mode) .swagger-ui .info .title small pre { color: #000 }
html:not(.dark-mode) .swagger-ui .info a { color: #1f5fbf }
html:not(.dark-mode) .swagger-ui :is(.parameter__in, .header-example) { color: #595959 }
html:not(.dark-mode) .swagger-ui .json-schema-2020-12-expand-deep-button { color: #595959 }
html:not(.dark-mode) .swagger-ui .btn.authorize { color: #1b7a4b; border-color: #1b7a4b }
html:not(.dark-mode) .swagger-ui .btn.authorize svg { fill: #1b7a4b }
.samples { margin: 0 20px 20px }
.samples h4 { margin: 10px 0; font: 700 14px sans-serif; color: #3b4151 }
.samples button { padding: 6px 12px; border: 1px solid #8c8c8c; background: none; font: 14px sans-serif; color: inherit; cursor: pointer }
.samples button[aria-pressed=true] { background: #1f5fbf; color: #fff }
.samples pre { margin: 8px 0 0; padding: 12px; overflow-x: auto; background: #21262d; color: #f0f3f6; font: 13px/1.5 monospace }
.swagger-ui .filter .operation-filter-input { width: 100%; box-sizing: border-box }
.dark-mode .samples, .dark-mode .samples h4 { color: #e4e6e6 }
.swagger-ui :is(pre, code, p, td) { overflow-wrap: anywhere }
.swagger-ui .response-col_links pre { white-space: pre-wrap }
@media (max-width: 640px) {
  .swagger-ui :is(.responses-table, .parameters) :is(tbody, tr, td) { display: block; width: auto; min-width: 0; padding-inline: 0 }
  .swagger-ui :is(.responses-table, .parameters) thead { display: none }
}
`;

/** @param options.sendsRequests true if the API is served from the page's own address */
export const referencePage = ({ sendsRequests }: { readonly sendsRequests: boolean }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${API_NAME}: API reference</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/reference.css">
</head>
<body>
<noscript>The same as JSON: <a href="openapi.json">openapi.json</a></noscript>
<main id="reference"${sendsRequests ? ' data-sends-requests' : ''}></main>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Dark mode follows the system, or the documentation site's own switch (VitePress's key). */
export const START = `const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const chosen = localStorage.getItem('vitepress-theme-appearance') ?? 'auto';
const paint = () =>
  document.documentElement.classList.toggle('dark-mode', chosen === 'auto' ? systemIsDark.matches : chosen === 'dark');
systemIsDark.addEventListener('change', paint);
paint();

const sendsRequests = 'sendsRequests' in document.getElementById('reference').dataset;
let language = 'curl';

const withSamples = (samples) => (Responses, { React }) => {
  const { createElement: h, useState } = React;
  const Samples = ({ of }) => {
    const [shown, show] = useState(language);
    const choose = (name) => { language = name; show(name); };
    const choice = (name) =>
      h('button', { key: name, type: 'button', 'aria-pressed': name === shown, onClick: () => choose(name) }, name);
    return h('div', { className: 'samples' },
      h('h4', null, 'Sample'), Object.keys(of).map(choice), h('pre', { tabIndex: 0 }, of[shown]));
  };
  return (props) => {
    const of = samples[props.method + ' ' + props.path];
    return h(React.Fragment, null, of && h(Samples, { of }), h(Responses, props));
  };
};

/** Replaces Swagger UI's own filter, which matches tags only. */
const withSearch = {
  fn: {
    opsFilter: (tags, phrase) => {
      const words = phrase.toLowerCase().split(' ');
      const matches = (each) => {
        const { operationId, summary, description } = each.get('operation').toObject();
        const text = [each.get('method'), each.get('path'), operationId, summary, description].join(' ').toLowerCase();
        return words.every((word) => text.includes(word));
      };
      return tags
        .map((tag) => tag.set('operations', tag.get('operations').filter(matches)))
        .filter((tag) => tag.get('operations').size > 0);
    },
  },
  wrapComponents: {
    FilterContainer: (_, { React, layoutActions }) => () =>
      React.createElement('div', { className: 'filter wrapper' },
        React.createElement('input', {
          className: 'operation-filter-input', type: 'search', placeholder: 'Search operations',
          'aria-label': 'Search operations', onChange: ({ target }) => layoutActions.updateFilter(target.value),
        })),
  },
};

const refuseLiveKeys = (request) => {
  if (/ap_live_/.test(JSON.stringify(request.headers)))
    throw new Error('Use a sandbox key, which begins with ap_test_: never use a live key in a browser.');
  return request;
};

fetch('docs/samples.json').then((answer) => answer.json()).then((samples) =>
  SwaggerUIBundle({
    url: 'openapi.json',
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'list',
    filter: true,
    supportedSubmitMethods: sendsRequests ? ['get', 'post', 'patch', 'delete'] : [],
    requestInterceptor: refuseLiveKeys,
    validatorUrl: null,
    plugins: [
      withSearch,
      { wrapComponents: { responses: withSamples(samples) } },
      ...(sendsRequests ? [] : [{ wrapComponents: { authorizeBtn: () => () => null } }]),
    ],
  }),
);
`;
