/**
 * Validates the double's responses against Stripe's published description. It walks the response rather than
 * the schemas, because nearly all of them reference each other; an undescribed field is also an error.
 */
export interface Description {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content: { readonly 'application/json': { readonly schema: Schema } } }>
  >;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

/** @returns the violations with their paths; empty if valid */
export function complaintsAboutAnswer(
  description: Description,
  call: { readonly method: string; readonly path: string; readonly status: number; readonly body: unknown },
): readonly string[] {
  const template = templateOf(description, call.path);
  const operation = template && description.paths[template]?.[call.method.toLowerCase()];
  if (!operation) return [`${call.method} ${call.path} is not described`];
  const response = operation.responses[`${call.status}`] ?? operation.responses.default;
  if (!response) return [`${call.method} ${template} has no answer ${call.status}`];
  return check(
    description,
    response.content['application/json'].schema,
    call.body,
    `${call.method} ${template}`,
  );
}

function templateOf({ paths }: Description, path: string): string | undefined {
  if (paths[path]) return path;
  const parts = path.split('/');
  return Object.keys(paths).find((template) => {
    const wanted = template.split('/');
    return (
      wanted.length === parts.length &&
      wanted.every((part, index) => part.startsWith('{') || part === parts[index])
    );
  });
}

function check(description: Description, schema: Schema, value: unknown, at: string): readonly string[] {
  if (schema.$ref) {
    const named = description.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    if (!named) return [`${at}: ${schema.$ref} is not described`];
    return check(description, schema.nullable ? { ...named, nullable: true } : named, value, at);
  }
  if (value === null && schema.nullable) return [];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const complaints = choices.map((choice) => check(description, choice, value, at));
    return complaints.some(({ length }) => length === 0) ? [] : shortest(complaints);
  }
  if (schema.enum && !schema.enum.includes(value))
    return [`${at}: ${JSON.stringify(value)} is not an allowed value`];
  switch (schema.type) {
    case 'object':
      return checkObject(description, schema, value, at);
    case 'array':
      if (!Array.isArray(value)) return [`${at}: not an array`];
      return value.flatMap((item, index) => check(description, schema.items ?? {}, item, `${at}[${index}]`));
    case 'string':
      if (typeof value !== 'string') return [`${at}: not a string`];
      if (schema.maxLength !== undefined && value.length > schema.maxLength) return [`${at}: too long`];
      return schema.pattern && !new RegExp(schema.pattern).test(value)
        ? [`${at}: does not match the pattern`]
        : [];
    case 'integer':
      return Number.isInteger(value) ? [] : [`${at}: not an integer`];
    case 'number':
      return typeof value === 'number' ? [] : [`${at}: not a number`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${at}: not a boolean`];
    default:
      return [];
  }
}

function checkObject(
  description: Description,
  schema: Schema,
  value: unknown,
  at: string,
): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at}: not an object`];
  const missing = (schema.required ?? []).filter((name) => !(name in value));
  const complaints = missing.map((name) => `${at}.${name}: missing`);
  for (const [name, part] of Object.entries(value)) {
    const described = schema.properties?.[name] ?? schema.additionalProperties;
    if (typeof described === 'object')
      complaints.push(...check(description, described, part, `${at}.${name}`));
    else if (described !== true && schema.properties) complaints.push(`${at}.${name}: not described`);
  }
  return complaints;
}

function shortest(all: readonly (readonly string[])[]): readonly string[] {
  return [...all].sort((one, other) => one.length - other.length)[0] ?? [];
}
