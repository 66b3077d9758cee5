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

/** Renders nothing if there is no move. */
export function PriceMoves({ productId }: { readonly productId: string }) {
  const { data, error } = useRead('listPriceMoves', { query: { product_id: productId } });
  if (error) return <ProblemNote error={error} />;
  if (!data || data.data.length === 0) return null;
  return (
    <Card title={words.products.moves.title}>
      {data.data.map((move) => (
        <Move key={move.id} move={move} />
      ))}
    </Card>
  );
}

function Move({ move: { id, environment, from, status } }: { readonly move: Schemas['PriceMove'] }) {
  const { since, cancelled } = words.products.moves;
  return (
    <>
      <p class="strong">{since(words.common[environment], dayOf(from))}</p>
      {status === 'active' ? <OpenMove id={id} /> : <p class="muted">{cancelled}</p>}
    </>
  );
}

function OpenMove({ id }: { readonly id: string }) {
  const { data, error } = useRead('showPriceMove', { path: { priceMoveId: id } }, { live: 'slowly' });
  const mayCancel = useMay('manage_subscriptions');
  const [isAsking, setAsking] = useState(false);
  if (!data) return <ProblemNote error={error} />;
  const { status: progress, cancel } = words.products.moves;
  const { announced, waiting, moved } = data.counts;
  return (
    <>
      <p>{progress(announced, waiting, moved)}</p>
      <PriceMoveReport of={data} environment={data.environment} />
      {mayCancel && <Button onClick={() => setAsking(true)}>{cancel}</Button>}
      {isAsking && <CancelMove id={id} onClose={() => setAsking(false)} />}
    </>
  );
}

interface CancelProps {
  readonly id: string;
  readonly onClose: () => void;
}

function CancelMove({ id, onClose }: CancelProps) {
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
        mutate({ path: { priceMoveId: id }, body: { status: 'cancelled' } }, { onSuccess: onClose })
      }
      onClose={onClose}
    />
  );
}
