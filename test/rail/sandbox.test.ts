import { createSandboxRail } from '../../rail/sandbox/index.ts';
import { railContract } from './contract.ts';
import { startSandboxDriver } from './sandbox-driver.ts';

const { trust } = createSandboxRail({ baseUrl: 'http://localhost' });

railContract({ name: 'sandbox', trust, start: startSandboxDriver });
