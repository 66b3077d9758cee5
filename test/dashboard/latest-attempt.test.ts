/** Only the latest of the listed attempts shows when the next one is due. */
import { expect, test } from '@jest/globals';
import { isLatest } from '../../dashboard/app/webhooks/latest-attempt.ts';

test('the latest attempt is determined per event and endpoint', () => {
  const attempts = [
    { event_id: 'evt_2', endpoint_id: 'ap_whe_1', attempt: 2 },
    { event_id: 'evt_1', endpoint_id: 'ap_whe_1', attempt: 2 },
    { event_id: 'evt_1', endpoint_id: 'ap_whe_2', attempt: 1 },
    { event_id: 'evt_2', endpoint_id: 'ap_whe_1', attempt: 1 },
    { event_id: 'evt_1', endpoint_id: 'ap_whe_1', attempt: 1 },
  ];
  expect(attempts.map((each) => isLatest(each, attempts))).toEqual([true, true, true, false, false]);
});
