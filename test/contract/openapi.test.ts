/** The API description is complete and consistent, and docs/openapi.json is up to date. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ERRORS, type ErrorCode } from '../../contract/core/errors.ts';
import { EVENT_KINDS, eventSchemaOf } from '../../contract/webhook/event-catalogue.ts';
import { exampleEvent } from '../../contract/webhook/event-examples.ts';
import { eventType, TEST_EVENT_TYPE } from '../../contract/webhook/events.ts';
import { REFUSALS } from '../../db/subscription/core/subscription-operations.ts';
import {
  OPERATION_FACTS,
  refusalIn,
  SUBSCRIPTION_OPERATIONS,
  type SubscriptionOperationName,
} from '../../domain/subscription/operations.ts';
import { SUBSCRIPTION_STATUSES } from '../../domain/subscription/subscription.ts';
import { generatedFiles } from '../../tools/clients/generated-files.ts';
import { description, problemsWith, routes } from '../support/api/api-description.ts';

interface Found {
  readonly path: readonly (string | number)[];
  // biome-ignore lint/suspicious/noExplicitAny: a node of the document.
  readonly node: any;
}

const operations: Found[] = Object.entries<object>(description.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, node]) => ({ path: ['paths', template, method], node })),
);
const responses: Found[] = operations.flatMap(({ path, node }) =>
  Object.entries(node.responses).map(([status, response]) =>
    resolved([...path, 'responses', status], response),
  ),
);
const bodies: Found[] = [...operations, ...responses].flatMap(({ path, node }) =>
  Object.entries<object>(node.requestBody?.content ?? node.content ?? {}).map(([type, media]) => ({
    path: [...path, ...(node.requestBody ? ['requestBody'] : []), 'content', type],
    node: media,
  })),
);

// biome-ignore lint/suspicious/noExplicitAny: a node of the document.
function resolved(path: readonly (string | number)[], node: any): Found {
  if (!node.$ref) return { path, node };
  const parts = String(node.$ref).slice(2).split('/');
  return { path: parts, node: parts.reduce((at, part) => at[part], description) };
}

test.each(generatedFiles(description))('%s matches the routes (run npm run openapi)', (file, generated) => {
  const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
  if (file.endsWith('.json')) expect(JSON.parse(text)).toEqual(description);
  else expect(text).toBe(generated);
});

test('every route is described, except those of the hosted page and the reference', () => {
  expect(operations.length).toBe(routes.length);
  expect(operations.length).toBeGreaterThan(60);
});

const OPERATION_IDS: Readonly<Record<SubscriptionOperationName, readonly string[]>> = {
  cancel: ['cancelSubscription', 'previewCancel', 'previewSubscriptionChange'],
  undoCancel: ['undoSubscriptionCancel', 'previewSubscriptionChange'],
  pause: ['pauseSubscription', 'previewSubscriptionChange'],
  resume: ['resumeSubscription', 'previewSubscriptionChange'],
  moveTrial: ['moveSubscriptionTrial'],
  scheduleChange: ['changePlan', 'changeOffering', 'changeQuantity', 'previewPlanChange', 'previewQuantity'],
  changeNow: ['changePlan', 'changeOffering', 'changeQuantity', 'previewPlanChange', 'previewQuantity'],
  cancelChange: ['cancelSubscriptionChange'],
  payInvoice: ['payInvoice'],
  linkInvoice: ['createPaymentLink', 'linkInvoice'],
  changeMethod: ['changePaymentMethod', 'linkMethodChange'],
  advanceClock: ['advanceSubscriptionClock'],
};

test.each(SUBSCRIPTION_OPERATIONS)(
  'the description of %s lists every code with which a subscription’s state refuses it',
  (name) => {
    const states = [...SUBSCRIPTION_STATUSES, ...OPERATION_FACTS];
    const codes = states.flatMap((state) => refusalIn(name, state) ?? []);
    const ids = [...OPERATION_IDS[name], ...(name === 'linkInvoice' ? [] : ['commandSubscription'])];
    const missing = ids.flatMap((id) => {
      const described = routes.find(({ describe }) => describe.operationId === id)?.describe.errors ?? [];
      return codes.filter((code) => !described.includes(code)).map((code) => `${id} ${code}`);
    });
    expect(missing).toEqual([]);
  },
);

test('the description of a person’s command lists every code of a refused operation', () => {
  const described = routes.find(({ describe }) => describe.operationId === 'commandSubscription')?.describe;
  const codes = REFUSALS.filter((reason) => reason in ERRORS);
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.filter((code) => !described?.errors?.includes(code as ErrorCode))).toEqual([]);
});

test('the description of every operation ends with a full stop', () => {
  const cut = operations.filter(({ node }) => node.description && !node.description.endsWith('.'));
  expect(cut.map(({ node }) => node.operationId)).toEqual([]);
});

test('no operation has a `default` response, and every response with a body has a schema', () => {
  expect(operations.filter(({ node }) => 'default' in node.responses)).toEqual([]);
  expect(responses.filter(({ path, node }) => !node.content && path.at(-1) !== '204')).toEqual([]);
  expect(bodies.filter(({ node }) => !node.schema)).toEqual([]);
});

test('only fields that may contain any JSON are untyped', () => {
  const untyped: string[] = [];
  const visit = (schema: unknown, at: string): void => {
    const node = schema as Record<string, unknown>;
    const alternatives = [node.anyOf, node.oneOf, node.allOf].flat().filter(Boolean);
    const typed = ['type', '$ref', 'const', 'enum'].some((key) => key in node) || alternatives.length > 0;
    if (!typed) untyped.push(at);
    for (const each of alternatives) visit(each, at);
    for (const [name, each] of Object.entries(node.properties ?? {})) visit(each, `${at}/${name}`);
    if (node.items) visit(node.items, `${at}/items`);
  };
  for (const [name, schema] of Object.entries(description.components.schemas)) visit(schema, name);
  for (const { path, node } of bodies) visit(node.schema, path.join(' '));
  for (const { path, node } of operations) {
    for (const parameter of node.parameters ?? []) {
      if (!parameter.$ref) visit(parameter.schema, `${path.join(' ')} ${parameter.name}`);
    }
  }
  const states = (of: string) => [`${of}/before`, `${of}/after`];
  expect(untyped).toEqual([...states('AuditEntry'), ...states('OperatorAuditEntry')]);
});

test('no field has null as its only type, which OpenAPI Generator cannot express in Python', () => {
  const fields = Object.entries<{ properties?: Record<string, { type?: unknown }> }>(
    description.components.schemas,
  ).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).map(([field, { type }]) => ({ at: `${name}/${field}`, type })),
  );
  expect(fields.length).toBeGreaterThan(1_000);
  expect(fields.filter(({ type }) => type === 'null')).toEqual([]);
});

/** The component schemas of irreversible requests, which reject unknown fields. */
function schemasOfClosedRequests(): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    const named = /^#\/components\/schemas\/(.*)$/.exec(String((node as { $ref?: unknown })?.$ref))?.[1];
    if (named && !found.has(named)) visit(description.components.schemas[found.add(named) && named]);
    if (node && typeof node === 'object') Object.values(node).forEach(visit);
  };
  for (const { node } of operations) {
    if (node.responses[400]?.['x-error-codes']?.includes('unknown_field')) visit(node.requestBody);
  }
  return found;
}

test('every object has a descriptive name, and allows new fields unless the request rejects them', () => {
  const inline: string[] = [];
  const closed: string[] = [];
  const closable = schemasOfClosedRequests();
  expect(closable.size).toBeGreaterThan(0);
  const visit = (node: unknown, path: readonly string[]): void => {
    if (!node || typeof node !== 'object') return;
    const { type, properties, additionalProperties } = node as Record<string, unknown>;
    const named = path.length === 3 && path[1] === 'schemas';
    if (type === 'object' && properties && !named) inline.push(path.join(' '));
    if (additionalProperties === false && !(named && closable.has(path[2] ?? '')))
      closed.push(path.join(' '));
    for (const [key, each] of Object.entries(node)) {
      if (!['example', 'examples', 'headers', 'parameters'].includes(key)) visit(each, [...path, key]);
    }
  };
  visit(description, []);
  expect({ inline, closed }).toEqual({ inline: [], closed: [] });
  const names = Object.keys(description.components.schemas);
  expect(names.filter((name) => !/^[A-Z][A-Za-z]+$/.test(name) || /(Input|Output)$/.test(name))).toEqual([]);
  // Generated Go code already has a constructor with that name for each type.
  expect(names.filter((name) => name.startsWith('New'))).toEqual([]);
});

test('every error response is an Error that lists its codes, each with that status', () => {
  const refusals = responses.filter(
    ({ path }) => /^[45]/.test(String(path.at(-1))) && path.includes('responses'),
  );
  const others = refusals.filter(({ node }) => !node['x-error-codes']).map(({ path }) => path.join(' '));
  expect(others).toEqual(['paths /healthz get responses 503']);
  for (const { node } of refusals.filter((refusal) => refusal.node['x-error-codes'])) {
    expect(node.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' });
  }
  expect(refusals.length).toBeGreaterThan(200);
  for (const { path, node } of refusals) {
    const codes: (keyof typeof ERRORS)[] = node['x-error-codes'] ?? [];
    if (others.includes(path.join(' '))) continue;
    expect({ path, codes: codes?.length ?? 0 }).toEqual({ path, codes: new Set(codes).size });
    expect(codes.length).toBeGreaterThan(0);
    const status = Number(path.at(-1));
    if (Number.isNaN(status)) continue;
    const elsewhere = codes.filter((code) => ERRORS[code].status !== status && code !== 'checkout_failed');
    expect({ path, elsewhere }).toEqual({ path, elsewhere: [] });
  }
});

test('every error code except method_not_allowed is listed by an operation', () => {
  const named = new Set(JSON.stringify(description.paths).match(/[a-zA-Z0-9_]+/g));
  const inComponents = new Set(JSON.stringify(description.components.responses).match(/[a-zA-Z0-9_]+/g));
  const nowhere = Object.keys(ERRORS).filter((code) => !named.has(code) && !inComponents.has(code));
  expect(nowhere).toEqual(['method_not_allowed']);
});

test('every example is valid', () => {
  const examples = bodies.filter(({ node }) => 'example' in node);
  expect(examples.length).toBeGreaterThan(80);
  const wrong = examples.flatMap(({ path, node }) =>
    problemsWith(node.example, [...path, 'schema']).map((problem) => `${path.join(' ')}: ${problem}`),
  );
  expect(wrong).toEqual([]);
});

test('every JSON body and response has an example', () => {
  expect(
    bodies.filter(({ path, node }) => path.at(-1) === 'application/json' && !node.example && !node.examples),
  ).toEqual([]);
});

test('every parameter has an example, and it is valid', () => {
  const parameters = operations.flatMap(({ path, node }) =>
    (node.parameters ?? []).map((parameter: object, nth: number) =>
      resolved([...path, 'parameters', nth], parameter),
    ),
  );
  expect(parameters.length).toBeGreaterThan(300);
  const wrong = parameters.flatMap(({ path, node: { schema } }) => {
    if (schema.example === undefined) return [`${path.join(' ')}: no example`];
    return problemsWith(schema.example, [...path, 'schema']).map(
      (problem) => `${path.join(' ')}: ${problem}`,
    );
  });
  expect(wrong).toEqual([]);
});

test('every link leads to an existing operation, with existing parameters', () => {
  const byId = new Map(operations.map(({ node }) => [node.operationId, node]));
  const links = responses.flatMap(({ node }) => Object.values<Record<string, never>>(node.links ?? {}));
  expect(links.length).toBeGreaterThan(5);
  for (const { operationId, parameters = {} } of links) {
    const names = (byId.get(operationId)?.parameters ?? []).map(({ name }: { name: string }) => name);
    expect({ operationId, unknown: Object.keys(parameters).filter((name) => !names.includes(name)) }).toEqual(
      {
        operationId,
        unknown: [],
      },
    );
  }
});

test('every event type is described, with a valid example', () => {
  expect(Object.keys(EVENT_KINDS).sort()).toEqual([...eventType.options, TEST_EVENT_TYPE].sort());
  expect(Object.keys(description.webhooks)).toEqual(Object.keys(EVENT_KINDS));
  for (const type of Object.keys(EVENT_KINDS) as (keyof typeof EVENT_KINDS)[]) {
    expect(eventSchemaOf(type).strict().safeParse(exampleEvent(type)).error?.issues ?? []).toEqual([]);
  }
});
