/** Every state of a change of the payment method. */
import { METHOD_CHANGE_STATES } from '../../e2e/method-change-states.ts';
import { testThatEverybodyCanUse } from '../../e2e/usable.ts';

testThatEverybodyCanUse(METHOD_CHANGE_STATES);
