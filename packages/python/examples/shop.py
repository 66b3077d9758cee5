"""
A shop without a framework: `pip install <clone>/packages/python`, then
`HOSTED_CHECKOUT_URL=… HOSTED_CHECKOUT_API_KEY=… WEBHOOK_SECRET=… PRODUCT_ID=… python shop.py`
"""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from hosted_checkout import HostedCheckout, WebhookVerificationError, verify_webhook

checkout = HostedCheckout(os.environ["HOSTED_CHECKOUT_API_KEY"])
secret = os.environ["WEBHOOK_SECRET"]
# In production: a table with a unique key, written in the same transaction as the effect.
seen: set[str] = set()


class Shop(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.answer(200, page=b'<form method="post" action="/buy"><button>Buy</button></form>')

    def do_POST(self) -> None:
        if self.path == "/buy":
            self.buy()
        elif self.path == "/webhooks":
            self.receive()
        else:
            self.answer(404)

    def buy(self) -> None:
        session = checkout.checkouts.create(
            productId=os.environ["PRODUCT_ID"], externalCustomerId="customer-1"
        )
        self.answer(303, location=session.hostedUrl)

    def receive(self) -> None:
        # The signature covers the bytes as sent: verify them before any parsing.
        raw_body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = verify_webhook(
                raw_body=raw_body, signature=self.headers["Service-Signature"], secret=secret
            )
        except WebhookVerificationError as error:
            print(error, flush=True)
            self.answer(400)
            return
        if event.id not in seen:
            seen.add(event.id)
            if event.type == "payment.succeeded":
                print(f"deliver the goods of payment {event.payment.id}", flush=True)
        self.answer(200)

    def answer(self, status: int, location: str | None = None, page: bytes = b"") -> None:
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Shop)
print(f"listening on http://localhost:{server.server_port}", flush=True)
server.serve_forever()
