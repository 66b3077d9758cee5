/** What a probe says, in sentences for people. */
import type { RailProbe } from '../rail.ts';
import type { Answer } from './call.ts';

export type Finding = RailProbe['findings'][number];
export const good = (text: string): Finding => ({ ok: true, text });
export const bad = (text: string): Finding => ({ ok: false, text });

/** Why a call was not answered, in a few words that are none of Stripe's. */
export function why(answer: Exclude<Answer<unknown>, { kind: 'answer' }>): string {
  switch (answer.kind) {
    case 'unknown':
      return answer.reason === 'account_refused' ? 'the key is wrong or may not do this' : answer.reason;
    case 'refused':
      return answer.detail;
    default:
      return answer.kind;
  }
}
