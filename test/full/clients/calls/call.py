import os

import checkout

configuration = checkout.Configuration(host=os.environ["API_URL"], access_token=os.environ["API_KEY"])
with checkout.ApiClient(configuration) as client:
    products = checkout.BillingApi(client).list_products().data
    (price,) = [each.active_price for each in products if each.id == os.environ["PRODUCT"]]
    assert price is not None
    print(price.amount)
