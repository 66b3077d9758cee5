import { useState } from 'preact/hooks';
import type { Schemas } from '../api/description.ts';
import { useChange } from '../api/use.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { words } from '../words/words.ts';

const ADDRESS = ['line1', 'line2', 'postal_code', 'city', 'region', 'country'] as const;
const TAX_TYPES = ['eu_vat', 'other'] as const;

interface Props {
  readonly customer: Schemas['FoundCustomer'];
  readonly onClose: () => void;
}

/** Edits name, address and tax id, which are saved together: the next invoice prints all of them. */
export function EditCustomer({ customer, onClose }: Props) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() => ({
    name: customer.name ?? '',
    ...Object.fromEntries(ADDRESS.map((part) => [part, customer.billing_details?.[part] ?? ''])),
    taxId: customer.tax_value ?? '',
    taxType: customer.tax_type ?? 'eu_vat',
  }));
  const update = useChange('updateCustomer');
  const partOf = (name: string) => typed[name]?.trim() || null;
  const field = (name: string) => ({
    value: typed[name] ?? '',
    onValue: (value: string) => setTyped({ ...typed, [name]: value }),
  });
  const save = () => {
    const address = Object.fromEntries(ADDRESS.map((part) => [part, partOf(part)]));
    const body = {
      name: partOf('name'),
      billing_details: address,
      tax: { value: partOf('taxId'), type: partOf('taxType') },
    };
    update.mutate({ path: { customerId: customer.id }, body }, { onSuccess: onClose });
  };
  const own = TAX_TYPES.some((type) => type === typed.taxType) ? [] : [typed.taxType ?? ''];
  return (
    <FormDialog
      title={words.customers.editTitle}
      action={words.common.save}
      busy={update.isPending}
      error={update.error}
      onSubmit={save}
      onClose={onClose}
    >
      <p class="intro">{words.customers.editText}</p>
      <TextField label={words.common.name} at="name" maxLength={160} {...field('name')} />
      {ADDRESS.map((part) => (
        <TextField
          key={part}
          label={words.customers.addressParts[part]}
          at={`billing_details.${part}`}
          maxLength={200}
          {...field(part)}
        />
      ))}
      <TextField label={words.customers.taxId} at="tax.value" maxLength={200} {...field('taxId')} />
      <SelectField
        label={words.customers.taxType}
        at="tax.type"
        options={[
          ...TAX_TYPES.map((type) => [type, words.customers.taxTypes[type]] as const),
          ...own.map((type) => [type, type] as const),
        ]}
        {...field('taxType')}
      />
    </FormDialog>
  );
}
