/** `npm run bench -- documents`: CPU time and size of an invoice's PDF, plain and in ten scripts, cold and warm. */
import { parseArgs } from 'node:util';
import { invoiceWords } from '../../../api/invoice/pdf/words.ts';
import { documentOf } from '../../../db/invoice/invoice-document.ts';
import { announceMachine, median } from '../core/figures.ts';

const HELP = `Usage: npm run bench -- documents [--first plain|scripts] [--times <n>]

Prepares as the API does at its start, then draws each invoice once (cold), then <n> times (default 30; the median is
warm): milliseconds of CPU of this process, and bytes. --first (default plain) is the first document of the process.`;

const PLAIN = ['Kaffee aus Äthiopien, ganze Bohne'];
const TEN_SCRIPTS = [
  'محمد بن عبد الرحمن',
  'דוד בן גוריון',
  '高级会员年度订阅（含税）',
  '株式会社すずき食品',
  '프리미엄 연간 구독',
  'บริษัท กรุงเทพ จำกัด',
  'श्रीमान् त्रिपाठी जी',
  'ქართული ღვინო',
  'Հայկական սուրճ',
  '😀 ☕',
];

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    first: { type: 'string', default: 'plain' },
    times: { type: 'string', default: '30' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else await measure(values.first, Number(values.times));

async function measure(first: string, times: number): Promise<void> {
  announceMachine();
  const start = process.cpuUsage();
  const { prepareDocuments, renderInvoice } = await import('../../../api/invoice/pdf/render-invoice.ts');
  console.log(`loading the program: ${cpuMsSince(start).toFixed(0)} ms`);
  console.log(`preparing: ${(await cpuMsOf(prepareDocuments)).toFixed(0)} ms`);
  const invoices = Object.entries({ plain: PLAIN, scripts: TEN_SCRIPTS });
  for (const [name, texts] of first === 'plain' ? invoices : invoices.reverse()) {
    const draw = () => renderInvoice(documentOf(issued(texts)), invoiceWords('en'));
    const cold = await cpuMsOf(draw);
    const warm: number[] = [];
    for (let n = 0; n < times; n++) warm.push(await cpuMsOf(draw));
    const { length } = await draw();
    console.log(`${name}: cold ${cold.toFixed(0)} ms, warm ${median(warm).toFixed(0)} ms, ${length} bytes`);
  }
}

async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  return cpuMsSince(start);
}

function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function issued(texts: readonly string[]): Parameters<typeof documentOf>[0] {
  return {
    type_code: 380,
    number: '2026-000001',
    issued_on: '2026-11-27',
    delivered_on: '2026-11-27',
    period_first_day: null,
    period_last_day: null,
    preceding_number: null,
    currency: 'EUR',
    customer: {
      id: 'ap_cus_1',
      external_customer_id: null,
      email: 'ada@shop.example',
      name: texts.join(' '),
      billing_details: { line1: 'Hafenstraße 1', postal_code: '20457', city: 'Hamburg', country: 'DE' },
      tax_value: null,
      tax_type: null,
    },
    supplier: { name: 'Kaffeerösterei', address_lines: ['Hafenweg 1'], vat_id: 'DE123456789' },
    line_items: texts.map((description) => ({
      product_id: 'ap_prod_1',
      price_id: 'ap_price_1',
      description,
      quantity: 1,
      unit_amount: 1_900,
      amount: 1_900,
      tax_rate: 19,
      tax_amount: 303,
    })),
  };
}
