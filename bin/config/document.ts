/** Generates docs/configuration.md. */
import { z } from 'zod';
import { SECTIONS } from './environment-variables.ts';
import { TEMPORAL_VARIABLES } from './temporal.ts';

const INTRODUCTION = `# Configuration

Written by \`npm run configuration\` from \`bin/config/environment-variables.ts\`; a test compares the two. API, workers and \`npm run ops\` read the same environment. A process whose configuration has a fault does not start, and lists every fault with the variable's name.

With Compose, \`deploy/.env\` holds the variables, in the form of [env.example](../deploy/env.example). The compose file passes on the variables in env.example, and sets the addresses and ports of its own containers. It leaves out \`DATABASE_DIRECT_URL\`, \`WORKER_QUEUES\`, \`WEBHOOK_ALLOW_LOOPBACK\`, \`STRIPE_API_URL\`, \`STRIPE_SCRIPT_URL\`, \`OPS_TOKEN\`, what the image sets (\`API_HOST\`, \`WORKFLOW_BUNDLE\`) and the credentials of [another Temporal](#temporal). Variables that it sets or leaves out have no effect in \`deploy/.env\`: put it under \`environment\` of \`api\` and \`worker\` in an override file of Compose.
`;

const TEMPORAL = `## Temporal

As in the [environment configuration](https://docs.temporal.io/develop/environment-configuration) that Temporal's SDKs and its command line share. Variables override a profile; an empty one counts as absent.
`;

const POOLER = `## Behind PgBouncer

In transaction mode, the service's connections are not PostgreSQL's. Set \`DATABASE_URL\` to the pooler, \`DATABASE_DIRECT_URL\` to PostgreSQL, and with releases of PgBouncer before 1.21 \`DATABASE_PREPARED_STATEMENTS=off\`. The pooler refuses the time-outs that the service sends with a connection unless it is configured to ignore them; then set them on the role:

\`\`\`
# pgbouncer.ini
pool_mode = transaction
ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout
\`\`\`

\`\`\`
alter role checkout set statement_timeout = '10s';
alter role checkout set idle_in_transaction_session_timeout = '30s';
\`\`\`

\`test/full/deploy/pgbouncer.test.ts\` runs purchases and webhooks this way, with TLS between the service and the pooler.
`;

export function configurationDocument(): string {
  const sections = Object.entries(SECTIONS).map(([title, variables]) => {
    const rows = Object.entries<z.ZodType>(variables).map(([name, form]) =>
      row(name, defaultOf(form), form.description),
    );
    return `## ${title}\n\n${table(rows)}`;
  });
  const temporal = Object.entries(TEMPORAL_VARIABLES).map(([name, [fallback, about]]) =>
    row(name, fallback, about),
  );
  return [INTRODUCTION, ...sections, `${TEMPORAL}\n${table(temporal)}`, POOLER].join('\n');
}

function row(name: string, fallback: string, about = ''): readonly string[] {
  return [`\`${name}\``, fallback, about];
}

/** The default, formatted like a variable's value. */
function defaultOf(form: z.ZodType): string {
  const { default: fallback } = z.toJSONSchema(form, { io: 'input', unrepresentable: 'any' });
  if (fallback !== undefined) return fallback === '' ? 'none' : `\`${fallback}\``;
  return form.safeParse(undefined).success ? '' : '**required**';
}

/** Pads each column to its widest cell, as the formatter does. */
export function table(
  rows: readonly (readonly string[])[],
  head = ['Variable', 'Default', 'Meaning'],
): string {
  const all = [head, ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [top, ...body] = all.map(line);
  return `${[top, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n')}\n`;
}
