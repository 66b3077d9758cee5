import { createStripeRail } from '../../rail/stripe/index.ts';
import { railContract } from './contract.ts';
import { startStripeDriver } from './stripe/driver.ts';

const { trust } = createStripeRail({ fieldsUrl: 'https://fields.example' });

railContract({ name: 'stripe', trust, start: startStripeDriver });
