export const MERCHANT = '/v1/merchants/:merchantId';
