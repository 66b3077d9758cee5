/** Times each call to a rail. Wrapped inside `heedingTrouble`, so that calls it refuses are not timed. */
import { recordRailCall } from '../../observability/rail-calls.ts';
import { inSpan, SpanKind } from '../../observability/spans.ts';
import type { Rail } from '../../rail/rail.ts';
import type { RailAccount } from '../../rail/rail-account.ts';

const MEASURED = [
  'authorize',
  'chargeStored',
  'lookup',
  'cancel',
  'refund',
  'lookupRefund',
  'refundedTotal',
  'listDisputes',
] as const;

type Answer = { readonly kind: string; readonly code?: string; readonly reason?: string };

export function measured(rails: ReadonlyMap<string, Rail>): ReadonlyMap<string, Rail> {
  return new Map([...rails].map(([name, rail]) => [name, measuredRail(rail)]));
}

function measuredRail(rail: Rail): Rail {
  const calls = MEASURED.map((operation) => {
    const send = rail[operation].bind(rail) as (request: {
      readonly account: RailAccount;
    }) => Promise<Answer>;
    const timed = async (request: { readonly account: RailAccount }): Promise<Answer> => {
      const startedAt = performance.now();
      const { environment } = request.account;
      const end = (outcome: string, code: string | undefined) =>
        recordRailCall({
          rail: rail.name,
          operation,
          environment,
          outcome,
          code,
          seconds: (performance.now() - startedAt) / 1_000,
        });
      try {
        const options = { kind: SpanKind.CLIENT, attributes: { 'checkout.rail': rail.name } };
        const answer = await inSpan(`rail ${operation}`, options, async (span) => {
          const heard = await send(request);
          span?.setAttribute('checkout.outcome', heard.kind);
          return heard;
        });
        end(answer.kind, answer.code ?? answer.reason);
        return answer;
      } catch (error) {
        end('error', undefined);
        throw error;
      }
    };
    return [operation, timed];
  });
  return { ...rail, ...Object.fromEntries(calls) };
}
