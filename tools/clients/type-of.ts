/** Schemas of the API description as TypeScript types. */
import { type Node, nameOf } from './described.ts';

/**
 * @param indent of the line on which the type begins
 * @param refer writes a reference to a schema defined elsewhere
 */
export function typeOf(schema: Node, indent: string, refer = nameOf): string {
  if (schema.$ref) return refer(schema);
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.map((each: Node) => typeOf(each, indent, refer)).join(' | ');
  if (Array.isArray(schema.type)) {
    return schema.type.map((type: string) => typeOf({ ...schema, type }, indent, refer)).join(' | ');
  }
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `readonly ${inBrackets(typeOf(schema.items, indent, refer))}[]`;
    case 'object':
      return objectOf(schema, indent, refer);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`unsupported schema type ${schema.type}`);
  }
}

function objectOf(schema: Node, indent: string, refer: typeof nameOf): string {
  if (!schema.properties)
    return `Record<string, ${typeOf(schema.additionalProperties ?? {}, indent, refer)}>`;
  const inner = `${indent}  `;
  const members = Object.entries<Node>(schema.properties).map(([name, each]) => {
    const isOptional = !schema.required?.includes(name);
    const type = typeOf(each, inner, refer);
    return `${comment(each.description, inner)}${inner}readonly ${name}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''};`;
  });
  const open = schema.additionalProperties ? [`${inner}readonly [name: string]: unknown;`] : [];
  return `{\n${[...members, ...open].join('\n')}\n${indent}}`;
}

function inBrackets(type: string): string {
  return /^\w+$/.test(type) ? type : `(${type})`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

/** A comment above the described item, which keeps the text's paragraphs; empty without a text. */
export function comment(text: string | undefined, indent: string): string {
  const safe = text?.replaceAll('*/', '');
  if (!safe) return '';
  if (!safe.includes('\n\n')) return `${indent}/** ${safe.replaceAll('\n', ' ')} */\n`;
  const lines = wrapped(safe).map((line) => `${indent} * ${line}`.trimEnd());
  return `${indent}/**\n${lines.join('\n')}\n${indent} */\n`;
}

const WIDTH = 100;

export function wrapped(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const lines = [''];
    for (const word of line.split(' ')) {
      const last = lines.at(-1) ?? '';
      if (last && last.length + word.length >= WIDTH) lines.push(word);
      else lines[lines.length - 1] = last ? `${last} ${word}` : word;
    }
    return lines;
  });
}
