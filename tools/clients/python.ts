/** Writes the types and methods of packages/python from the API description. */
import {
  type ClientOperation,
  clientEvents,
  clientOperations,
  clientSchemas,
  errorCodes,
  type Node,
} from './described.ts';
import { pythonDefinition, pythonTypeOf } from './python-type-of.ts';
import { wrapped } from './type-of.ts';

const HEADER = '# Generated from docs/openapi.json by `npm run openapi`: do not edit.';

export function pythonSchemas(document: Node): string {
  const definitions = clientSchemas(document).map(([name, schema]) => pythonDefinition(name, schema));
  const queries = clientOperations(document)
    .filter(({ query }) => query.length > 0)
    .map(queryDefinition);
  const events = clientEvents(document).map(([, name]) => name);
  const codes = errorCodes(document).map((code) => `    "${code}",`);
  return `${[
    `"""The objects of the API as they are sent and received."""\n\n${HEADER}`,
    'from __future__ import annotations',
    'import sys\nfrom typing import Any, Literal, TypeAlias, TypedDict',
    'if sys.version_info >= (3, 11):\n    from typing import NotRequired\nelse:\n    from typing_extensions import NotRequired',
    ...definitions,
    ...queries,
    `WebhookEvent: TypeAlias = "${events.join(' | ')}"\n"""Every event, told apart by \`type\`. Ignore types that you do not know: new ones may be added."""`,
    `ErrorCode: TypeAlias = Literal[\n${codes.join('\n')}\n]\n"""The error codes of this version; new ones may be added."""`,
  ].join('\n\n')}\n`;
}

/** The same methods twice: blocking, and as coroutines. */
export function pythonClient(document: Node): string {
  const operations = clientOperations(document);
  const methods = (prefix: '' | 'async ') => operations.map((each) => method(each, prefix)).join('\n\n');
  const blocking = methods('');
  const names = clientSchemas(document).map(([name]) => name);
  const queries = operations.filter(({ query }) => query.length > 0).map(queryName);
  const used = [...names, ...queries].filter((name) => new RegExp(`\\b${name}\\b`).test(blocking));
  return `${[
    `"""A method for each operation of the API, with its name."""\n\n${HEADER}`,
    'from __future__ import annotations',
    'from typing import cast',
    `from ._caller import AsyncCaller, Caller, path_part\nfrom .schemas import (\n${used
      .sort()
      .map((name) => `    ${name},`)
      .join('\n')}\n)`,
    `class HostedCheckout(Caller):\n    """The API of an installation. Safe to share between threads."""\n\n${blocking}`,
    `class AsyncHostedCheckout(AsyncCaller):\n    """The API of an installation, for asyncio and trio."""\n\n${methods('async ')}`,
  ].join('\n\n')}\n`;
}

function method(operation: ClientOperation, prefix: '' | 'async '): string {
  const { id, method: verb, path, names, body, query, key, answer, explanation } = operation;
  const parameters = [
    'self',
    ...names.map((name) => `${snake(name)}: str`),
    ...(body ? [bodyParameter(body)] : []),
    ...(query.length > 0 ? [queryParameter(operation)] : []),
    '*',
    ...(key ? ['idempotency_key: str | None = None'] : []),
    'timeout: float | None = None',
    'max_attempts: int | None = None',
  ];
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{path_part(${snake(name)})}`);
  const how = [
    `"${verb}"`,
    `${names.length > 0 ? 'f' : ''}"${url}"`,
    ...(body ? [body.required ? 'body=body' : 'body=body or {}'] : []),
    ...(query.length > 0 ? ['query=query'] : []),
    ...(key ? ['keyed=True', 'idempotency_key=idempotency_key'] : []),
    ...(answer ? [] : ['text=True']),
    'timeout=timeout',
    'max_attempts=max_attempts',
  ];
  const result = answer ? pythonTypeOf(answer) : 'str';
  const call = `${prefix ? 'await ' : ''}self._call(\n            ${how.join(',\n            ')},\n        )`;
  return `    ${prefix}def ${snake(id)}(\n        ${parameters.join(',\n        ')},\n    ) -> ${result}:
        ${docstring(explanation)}
        return cast("${result}", ${call})`;
}

function docstring(text: string): string {
  const [first = '', ...more] = wrapped(text.replaceAll('\\', '\\\\'));
  const lines = more.map((line) => (line ? `        ${line}` : ''));
  return `"""${[first, ...lines].join('\n')}${more.length > 0 ? '\n        ' : ''}"""`;
}

function bodyParameter({ schema, required }: NonNullable<ClientOperation['body']>): string {
  return `body: ${pythonTypeOf(schema)}${required ? '' : ' | None = None'}`;
}

function queryParameter(operation: ClientOperation): string {
  const isNeeded = operation.query.some(({ required }) => required);
  return `query: ${queryName(operation)}${isNeeded ? '' : ' | None = None'}`;
}

/** The functional form of TypedDict, because `from` is a Python keyword. */
function queryDefinition(operation: ClientOperation): string {
  const fields = operation.query.map(
    ({ name, schema }) => `    "${name}": "${pythonTypeOf(schema).replaceAll('"', "'")} | None",`,
  );
  return `${queryName(operation)} = TypedDict("${queryName(operation)}", {\n${fields.join('\n')}\n}, total=False)`;
}

function queryName({ id }: ClientOperation): string {
  return `${id[0]?.toUpperCase()}${id.slice(1)}Query`;
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
