/** The API description as built from the routes, and schemas from it for validation. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describedRoutes } from '../../../api/described-routes.ts';
import { describeApi } from '../../../contract/openapi/document.ts';

export const routes = describedRoutes();
/** As JSON, without members that are undefined. */
// biome-ignore lint/suspicious/noExplicitAny: tests inspect answers of any shape.
export const description: any = JSON.parse(JSON.stringify(describeApi(routes)));

const DOCUMENT = 'openapi.json';
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
addFormats.default(ajv);
ajv.addSchema(closed(description), DOCUMENT);
const compiled = new Map<string, ValidateFunction>();

/** Forbids undescribed fields wherever a schema does not explicitly allow them. */
function closed(node: unknown): object {
  return JSON.parse(JSON.stringify(node), (_key, value) =>
    value?.type === 'object' && value.properties && !('additionalProperties' in value)
      ? { ...value, additionalProperties: false }
      : value,
  );
}

/** @param path of members, from the document's root to a schema */
export function problemsWith(value: unknown, path: readonly (string | number)[]): readonly string[] {
  const pointer = path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `${DOCUMENT}#${encodeURI(pointer)}` });
  compiled.set(pointer, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || 'it'} ${message} ${JSON.stringify(params)}`,
  );
}

export interface FoundOperation {
  readonly operationId: string;
  readonly template: string;
  readonly method: string;
}

const templates = Object.keys(description.paths)
  .map((template) => ({
    template,
    // A fixed part takes precedence over a parameter: `/v1/subscriptions/current` is not a subscription.
    rank: template.replaceAll(/\{\w+\}/g, '~'),
    pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .sort((a, b) => (a.rank < b.rank ? -1 : 1));

/** The operation of a request; undefined if it is not part of the API. */
export function operationOf(method: string, path: string): FoundOperation | undefined {
  const found = templates.find(({ pattern }) => pattern.test(path));
  const name = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase();
  const operation = found && description.paths[found.template][name];
  return operation && { operationId: operation.operationId, template: found.template, method: name };
}
