import json
import os

from generated import AuthenticatedClient
from generated.api.billing import list_products
from generated.api.checkouts import create_checkout, show_checkout
from generated.api.refunds import create_refund
from generated.models import (
    CheckoutDetailsAnswer,
    CheckoutRequest,
    CheckoutSession,
    Error,
    Price,
    ProductList,
    RefundAnswer,
    RefundOfPayment,
)

product = os.environ["PRODUCT"]
client = AuthenticatedClient(base_url=os.environ["API_URL"], token=os.environ["API_KEY"])

session = create_checkout.sync(
    client=client, body=CheckoutRequest(product_id=product, external_customer_id="python")
)
assert isinstance(session, CheckoutSession), session
print(session.hosted_url, flush=True)
input()
shown = show_checkout.sync(session.id, client=client)
assert isinstance(shown, CheckoutDetailsAnswer) and shown.payment_id, shown
refund = create_refund.sync(
    client=client,
    body=RefundOfPayment(payment_id=shown.payment_id, amount=100),
    idempotency_key=f"refund-{shown.payment_id}",
)
assert isinstance(refund, RefundAnswer), refund
refused = create_refund.sync(
    client=client,
    body=RefundOfPayment(payment_id=shown.payment_id, amount=1_000_000),
    idempotency_key=f"more-{shown.payment_id}",
)
assert isinstance(refused, Error), refused
products = list_products.sync(client=client)
assert isinstance(products, ProductList), products
price = next(each.active_price for each in products.data if each.id == product)
assert isinstance(price, Price), price
print(
    json.dumps(
        {"state": shown.state, "refunded": refund.amount, "refusal": refused.code, "price": price.amount}
    )
)
