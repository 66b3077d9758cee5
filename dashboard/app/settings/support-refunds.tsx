/** The limit up to which support may refund a payment. */
import { useState } from 'preact/hooks';
import { useChange, useRead } from '../api/use.ts';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Loading } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { SaveBar } from '../ui/save-bar.tsx';
import { amountText, readAmount } from '../words/format.ts';
import { words } from '../words/words.ts';

export function SupportRefunds() {
  const { data, error } = useRead('showMerchantSettings');
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  return <LimitForm limit={data.support_refund_limit} />;
}

function LimitForm({ limit }: { readonly limit: number }) {
  const [typed, setTyped] = useState(amountText(limit));
  const update = useChange('updateMerchantSettings');
  const amount = readAmount(typed);
  const save = (event: Event) => {
    event.preventDefault();
    if (amount !== null) update.mutate({ body: { support_refund_limit: amount } });
  };
  return (
    <Form error={update.error} onSubmit={save}>
      <TextField
        label={words.business.supportLimit}
        at="support_refund_limit"
        limitText={amountText}
        hint={words.business.supportLimitHint}
        error={amount === null ? words.refund.invalid : null}
        inputMode="decimal"
        autocomplete="off"
        value={typed}
        onValue={setTyped}
      />
      <SaveBar of={update} allowed disabled={amount === null} />
    </Form>
  );
}
