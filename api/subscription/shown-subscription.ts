/** Shows stored subscriptions, with the address of the page on which a change that requires action is paid. */
import type { Subscription } from '../../contract/subscription/resources.ts';
import type { ListBatch } from '../../db/core/list-batch.ts';
import type { StoredChange } from '../../db/subscription/find-subscription.ts';
import { listSubscriptions } from '../../db/subscription/list-subscriptions.ts';
import { hostedUrl } from '../../page/http/urls.ts';
import { openPageToken } from '../../platform/secrets/page-token.ts';
import type { ApiContext } from '../http/context.ts';

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

export function shownSubscriptions(context: ApiContext): ListBatch<Subscription> {
  return async (...asked) =>
    (await listSubscriptions(...asked)).map((row) => shownSubscription(context, row));
}
