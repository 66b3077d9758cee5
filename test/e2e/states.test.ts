/** Every state of a purchase; of a change of the payment method those that look like no other (all: test/full). */
import { METHOD_CHANGE_STATES } from './method-change-states.ts';
import { STATES } from './states.ts';
import { testThatEverybodyCanUse } from './usable.ts';

testThatEverybodyCanUse({
  ...STATES,
  'change-form-due': METHOD_CHANGE_STATES['change-form-due'],
  'changed-and-due': METHOD_CHANGE_STATES['changed-and-due'],
});
