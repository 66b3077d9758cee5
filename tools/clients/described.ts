/** Contents of generated clients: the operations and schemas of the API description that a merchant's code calls. */
// biome-ignore lint/suspicious/noExplicitAny: nodes of a JSON document.
export type Node = any;

export interface ClientOperation {
  readonly id: string;
  /** The names of the groups, outermost first, then that of the method. */
  readonly name: readonly string[];
  readonly method: string;
  readonly path: string;
  /** Names of the path's parameters, in order. */
  readonly names: readonly string[];
  readonly body: { readonly schema: Node; readonly required: boolean } | null;
  readonly query: readonly { readonly name: string; readonly schema: Node; readonly required: boolean }[];
  readonly key: 'required' | 'optional' | null;
  /** Null for text that is not JSON. */
  readonly answer: Node | null;
  /** The summary, then a blank line and the rest of the description. */
  readonly explanation: string;
}

export function clientOperations(document: Node): readonly ClientOperation[] {
  const all = Object.entries<Node>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Node>(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return all
    .filter(({ operation }) => operation['x-client-method'])
    .map(({ path, method, operation }) => {
      const parameters: readonly Node[] = operation.parameters ?? [];
      const key = parameters.find(({ name }) => name === 'Idempotency-Key');
      const [answer] = Object.entries<Node>(operation.responses).find(([status]) => status < '300') ?? [];
      return {
        id: operation.operationId,
        name: operation['x-client-method'].split('.'),
        method: method.toUpperCase(),
        path,
        names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
        body: operation.requestBody
          ? {
              schema: operation.requestBody.content['application/json'].schema,
              required: operation.requestBody.required === true,
            }
          : null,
        query: parameters
          .filter((parameter) => parameter.in === 'query')
          .map(({ name, schema, required }) => ({ name, schema, required: required === true })),
        key: key ? (key.required ? 'required' : 'optional') : null,
        answer: operation.responses[answer ?? '']?.content?.['application/json']?.schema ?? null,
        explanation: [`${operation.summary}.`, operation.description ?? []].flat().join('\n\n'),
      };
    });
}

/** The operations of a client or of one of its groups, and the groups inside it. */
export interface Group {
  /** Empty for the client itself. */
  readonly path: readonly string[];
  readonly operations: readonly ClientOperation[];
  readonly groups: readonly Group[];
}

export function grouped(operations: readonly ClientOperation[], path: readonly string[] = []): Group {
  const deeper = operations.filter(({ name }) => name.length > path.length + 1);
  const byName = Map.groupBy(deeper, ({ name }) => name[path.length] ?? '');
  return {
    path,
    operations: operations.filter(({ name }) => name.length === path.length + 1),
    groups: [...byName].map(([name, below]) => grouped(below, [...path, name])),
  };
}

/** The groups below, innermost first, so that each is defined before it is used. */
export function everyGroup({ groups }: Group): readonly Group[] {
  return groups.flatMap((group) => [...everyGroup(group), group]);
}

/** The schemas of these operations and events, and the schemas that they reference, by name. */
export function clientSchemas(document: Node): readonly (readonly [string, Node])[] {
  const operations = clientOperations(document).map(({ body, query, answer }) => [body, query, answer]);
  const found = reached([operations, document.webhooks], document);
  return [...found].sort().map((name) => [name, document.components.schemas[name]] as const);
}

/** Names of the schemas that these nodes reference, directly or through others. */
export function reached(nodes: Node, document: Node): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: Node): void => {
    if (!node || typeof node !== 'object') return;
    const name =
      typeof node.$ref === 'string' ? /^#\/components\/schemas\/(\w+)$/.exec(node.$ref)?.[1] : null;
    if (name && !found.has(name)) {
      found.add(name);
      visit(document.components.schemas[name]);
    }
    for (const each of Object.values(node)) visit(each);
  };
  visit(nodes);
  return found;
}

/** The names of the events' schemas by type. */
export function clientEvents(document: Node): readonly (readonly [string, string])[] {
  return Object.entries<Node>(document.webhooks).map(
    ([type, { post }]) => [type, nameOf(post.requestBody.content['application/json'].schema)] as const,
  );
}

export function errorCodes(document: Node): readonly string[] {
  const codes = new Set<string>();
  const visit = (node: Node): void => {
    if (!node || typeof node !== 'object') return;
    for (const code of node['x-error-codes'] ?? []) codes.add(code);
    for (const each of Object.values(node)) visit(each);
  };
  visit(document);
  return [...codes].sort();
}

export function nameOf(schema: Node): string {
  return String(schema.$ref).split('/').at(-1) ?? '';
}
