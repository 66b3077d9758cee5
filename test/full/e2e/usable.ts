/** How long a dashboard page takes to become usable on a slowed-down processor. */
import type { Page } from 'playwright-core';

export interface Usable {
  /** Wall-clock time from the request for the document to the page with its data. */
  readonly ms: number;
  /** CPU time of the page's main thread, which the simulated slow processor lengthens and other load does not. */
  readonly cpu: { readonly script: number; readonly layout: number; readonly all: number };
}

/**
 * Opens a page for a person who is logged in at the identity provider.
 *
 * @param slowness how many times slower the processor seems
 */
export async function openSlowly(page: Page, url: string, slowness: number): Promise<Usable> {
  const devtools = await page.context().newCDPSession(page);
  try {
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const before = await metricsOf();
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowness });
    const begun = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(isUsable);
    const ms = performance.now() - begun;
    const after = await metricsOf();
    const cpuMs = (name: string) => ((after[name] ?? 0) - (before[name] ?? 0)) * 1_000;
    return {
      ms,
      cpu: {
        script: cpuMs('ScriptDuration'),
        layout: cpuMs('LayoutDuration') + cpuMs('RecalcStyleDuration'),
        all: cpuMs('TaskDuration'),
      },
    };
  } finally {
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await devtools.detach();
  }

  async function metricsOf(): Promise<Readonly<Record<string, number>>> {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  }
}

const isUsable = () => document.querySelector('.page-head') !== null && !document.querySelector('.loading');
