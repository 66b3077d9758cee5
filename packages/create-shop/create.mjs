#!/usr/bin/env node
/** `npm create hosted-checkout-shop <folder>`: writes a small shop that sells one product of an installation. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const HELP = `Usage: npm create hosted-checkout-shop <folder> -- [options]

  --url <address>     the installation (default: HOSTED_CHECKOUT_URL)
  --product <id>      what the shop sells (default: the newest active one with a one-off price)
  --next              a shop in Next.js instead of Express
  --client <path>     the folder of a built hosted-checkout, instead of the one from npm
  --help              this text

The API key of the sandbox is read from HOSTED_CHECKOUT_API_KEY.`;

const TEST = 'node --test';
const LISTEN = 'node listen.mjs';
const KINDS = {
  express: {
    template: 'express',
    start: 'npm start',
    node: '>=20.12',
    scripts: () => ({ start: 'node shop.mjs', listen: LISTEN, test: TEST }),
    dependencies: { express: '^5.0.0' },
  },
  next: {
    template: 'next',
    start: 'npm run dev',
    node: '>=20.12',
    // Pass the port as an option, because Next.js does not read it from .env.
    scripts: (port) => ({
      dev: `next dev --hostname 127.0.0.1 --port ${port}`,
      build: 'next build',
      start: `next start --hostname 127.0.0.1 --port ${port}`,
      listen: LISTEN,
      test: TEST,
    }),
    dependencies: { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' },
  },
};

class Problem extends Error {}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      product: { type: 'string' },
      client: { type: 'string' },
      next: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  });
  const [folder] = positionals;
  if (values.help) return console.log(HELP);
  if (!folder) throw new Problem(HELP);
  const url = (values.url ?? process.env.HOSTED_CHECKOUT_URL ?? '').replace(/\/+$/, '');
  const key = process.env.HOSTED_CHECKOUT_API_KEY ?? '';
  if (!URL.canParse(url)) throw new Problem('--url is required: the address of the installation.');
  if (!key.startsWith('ap_test_')) {
    throw new Problem('HOSTED_CHECKOUT_API_KEY must be a key of the sandbox, which begins with ap_test_.');
  }
  const product = await productToSell(url, key, values.product);
  const to = resolve(folder);
  const kind = values.next ? KINDS.next : KINDS.express;
  const port = await freePort();
  await fill(to, { url, key, kind, port, product: product.id, client: values.client });
  console.log(`${plain(product.name)} is on sale in ${folder}. Next:

  cd ${/\s/.test(folder) ? JSON.stringify(folder) : folder}
  npm install
  ${kind.start.padEnd(20)} the shop, on http://localhost:${port}
  npm run listen       in a second terminal: forwards webhooks to it
  npm test             tests it with signed and with forged webhooks`);
}

/** Escapes control characters, because a terminal would execute escape sequences in a server's text. */
function plain(text) {
  return text.replace(
    /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** @throws Problem if there is no product that can be sold */
async function productToSell(url, key, wanted) {
  const response = await fetch(`${url}/v1/products`, { headers: { Authorization: `Bearer ${key}` } }).catch(
    (error) => {
      throw new Problem(`${url} could not be reached: ${error.cause?.code ?? error.message}.`);
    },
  );
  const answer = await response.json().catch(() => null);
  if (!response.ok || !Array.isArray(answer?.data)) {
    throw new Problem(`${url} answered ${response.status}: ${answer?.message ?? 'this is not its API.'}`);
  }
  const onSale = answer.data.filter(({ status, active_price }) => status === 'active' && active_price);
  const isOneOff = ({ active_price }) => active_price.billing_mode === 'one_time';
  const found = onSale.find((product) => (wanted ? product.id === wanted : isOneOff(product)));
  if (!found) {
    throw new Problem(
      wanted
        ? `There is no active product ${wanted} with an active price.`
        : 'There is no active product with a one-off price: create one first.',
    );
  }
  return found;
}

/** Finds a free port, beginning with 3000, where the demo shop of `npm start` runs. */
async function freePort() {
  for (let port = 3000; port < 3100; port++) {
    if ((await isFree(port, '127.0.0.1')) && (await isFree(port))) return port;
  }
  throw new Problem('No port from 3000 to 3099 is free.');
}

async function isFree(port, host) {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

async function fill(to, { url, key, kind, port, product, client }) {
  await mkdir(to, { recursive: true });
  if ((await readdir(to)).length > 0) throw new Problem(`${to} is not empty.`);
  for (const part of ['shared', kind.template]) {
    await cp(join(import.meta.dirname, 'template', part), to, { recursive: true });
  }
  // The template's file has another name, because npm leaves .gitignore out of packages.
  await rename(join(to, 'gitignore'), join(to, '.gitignore'));
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const settings = { HOSTED_CHECKOUT_URL: url, HOSTED_CHECKOUT_API_KEY: key, PRODUCT_ID: product };
  const lines = Object.entries({
    ...settings,
    WEBHOOK_SECRET: secret,
    PORT: port,
    SHOP_URL: `http://localhost:${port}/`,
  });
  await writeFile(join(to, '.env'), lines.map(([name, value]) => `${name}=${value}\n`).join(''), {
    mode: 0o600,
  });
  const own = JSON.parse(await readFile(join(import.meta.dirname, 'package.json'), 'utf8'));
  const manifest = {
    name: basename(to).toLowerCase(),
    private: true,
    type: 'module',
    engines: { node: kind.node },
    scripts: kind.scripts(port),
    dependencies: {
      ...kind.dependencies,
      'hosted-checkout': client ? `file:${resolve(client)}` : `^${own.version}`,
    },
  };
  // Install a copy of the client, not a link: Next.js bundles only what is inside the shop's folder.
  if (client) await writeFile(join(to, '.npmrc'), 'install-links=true\n');
  await writeFile(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

try {
  await main();
} catch (error) {
  const isExpected = error instanceof Problem || error.code?.startsWith('ERR_PARSE_ARGS');
  if (!isExpected) throw error;
  console.error(plain(error.message));
  process.exitCode = 1;
}
