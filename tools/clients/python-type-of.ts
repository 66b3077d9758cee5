/** Schemas of the API description as Python types. */
import { argumentName } from '../../contract/openapi/python-words.ts';
import { type Node, nameOf } from './described.ts';

export function pythonTypeOf(schema: Node): string {
  if (schema.$ref) return nameOf(schema);
  if ('const' in schema) return `Literal[${literal(schema.const)}]`;
  if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  const alternatives: readonly Node[] | undefined =
    schema.anyOf ?? schema.oneOf ?? (Array.isArray(schema.type) ? eachType(schema) : undefined);
  if (alternatives) return alternatives.map(pythonTypeOf).join(' | ');
  switch (schema.type) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'array':
      return `list[${pythonTypeOf(schema.items)}]`;
    case 'object':
      return `dict[str, ${pythonTypeOf(schema.additionalProperties ?? {})}]`;
    case undefined:
      return 'Any';
    default:
      throw new Error(`unsupported schema type ${schema.type}`);
  }
}

/**
 * Writes a class for an object, an alias for any other schema.
 *
 * @param isInput whether it is passed as a dictionary; otherwise its fields are attributes
 */
export function pythonDefinition(name: string, schema: Node, isInput: boolean): string {
  if (schema.type !== 'object' || !schema.properties) {
    return `${name}: TypeAlias = "${pythonTypeOf(schema).replaceAll('"', "'")}"${docstring(schema.description, '')}`;
  }
  const members = Object.entries<Node>(schema.properties).map(([field, each]) => {
    const type = pythonTypeOf(each);
    const optional = isInput ? `NotRequired[${type}]` : `${type.replace(/ \| None$/, '')} | None`;
    if (isInput && argumentName(field) !== field) throw new Error(`${name}: Python reserves ${field}`);
    return `    ${argumentName(field)}: ${schema.required?.includes(field) ? type : optional}${docstring(each.description, '    ')}`;
  });
  const body = members.length > 0 ? members.join('\n') : '    pass';
  return `class ${name}(${isInput ? 'TypedDict' : 'Object'}):${docstring(schema.description, '    ')}\n${body}`;
}

/** A docstring after the line that it describes; empty without a text. */
function docstring(text: string | undefined, indent: string): string {
  return text
    ? `\n${indent}"""${text.replaceAll('\n', ' ').replaceAll('\\', '\\\\').replaceAll('"', "'")}"""`
    : '';
}

function eachType(schema: Node): readonly Node[] {
  return schema.type.map((type: string) => ({ ...schema, type }));
}

function literal(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value);
}
