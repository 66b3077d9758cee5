/** The moves of a product's subscribers to its new price: how far each is, and who is not moved. */
import { useState } from 'preact/hooks';
import { useMay } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useChange, useRead } from '../api/use.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Card } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { dayOf } from '../words/format.ts';
import { words } from '../words/words.ts';
import { PriceMoveReport } from './price-move-report.tsx';

interface MovesProps {
  readonly productId: string;
  readonly currency: string;
}

/** Nothing without a move. */
export function PriceMoves({ productId, currency }: MovesProps) {
  const { data, error } = useRead('listPriceMoves', { query: { product_id: productId } });
  if (error) return <ProblemNote error={error} />;
  if (!data || data.data.length === 0) return null;
  return (
    <Card title={words.products.moves.title}>
      {data.data.map((move) => (
        <Move key={move.id} id={move.id} currency={currency} />
      ))}
    </Card>
  );
}

function Move({ id, currency }: { readonly id: string; readonly currency: string }) {
  const { data, error } = useRead('showPriceMove', { path: { priceMoveId: id } }, { live: 'slowly' });
  const mayCancel = useMay('manage_subscriptions');
  const [isAsking, setAsking] = useState(false);
  if (!data) return <ProblemNote error={error} />;
  const { environment, from, status } = data;
  const { since, status: progress, cancelled, cancel } = words.products.moves;
  const { announced, waiting, moved } = data.counts;
  return (
    <>
      <p class="strong">{since(words.common[environment], dayOf(from))}</p>
      {status === 'cancelled' ? (
        <p class="muted">{cancelled}</p>
      ) : (
        <>
          <p>{progress(announced, waiting, moved)}</p>
          <PriceMoveReport of={data} environment={environment} currency={currency} />
          {mayCancel && <Button onClick={() => setAsking(true)}>{cancel}</Button>}
        </>
      )}
      {isAsking && <CancelMove move={data} onClose={() => setAsking(false)} />}
    </>
  );
}

interface CancelProps {
  readonly move: Schemas['PriceMoveDetailsAnswer'];
  readonly onClose: () => void;
}

function CancelMove({ move, onClose }: CancelProps) {
  const { mutate, isPending, error } = useChange('updatePriceMove');
  const { cancel, cancelText } = words.products.moves;
  return (
    <Confirm
      title={cancel}
      text={cancelText}
      action={cancel}
      danger
      busy={isPending}
      error={error}
      onConfirm={() =>
        mutate({ path: { priceMoveId: move.id }, body: { status: 'cancelled' } }, { onSuccess: onClose })
      }
      onClose={onClose}
    />
  );
}
