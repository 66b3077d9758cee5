/** Every state of the page, for a purchase and for a payment method change. */
import { METHOD_CHANGE_STATES } from '../../e2e/method-change-states.ts';
import { STATES } from '../../e2e/states.ts';
import { testUsability } from '../../e2e/usable.ts';

testUsability({ ...STATES, ...METHOD_CHANGE_STATES });
