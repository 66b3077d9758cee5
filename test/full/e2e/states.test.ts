/** Every state of the page: of a purchase, and of a change of the payment method. */
import { METHOD_CHANGE_STATES } from '../../e2e/method-change-states.ts';
import { STATES } from '../../e2e/states.ts';
import { testThatEverybodyCanUse } from '../../e2e/usable.ts';

testThatEverybodyCanUse({ ...STATES, ...METHOD_CHANGE_STATES });
