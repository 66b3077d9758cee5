import { checkout, productId } from '../lib/checkout.js';
import { ordersSoFar } from '../lib/orders.js';

// Render for each request: otherwise the page would show the price and the orders at build time.
export const dynamic = 'force-dynamic';

export default async function Page() {
  const { data } = await checkout.products.list();
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
