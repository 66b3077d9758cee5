/** Applies an injected fault to a call and its response. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import type { Fault } from '../core/faults.ts';
import { Refusal } from '../core/refusal.ts';

/** @returns false if the call ends here, without effect */
export async function applyFaultBefore(fault: Fault, response: Response): Promise<boolean> {
  switch (fault.mode) {
    case 'drop-before':
      cutConnection(response);
      return false;
    case 'delay':
      await sleep(fault.delayMs);
      return true;
    case '500':
      throw new Refusal(500, 'internal_error', 'injected fault');
    case '429':
      response.set('Retry-After', '1');
      throw new Refusal(429, 'rate_limited', 'injected fault');
    case 'lock':
      throw new Refusal(409, 'lock_timeout', 'injected fault');
    default:
      return true;
  }
}

export async function sendThroughFault(
  fault: Fault | null,
  response: Response,
  body: unknown,
): Promise<void> {
  switch (fault?.mode) {
    case 'drop-after':
      return cutConnection(response);
    case 'truncate':
      return sendHalf(response, JSON.stringify(body));
    case 'garbage':
      response.type('html').send('<h1>Bad gateway</h1>');
      return;
    case 'delay-after':
      await sleep(fault.delayMs);
  }
  response.json(body);
}

export function cutConnection(response: Response): void {
  response.socket?.destroy();
}

function sendHalf(response: Response, text: string): void {
  response.status(200).set({ 'Content-Type': 'application/json', 'Content-Length': `${text.length}` });
  response.write(text.slice(0, text.length / 2), () => cutConnection(response));
}
