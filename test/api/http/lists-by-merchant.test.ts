/** Long lists are read batch by batch, round-robin by merchant (rule 42). */
import { expect, test } from '@jest/globals';
import type { Response } from 'express';
import { beginExchange } from '../../../api/http/exchange.ts';
import { MOST_OF_MERCHANT } from '../../../api/http/lane.ts';
import { type BigList, enterBigList } from '../../../api/http/lists/big-lists.ts';

function enter(merchantId: string): BigList {
  const response = { locals: {} } as Response;
  beginExchange(response, 'req_1').scope = { merchantId, environment: 'production' };
  return enterBigList(response);
}

test('a merchant’s batch waits for at most one batch of another merchant, however many lists that merchant reads', async () => {
  const read: string[] = [];
  const first = Promise.withResolvers<void>();
  const batchOf = (list: BigList, name: string, until?: Promise<void>) =>
    list.enqueue(async () => {
      await until;
      read.push(name);
    });
  const many = Array.from({ length: MOST_OF_MERCHANT }, () => enter('many'));
  const one = enter('one');
  const waiting = many.map((list, n) => batchOf(list, 'many', n === 0 ? first.promise : undefined));
  const twice = batchOf(one, 'one').then(() => batchOf(one, 'one'));
  first.resolve();
  await Promise.all([...waiting, twice]);
  expect(read).toEqual(['many', 'one', 'many', 'one', 'many', 'many']);
  for (const list of [...many, one]) list.leave();
});
