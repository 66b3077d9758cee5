import { MERCHANT } from '../core/merchant-of-request.ts';

export const API_KEYS = `${MERCHANT}/api-keys`;
export const API_KEY = `${API_KEYS}/:keyId`;

/** Malformed ids are 404 without a query: PostgreSQL refuses NUL in text. */
export const KEY_ID = /^ap_key_[0-9a-z]{1,64}$/;
