/** Fields of the API description as Python's keyword arguments and attributes. */
import {
  type ClientOperation,
  clientEvents,
  clientOperations,
  type Node,
  nameOf,
  reached,
} from './described.ts';
import { pythonTypeOf } from './python-type-of.ts';

export interface Argument {
  /** Its name in the API. */
  readonly field: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string | undefined;
}

/** Responses that are passed on whole, and so stay dictionaries. */
const DOCUMENTS: ReadonlySet<string> = new Set(['CustomerExport']);
export function isDocument(answer: Node): boolean {
  return DOCUMENTS.has(nameOf(answer));
}

/** @returns the fields of a body and its alternatives; null if it may have any field */
export function bodyArguments(schema: Node, document: Node): readonly Argument[] | null {
  const whole = schema.$ref ? document.components.schemas[nameOf(schema)] : schema;
  const alternatives: readonly Node[] | undefined = whole.anyOf ?? whole.oneOf;
  if (alternatives) return merged(alternatives.map((each) => bodyArguments(each, document) ?? []));
  if (!whole.properties) return null;
  return Object.entries<Node>(whole.properties).map(([field, each]) => ({
    field,
    type: pythonTypeOf(each),
    required: whole.required?.includes(field) ?? false,
    description: each.description,
  }));
}

function merged(alternatives: readonly (readonly Argument[])[]): readonly Argument[] {
  const byField = Map.groupBy(alternatives.flat(), ({ field }) => field);
  return [...byField].map(([field, same]) => ({
    field,
    type: [...new Set(same.map(({ type }) => type))].join(' | '),
    required: same.length === alternatives.length && same.every(({ required }) => required),
    description: same[0]?.description,
  }));
}

/** Schemas nested in request bodies, which are passed as dictionaries. */
export function nestedInputs(document: Node): ReadonlySet<string> {
  const { components } = document;
  const bodies = clientOperations(document).flatMap(({ body }) => (body ? [body.schema] : []));
  const fieldsOf = (schema: Node): readonly Node[] => {
    const whole = schema.$ref ? components.schemas[nameOf(schema)] : schema;
    return [
      ...(whole.anyOf ?? whole.oneOf ?? []).flatMap(fieldsOf),
      ...Object.values<Node>(whole.properties ?? {}),
    ];
  };
  return reached(bodies.flatMap(fieldsOf), document);
}

/** Schemas of responses and events, whose fields are attributes. */
export function answerSchemas(document: Node): ReadonlySet<string> {
  const answers = clientOperations(document).map(({ answer }: ClientOperation) => answer);
  return reached([answers, document.webhooks], document);
}

/** Writes the module that names, for the decoder, the fields that stay dictionaries and those that may be absent. */
export function pythonFields(document: Node): string {
  const answers = [...answerSchemas(document)].filter((name) => !DOCUMENTS.has(name));
  const properties = answers.flatMap((name) => {
    const { properties = {}, required = [] } = document.components.schemas[name];
    return Object.entries<Node>(properties).map(([field, schema]) => ({
      field,
      isMap: isMap(schema),
      isOptional: !required.includes(field),
    }));
  });
  const maps = new Set(properties.filter(({ isMap }) => isMap).map(({ field }) => field));
  const objects = properties.filter(({ field, isMap }) => maps.has(field) && !isMap);
  if (objects.length > 0) throw new Error(`${objects[0]?.field} is a dictionary here and an object there`);
  const optional = new Set(properties.filter(({ isOptional }) => isOptional).map(({ field }) => field));
  const setOf = (names: ReadonlySet<string>) =>
    `frozenset({${[...names]
      .sort()
      .map((each) => `"${each}"`)
      .join(', ')}})`;
  return `"""Fields of responses and events that the decoder treats specially."""

# Generated from docs/openapi.json by \`npm run openapi\`: do not edit.

MAPS = ${setOf(maps)}
"""Dictionaries with arbitrary keys."""

OPTIONAL = ${setOf(optional)}
"""Absent in some objects."""
`;
}

function isMap(schema: Node): boolean {
  const alternatives: readonly Node[] = schema.anyOf ?? [schema];
  return alternatives.some(({ type, properties }) => type === 'object' && !properties);
}

/** Names of the events' schemas. */
export const eventNames = (document: Node) => clientEvents(document).map(([, name]) => name);
