/**
 * The method of the client libraries for an operation: `subscriptions.cancel` for a shop's key,
 * `merchants.products.create` for a person at a merchant, `operations.incidents.list` for an operator.
 */

/** Nouns that an operation's id repeats although its group names them. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  merchants: ['Merchant'],
  operations: ['Operator', 'Operation'],
};

/** Returns the paths that name a group: an operation lists, creates, searches or echoes there. */
export function collectionsOf(
  operations: readonly { readonly path: string; readonly operationId: string }[],
): ReadonlySet<string> {
  const isOfGroup = ({ operationId }: { readonly operationId: string }) =>
    /^(list|create|search|echo)/.test(operationId);
  return new Set(operations.filter(isOfGroup).map(({ path }) => path));
}

/** @param path with its parameters in braces, as in the description */
export function clientMethod(path: string, operationId: string, collections: ReadonlySet<string>): string {
  const groups = groupsOf(path, collections);
  const nouns = groups.flatMap((group) => {
    const noun = upperFirst(camel(group));
    return [noun, noun.replace(/s$/, ''), ...(SCOPES[group] ?? [])];
  });
  const verb = nouns.reduce(without, upperFirst(operationId));
  return [...groups.map(camel), lowerFirst(verb)].join('.');
}

/** Returns `merchants` or `operations` if the path is below it, then the next segment if that names a group. */
function groupsOf(path: string, collections: ReadonlySet<string>): readonly string[] {
  const [, scope = '', below = path] =
    /^\/v1\/(merchants\/\{merchantId\}|operations)\/(.+)$/.exec(path) ?? [];
  const outer = scope ? [scope.replace('/{merchantId}', '')] : [];
  const rest = below.replace(/^\/(v1\/)?/, '').split('/');
  const [noun = '', next] = rest;
  const isGroup = next !== undefined || collections.has(path);
  return isGroup ? [...outer, noun] : outer;
}

function without(verb: string, noun: string): string {
  return verb.replace(new RegExp(`${noun}(?![a-z])`), '') || verb;
}

function camel(segment: string): string {
  return segment.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
