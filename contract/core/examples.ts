/** Shared by the examples of the API description: one merchant, one customer, one month. */
export const UNIQUE = '019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8';
export const BEGUN = '2026-01-31T09:30:00.000Z';
export const ENDS = '2026-02-28T09:30:00.000Z';
export const EXAMPLE_MERCHANT_ID = `ap_mer_${UNIQUE}`;
export const EXAMPLE_CUSTOMER_ID = `ap_cus_${UNIQUE}`;
export const EXAMPLE_CARD = { type: 'card', brand: 'visa', last4: '4242' };
