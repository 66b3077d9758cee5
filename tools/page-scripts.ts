/**
 * `npm run page-scripts`: builds the hosted page and prints the inventory of every script that may run on it, with its
 * reason and hash (PCI DSS 6.4.3).
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LEAVE_CHALLENGE, RELOAD_WHEN_REFUSED } from '../page/document/inline-scripts.ts';
import { ensureBuilt } from '../page/http/build.ts';
import { integrityOf } from '../page/http/integrity.ts';
import { RELOAD_FIELDS_WHEN_REFUSED, STRIPE_SCRIPT_URL } from '../rail/stripe/fields-document.ts';

interface Script {
  readonly what: string;
  readonly where: string;
  readonly why: string;
  /** Null if the provider forbids pinning the script. */
  readonly integrity: string | null;
}

process.stdout.write(documentOf(await inventory()));

async function inventory(): Promise<readonly Script[]> {
  const { directory, manifest } = await ensureBuilt();
  const hashOf = async (name: string) => integrityOf(await readFile(join(directory, name)));
  const fields = Object.entries(manifest.fieldScripts).map(async ([rail, name]) => ({
    what: `\`rail/${rail}/browser/fields.ts\``,
    where: `the document of ${rail}'s card fields`,
    why: "mounts the processor's fields and reports their state to the page; sees no card data",
    integrity: await hashOf(name),
  }));
  return [
    {
      what: '`page/browser/main.ts`',
      where: 'the hosted page',
      why: 'shows the session, sends the click on "Pay", leads through the bank\'s confirmation',
      integrity: await hashOf(manifest.script),
    },
    {
      what: '`RELOAD_WHEN_REFUSED` in `page/document/inline-scripts.ts`',
      where: 'the hosted page, inside its document',
      why: 'says that the page could not be loaded, and reloads it, when its script fails the integrity check, as in a rollout',
      integrity: integrityOf(RELOAD_WHEN_REFUSED),
    },
    {
      what: '`LEAVE_CHALLENGE` in `page/document/inline-scripts.ts`',
      where: "the end of the bank's confirmation, inside its document",
      why: "notifies the page around it that the bank's confirmation has ended",
      integrity: integrityOf(LEAVE_CHALLENGE),
    },
    ...(await Promise.all(fields)),
    {
      what: '`RELOAD_FIELDS_WHEN_REFUSED` in `rail/stripe/fields-document.ts`',
      where: "the document of stripe's card fields, inside the document",
      why: 'reloads that document when its script fails the integrity check, as in a rollout',
      integrity: integrityOf(RELOAD_FIELDS_WHEN_REFUSED),
    },
    {
      what: STRIPE_SCRIPT_URL,
      where: "the document of stripe's card fields, on a separate host",
      why: 'takes the card data, in frames of Stripe; loads its own further scripts from the same origins',
      integrity: null,
    },
  ];
}

function documentOf(scripts: readonly Script[]): string {
  const entries = scripts.map(({ what, where, why, integrity }) => {
    const hash = integrity
      ? `\`${integrity}\``
      : 'none, since Stripe serves one address and changes its content';
    return `## ${what}\n\n- Runs in ${where}.\n- Reason: ${why}.\n- Integrity: ${hash}\n`;
  });
  return `# Scripts of the hosted page

Every script that may run where buyers pay, for PCI DSS 6.4.3, as built from this commit.

**Authorised** by the review of the commit that changes a script. **Enforced** by the content security policy of each document: scripts run by a nonce that is new in each response, from no other origin in the page; Stripe's origins are allowed in the document of its fields alone. **Integrity**: files are loaded with the attribute \`integrity\`, so that a script that was altered on its way, or on a proxy, does not run. Card fields of other processors are documents of the processor's own, in a frame.

**Watched**, for 11.6.1: browsers report what a policy refuses to \`POST /pay/csp-reports\`. Reports are counted in the table \`policy_reports\`; the first of each kind on a day is the log line \`content security policy violated\` at level error.

${entries.join('\n')}`;
}
