/** Writes the types and methods of packages/node from the API description. */
import {
  type ClientOperation,
  clientEvents,
  clientOperations,
  clientSchemas,
  errorCodes,
  everyGroup,
  type Group,
  grouped,
  type Node,
} from './described.ts';
import { comment, typeOf } from './type-of.ts';

const HEADER = '/** Generated from docs/openapi.json by `npm run openapi`: do not edit. */\n';

export function typescriptSchemas(document: Node): string {
  const schemas = clientSchemas(document).map(
    ([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')};\n`,
  );
  const events = clientEvents(document).map(([, name]) => `  | ${name}`);
  const codes = errorCodes(document).map((code) => `  | '${code}'`);
  return [
    HEADER,
    ...schemas,
    `/** Every event, distinguished by \`type\`. Ignore types that you do not know: new ones may be added. */`,
    `export type WebhookEvent =\n${events.join('\n')};\n`,
    `/** The error codes of this version; new ones may be added. */`,
    `export type ErrorCode =\n${codes.join('\n')};\n`,
  ].join('\n');
}

export function typescriptClient(document: Node): string {
  const client = grouped(clientOperations(document));
  const classes = [
    ...everyGroup(client).map((group) => classOf(group, className(group), 'Group')),
    `/** The API of an installation: a group for each kind of object, with a method for each operation. */\nexport ${classOf(client, 'HostedCheckout', 'Caller')}`,
  ].join('\n\n');
  const names = clientSchemas(document).map(([name]) => name);
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(classes));
  return [
    HEADER,
    "import { Caller, Group, type KeyedOptions, type RequestOptions } from './caller.ts';",
    `import type {\n${used.map((name) => `  ${name},`).join('\n')}\n} from './schemas.ts';\n`,
    'const part = encodeURIComponent;\n',
    `${classes}\n`,
  ].join('\n');
}

function classOf({ groups, operations }: Group, name: string, base: string): string {
  const fields = groups.map(
    (group) => `  readonly ${group.path.at(-1)} = new ${className(group)}(this.call);\n`,
  );
  return `class ${name} extends ${base} {\n${fields.join('')}${fields.length > 0 ? '\n' : ''}${operations.map(method).join('\n\n')}\n}`;
}

function className({ path }: Group): string {
  return `${path.map((name) => name.charAt(0).toUpperCase() + name.slice(1)).join('')}Group`;
}

function method({
  name,
  method: verb,
  path,
  names,
  body,
  query,
  key,
  answer,
  explanation,
}: ClientOperation): string {
  const bodyType = body && typeOf(body.schema, '  ');
  const queryType =
    query.length > 0 &&
    `{ ${query.map(({ name, schema, required }) => `${name}${required ? '' : '?'}: ${typeOf(schema, '  ')}${required ? '' : ' | undefined'}`).join('; ')} }`;
  const parameters = [
    ...names.map((name) => `${name}: string`),
    ...(bodyType ? [body.required ? `body: ${bodyType}` : `body: ${bodyType} = {}`] : []),
    ...(queryType ? [`query: ${queryType}${query.some(({ required }) => required) ? '' : ' = {}'}`] : []),
    `options?: ${key ? 'KeyedOptions' : 'RequestOptions'}`,
  ];
  const url = `\`${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${part(${name})}`)}\``;
  const how = [
    ...(bodyType ? ['body'] : []),
    ...(queryType ? ['query'] : []),
    ...(key ? ['keyed: true'] : []),
    ...(answer ? [] : ['text: true']),
    'options',
  ];
  const result = answer ? typeOf(answer, '  ') : 'string';
  return `${comment(explanation, '  ')}  ${name.at(-1)}(${parameters.join(', ')}): Promise<${result}> {
    return this.call('${verb}', ${url}, { ${how.join(', ')} });
  }`;
}
