/**
 * Converts stored subscriptions to the API's form. Anyone with `hostedUrl` can open the page on which a change that
 * requires action is paid, so only callers who may act for subscribers get the URL, and no list contains it.
 */
import type { Response } from 'express';
import type { Subscription } from '../../contract/subscription/resources.ts';
import type { ListBatch } from '../../db/core/lists/list-batch.ts';
import type { StoredChange } from '../../db/subscription/read/find-subscription.ts';
import { listSubscriptions } from '../../db/subscription/read/list-subscriptions.ts';
import { hostedUrl } from '../../page/http/urls.ts';
import { openPageToken } from '../../platform/secrets/page-token.ts';
import type { ApiContext } from '../http/context.ts';
import { exchangeOf } from '../http/exchange.ts';

type Shown = NonNullable<Subscription['change']>;

export function shownChange(context: ApiContext, { link, ...change }: StoredChange): Shown {
  const { config, secretBox } = context;
  const url = link && hostedUrl(config.api.publicUrl, openPageToken(secretBox, link));
  return { ...change, hostedUrl: url };
}

export function shownSubscription<Row extends { readonly change: StoredChange | null }>(
  context: ApiContext,
  row: Row,
): Omit<Row, 'change'> & { change: Shown | null } {
  return { ...row, change: row.change && shownChange(context, row.change) };
}

export function withoutLink<Row extends { readonly change: StoredChange | null }>(
  row: Row,
): Omit<Row, 'change'> & { change: Shown | null } {
  return { ...row, change: row.change && hidden(row.change) };
}

function hidden({ link: _, ...change }: StoredChange): Shown {
  return { ...change, hostedUrl: null };
}

export function mayHaveLink(response: Response): boolean {
  const { apiKey, access } = exchangeOf(response);
  return apiKey?.scope === 'all' || access?.permissions.has('serve_subscribers') === true;
}

export const listShown: ListBatch<Subscription> = async (...asked) =>
  (await listSubscriptions(...asked)).map(withoutLink);
