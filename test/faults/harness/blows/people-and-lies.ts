/** Faults that no signal makes: a rail that lies, an operator at work. */
import { execFile } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_DIR } from '../../../../sandbox/stack/core/directories.ts';
import type { Random } from '../core/random.ts';
import type { Place } from '../place/place.ts';

const run = promisify(execFile);
/** What settles itself between list and command. */
const SETTLED_MEANWHILE = /There is nothing to settle/;
const LIES = ['charge.approved', 'charge.declined', 'charge.cancelled', 'refund.failed', 'charge.pending'];

/** Signed news about payments that is not true: a hint, which must have no effect but a look-up. */
export async function tellLies({ apiUrl, merchant, railWebhookSecret }: Place, random: Random) {
  const headers = { authorization: `Bearer ${merchant.apiKey}` };
  const response = await fetch(`${apiUrl}/v1/payments`, { headers, signal: AbortSignal.timeout(8_000) });
  const { data } = (await response.json()) as { data: { id: string; amount: number }[] };
  const told: string[] = [];
  for (let n = 0; n < 6 && data.length > 0; n++) {
    const [payment, type] = [random.pick(data), random.pick(LIES)];
    const body = JSON.stringify({
      id: `evt_${randomUUID()}`,
      type,
      account: merchant.railAccountId,
      createdAt: new Date().toISOString(),
      data: {
        reference: payment.id,
        charge: 'ch_lie',
        status: type.slice(type.indexOf('.') + 1),
        amount: payment.amount,
        currency: 'EUR',
      },
    });
    const timestamp = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', railWebhookSecret).update(`${timestamp}.${body}`).digest('hex');
    const { status } = await fetch(`${apiUrl}/rails/sandbox/${merchant.railAccountId}/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'rail-signature': `t=${timestamp},v1=${signature}` },
      body,
      signal: AbortSignal.timeout(8_000),
    });
    told.push(`${type} of ${payment.id}: ${status}`);
  }
  return told.join(', ') || 'nobody has paid';
}

/** Resolves what is in doubt as the rail's dashboard shows it. */
export async function resolveDoubts({ env, railUrl, merchant }: Place): Promise<string> {
  const ops = async (...args: string[]) => {
    const options = { env: { ...process.env, ...env }, cwd: PROJECT_DIR };
    const command = [join(PROJECT_DIR, 'bin/ops.ts'), ...args, '--json'];
    // Exit code 1: there are incidents, or the request is refused.
    return run(process.execPath, command, options).catch((error: { stdout?: string }) => {
      if (error.stdout) return { stdout: error.stdout };
      throw error;
    });
  };
  const incidents = JSON.parse((await ops('list')).stdout) as {
    kind: string;
    id: string;
    payment_id: string;
  }[];
  const response = await fetch(`${railUrl}/ledger?account=${merchant.railAccountId}`, {
    signal: AbortSignal.timeout(8_000),
  });
  const ledger = (await response.json()) as { reference: string }[];
  const done: string[] = [];
  for (const { kind, id, payment_id } of incidents) {
    if (kind !== 'reconciliation_required' || !/^ap_(chk|sub)_/.test(id)) continue;
    const outcome = ledger.some(({ reference }) => reference === payment_id) ? 'succeeded' : 'failed';
    const words = ['--reason', 'the rail is silent', '--evidence', 'its dashboard'];
    const settled = await ops('resolve', id, '--outcome', outcome, ...words).catch((error: Error) => {
      if (SETTLED_MEANWHILE.test(error.message)) return null;
      throw error;
    });
    done.push(settled ? `${id} as ${outcome}` : `${id}, which had settled itself`);
  }
  return done.join(', ') || 'nothing was in doubt';
}
