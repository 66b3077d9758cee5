/** A page on another origin that frames the card fields and records their messages. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameLocator, Page } from 'playwright-core';
import { FIELDS_CHANNEL, type FieldsMessage, type PageMessage } from '../../../rail/fields-protocol.ts';
import { ACCOUNT } from './running-rail.ts';

export interface FramingSite {
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves the same page on every path; it frames the URL in `?frame=`. */
export async function startFramingSite(): Promise<FramingSite> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(PAGE);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const PAGE = `<!doctype html>
<html lang="en">
<head><meta name="viewport" content="width=device-width, initial-scale=1"><title>Shop</title></head>
<body>
<button id="before">Before</button>
<iframe id="fields" title="Card" style="width:100%;border:0"></iframe>
<button id="pay">Pay</button>
<script>
  window.messages = [];
  const frame = document.getElementById('fields');
  addEventListener('message', ({ data, origin, source }) => {
    if (source !== frame.contentWindow) return;
    messages.push({ data, origin });
    if (data.type === 'height') frame.style.height = data.heightPx + 'px';
  });
  frame.src = new URLSearchParams(location.search).get('frame');
</script>
</body>
</html>`;

/** @param values query parameters; the account and language have defaults */
export function fieldsUrlOf(railUrl: string, values: Readonly<Record<string, string>>): string {
  return `${railUrl}/fields?${new URLSearchParams({ account: ACCOUNT.id, lang: 'en', ...values })}`;
}

export interface Fields {
  readonly frame: FrameLocator;
  /** All messages from the frame so far. */
  received(): Promise<{ readonly data: unknown; readonly origin: string }[]>;
  /** The latest message of the type. */
  last<Type extends FieldsMessage['type']>(
    type: Type,
  ): Promise<Extract<FieldsMessage, { type: Type }> | undefined>;
  /** Sends a message as the page does; `channel` is added. */
  send(message: DistributiveOmit<PageMessage, 'channel'>): Promise<void>;
}

type DistributiveOmit<Message, Key extends PropertyKey> = Message extends unknown
  ? Omit<Message, Key>
  : never;

export async function openFields(page: Page, site: FramingSite, fieldsUrl: string): Promise<Fields> {
  await page.goto(`${site.origin}/?frame=${encodeURIComponent(fieldsUrl)}`);
  const received = () =>
    page.evaluate(() => (window as unknown as { messages: { data: unknown; origin: string }[] }).messages);
  return {
    frame: page.frameLocator('#fields'),
    received,
    async last(type) {
      const messages = (await received()).map(({ data }) => data as FieldsMessage);
      return messages.findLast((message) => message.type === type) as never;
    },
    async send(message) {
      const target = new URL(fieldsUrl).origin;
      await page.evaluate(
        ([data, origin]) => {
          const frame = document.getElementById('fields') as HTMLIFrameElement;
          frame.contentWindow?.postMessage(data, origin);
        },
        [{ channel: FIELDS_CHANNEL, ...message }, target] as const,
      );
    },
  };
}
