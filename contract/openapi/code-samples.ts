/** Each operation of the API description as a call with curl, the JavaScript client and the Python client. */
import type { ApiDescription } from './document.ts';
import { argumentName } from './python-words.ts';

export interface CodeSamples {
  readonly curl: string;
  readonly JavaScript: string;
  readonly Python: string;
}

// biome-ignore lint/suspicious/noExplicitAny: nodes of a JSON document.
type Node = any;

interface Sample {
  readonly method: string;
  /** The path, with example values for its parameters. */
  readonly path: string;
  /** The path parameters' example values. */
  readonly ids: readonly string[];
  /** The required query parameters. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The clients' method; undefined for routes that only browsers or processors call. */
  readonly call: readonly string[] | undefined;
}

/** @returns the samples by method and path: `get /v1/refunds/{id}` */
export function codeSamples(description: ApiDescription): Readonly<Record<string, CodeSamples>> {
  const { paths, components } = JSON.parse(JSON.stringify(description));
  const operations = Object.entries<Node>(paths).flatMap(([path, methods]) =>
    Object.entries<Node>(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return Object.fromEntries(
    operations.map(({ path, method, operation }) => {
      const sample = sampleOf(path, method.toUpperCase(), operation, components);
      return [
        `${method} ${path}`,
        { curl: inCurl(sample), JavaScript: inJavascript(sample), Python: inPython(sample) },
      ];
    }),
  );
}

function sampleOf(path: string, method: string, operation: Node, components: Node): Sample {
  const parameters: readonly Node[] = (operation.parameters ?? []).map((each: Node) =>
    each.$ref ? components.parameters[each.$ref.split('/').at(-1)] : each,
  );
  const exampleOf = ({ example, schema, name }: Node) =>
    example ?? schema?.example ?? schema?.enum?.[0] ?? name;
  const needed = (place: string) =>
    parameters.filter((each) => each.in === place && (each.required || place === 'path'));
  const ids = needed('path').map((each) => String(exampleOf(each)));
  const [content] = Object.values<Node>(operation.requestBody?.content ?? {});
  return {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(String(exampleOf(parameters.find((each) => each.name === name)))),
    ),
    ids,
    query: Object.fromEntries(needed('query').map((each) => [each.name, exampleOf(each)])),
    headers: {
      ...(operation.security?.length > 0 && { Authorization: 'Bearer $HOSTED_CHECKOUT_API_KEY' }),
      ...Object.fromEntries(needed('header').map((each) => [each.name, String(exampleOf(each))])),
      ...(content && { 'Content-Type': 'application/json' }),
    },
    body: content && (content.example ?? {}),
    call: operation['x-client-method']?.split('.'),
  };
}

function target({ path, query }: Sample): string {
  const given = new URLSearchParams(
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
  );
  return given.size > 0 ? `${path}?${given}` : path;
}

function inCurl(sample: Sample): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = [
    `curl${sample.method === 'GET' ? '' : ` -X ${sample.method}`} "$HOSTED_CHECKOUT_URL${target(sample)}"`,
    // Double quotes, so that the shell expands the key.
    ...Object.entries(sample.headers).map(([name, value]) => `-H "${name}: ${value}"`),
    ...(sample.body ? [`-d ${quoted(JSON.stringify(sample.body))}`] : []),
  ];
  return lines.join(' \\\n  ');
}

function inJavascript({ call, ids, query, body, ...rest }: Sample): string {
  if (!call) {
    const options = [
      `method: '${rest.method}'`,
      ...(Object.keys(rest.headers).length > 0 ? [`headers: ${inScript(rest.headers)}`] : []),
      ...(body ? [`body: JSON.stringify(${inScript(body)})`] : []),
    ];
    const address = target({ call, ids, query, body, ...rest });
    return `const response = await fetch(\`\${process.env.HOSTED_CHECKOUT_URL}${address}\`, {\n  ${options.join(',\n  ')},\n});`;
  }
  const given = [
    ...ids.map((id) => `'${id}'`),
    ...(body && Object.keys(body).length > 0 ? [inScript(body)] : []),
    ...(Object.keys(query).length > 0 ? [inScript(query)] : []),
  ];
  return `import { HostedCheckout } from 'hosted-checkout';

const client = new HostedCheckout(process.env.HOSTED_CHECKOUT_API_KEY ?? '');
const answer = await client.${call.join('.')}(${given.join(', ')});`;
}

function inPython({ call, ids, query, body, ...rest }: Sample): string {
  if (!call) {
    const given = [
      `"${rest.method}"`,
      `os.environ["HOSTED_CHECKOUT_URL"] + "${target({ call, ids, query, body, ...rest })}"`,
      ...(Object.keys(rest.headers).length > 0 ? [`headers=${pythonValue(rest.headers, '    ')}`] : []),
      ...(body ? [`json=${pythonValue(body, '    ')}`] : []),
    ];
    return `import os\nimport httpx\n\nresponse = httpx.request(\n    ${given.join(',\n    ')},\n)`;
  }
  const isAny = call[0] === 'invoiceSettings';
  const fields = isAny ? {} : { ...body, ...query };
  const given = [
    ...ids.map((id) => `"${id}"`),
    ...(isAny && body ? [pythonValue(body, '    ')] : []),
    ...Object.entries(fields).map(([name, value]) => `${argumentName(name)}=${pythonValue(value, '    ')}`),
  ];
  const method = call
    .map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    .join('.');
  const inside = given.length > 0 ? `\n    ${given.join(',\n    ')},\n` : '';
  return `import os
from hosted_checkout import HostedCheckout

client = HostedCheckout(os.environ["HOSTED_CHECKOUT_API_KEY"])
answer = client.${method}(${inside})`;
}

/** Formats JSON as a JavaScript literal, which quotes names only where necessary. */
function inScript(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:');
}

function pythonValue(value: unknown, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const parts = Array.isArray(value)
    ? value.map((each) => pythonValue(each, inner))
    : Object.entries(value as object).map(
        ([name, each]) => `${JSON.stringify(name)}: ${pythonValue(each, inner)}`,
      );
  return parts.length > 0
    ? `${open}\n${inner}${parts.join(`,\n${inner}`)},\n${indent}${close}`
    : `${open}${close}`;
}
