/** Writes the types and methods of packages/python from the API description. */
import { argumentName } from '../../contract/openapi/python-words.ts';
import {
  type ClientOperation,
  clientOperations,
  clientSchemas,
  errorCodes,
  everyGroup,
  type Group,
  grouped,
  type Node,
} from './described.ts';
import {
  type Argument,
  answerSchemas,
  bodyArguments,
  eventNames,
  isDocument,
  nestedInputs,
} from './python-fields.ts';
import { pythonDefinition, pythonTypeOf } from './python-type-of.ts';
import { wrapped } from './type-of.ts';

const HEADER = '# Generated from docs/openapi.json by `npm run openapi`: do not edit.';

export function pythonSchemas(document: Node): string {
  const answers = answerSchemas(document);
  const inputs = nestedInputs(document);
  const definitions = clientSchemas(document)
    .filter(([name]) => answers.has(name) || inputs.has(name))
    .map(([name, schema]) => pythonDefinition(name, schema, inputs.has(name) || isDocument({ $ref: name })));
  const codes = errorCodes(document).map((code) => `    "${code}",`);
  return `${[
    `"""The objects of the API as they are sent and received."""\n\n${HEADER}`,
    'from __future__ import annotations',
    'import sys\nfrom typing import Any, Literal, TypeAlias, TypedDict',
    'from ._objects import Object',
    'if sys.version_info >= (3, 11):\n    from typing import NotRequired\nelse:\n    from typing_extensions import NotRequired',
    ...definitions,
    `WebhookEvent: TypeAlias = "${eventNames(document).join(' | ')}"\n"""Every event, distinguished by \`type\`. ` +
      'Ignore types that you do not know: new ones may be added."""',
    `ErrorCode: TypeAlias = Literal[\n${codes.join('\n')}\n]\n"""The error codes of this version; new ones may be added."""`,
  ].join('\n\n')}\n`;
}

/** Each method exists twice: blocking, and as a coroutine. */
export function pythonClient(document: Node): string {
  const blocking = classes('', document);
  const names = clientSchemas(document).map(([name]) => name);
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(blocking));
  return `${[
    `"""A group for each kind of object of the API, with a method for each operation."""\n\n${HEADER}`,
    'from __future__ import annotations',
    'import builtins\nfrom typing import Any, Literal, cast',
    `from ._caller import AsyncCaller, Caller, Group, path_part\nfrom ._requests import OMIT\nfrom .schemas import (\n${used
      .sort()
      .map((name) => `    ${name},`)
      .join('\n')}\n)`,
    blocking,
    classes('async ', document),
  ].join('\n\n')}\n`;
}

type Prefix = '' | 'async ';

function classes(prefix: Prefix, document: Node): string {
  const client = grouped(clientOperations(document));
  const use = prefix ? 'For asyncio and trio' : 'Safe to share between threads';
  const head = `class ${prefix && 'Async'}HostedCheckout(${prefix && 'Async'}Caller):
    """The API of an installation. ${use}."""\n`;
  return [
    ...everyGroup(client).map(
      (group) => `class ${className(group, prefix)}(Group):\n${members(group, prefix, document)}`,
    ),
    `${head}\n${members(client, prefix, document)}`,
  ].join('\n\n');
}

function members({ groups, operations }: Group, prefix: Prefix, document: Node): string {
  return [
    ...groups.map((group) => {
      const type = className(group, prefix);
      return `    @property\n    def ${snake(group.path.at(-1) ?? '')}(self) -> ${type}:\n        return ${type}(self._call)`;
    }),
    ...operations.map((each) => method(each, prefix, document)),
  ].join('\n\n');
}

function className({ path }: Group, prefix: Prefix): string {
  const name = path.map((each) => each.charAt(0).toUpperCase() + each.slice(1)).join('');
  return `${prefix && 'Async'}${name}Group`;
}

function method(operation: ClientOperation, prefix: Prefix, document: Node): string {
  const { name, method: verb, path, names, body, query, key, answer, explanation } = operation;
  const fields = body ? bodyArguments(body.schema, document) : [];
  const inQuery = query.map(({ name: field, schema, required }) => ({
    field,
    required,
    type: pythonTypeOf(schema),
    description: schema.description,
  }));
  const positional = [
    ...names.map((each) => `${each}: str`),
    ...(fields ? [] : ['body: dict[str, Any] | None = None']),
  ];
  const parameters = [
    'self',
    ...(positional.length > 0 ? [...positional, '/'] : []),
    '*',
    ...declared(fields ?? [], '', ' = OMIT'),
    ...declared(inQuery, ' | None', ' = None'),
    ...(key ? ['idempotency_key: str | None = None'] : []),
    'timeout: float | None = None',
    'max_attempts: int | None = None',
  ];
  const url = path.replaceAll(/\{(\w+)\}/g, '{path_part($1)}');
  const how = [
    `"${verb}"`,
    `${names.length > 0 ? 'f' : ''}"${url}"`,
    ...(body ? [`body=${fields ? dictionary(fields) : 'body or {}'}`] : []),
    ...(query.length > 0 ? [`query=${dictionary(inQuery)}`] : []),
    ...(key ? ['keyed=True', 'idempotency_key=idempotency_key'] : []),
    ...(answer ? [] : ['text=True']),
    ...(answer && isDocument(answer) ? ['plain=True'] : []),
    'timeout=timeout',
    'max_attempts=max_attempts',
  ];
  const result = answer ? pythonTypeOf(answer) : 'str';
  const call = `${prefix ? 'await ' : ''}self._call(\n            ${how.join(',\n            ')},\n        )`;
  const text = [explanation, ...described([...(fields ?? []), ...inQuery])].join('\n\n');
  // In a class with a method `list`, that name means the method.
  const signature = parameters.join(',\n        ').replaceAll(/\blist\[/g, 'builtins.list[');
  return `    ${prefix}def ${snake(name.at(-1) ?? '')}(\n        ${signature},\n    ) -> ${result}:
        ${docstring(text)}
        return cast("${result}", ${call})`;
}

function declared(given: readonly Argument[], orAbsent: string, absent: string): readonly string[] {
  return given.map(
    ({ field, type, required }) =>
      `${argumentName(field)}: ${type}${required ? '' : `${type.endsWith(' | None') ? '' : orAbsent}${absent}`}`,
  );
}

function dictionary(given: readonly Argument[]): string {
  return `{${given.map(({ field }) => `"${field}": ${argumentName(field)}`).join(', ')}}`;
}

/** One paragraph, with a line for each described argument. */
function described(given: readonly Argument[]): readonly string[] {
  const lines = given.flatMap(({ field, description }) =>
    description ? [`${argumentName(field)}: ${description.replaceAll('\n', ' ')}`] : [],
  );
  return lines.length > 0 ? [lines.join('\n')] : [];
}

function docstring(text: string): string {
  const [first = '', ...more] = wrapped(text.replaceAll('\\', '\\\\'));
  const lines = more.map((line) => (line ? `        ${line}` : ''));
  return `"""${[first, ...lines].join('\n')}${more.length > 0 ? '\n        ' : ''}"""`;
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
