import { checkout, productId } from '../lib/checkout.js';
import { ordersSoFar } from '../lib/orders.js';

// The price and the orders of this request, not those of the build.
export const dynamic = 'force-dynamic';

export default async function Page() {
  const { data } = await checkout.listProducts();
  const product = data.find(({ id }) => id === productId);
  const price = ((product?.active_price?.amount ?? 0) / 100).toFixed(2);
  return (
    <main>
      <h1>{product?.name ?? productId}</h1>
      <form method="post" action="/buy">
        <button type="submit">Buy for €{price}</button>
      </form>
      <h2>Delivered</h2>
      <ul>
        {ordersSoFar().map(({ id, payment }) => (
          <li key={id}>{payment}</li>
        ))}
      </ul>
    </main>
  );
}
