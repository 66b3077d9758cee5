package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"purchase/checkout"
)

func main() {
	product := os.Getenv("PRODUCT")
	configuration := checkout.NewConfiguration()
	configuration.Servers = checkout.ServerConfigurations{{URL: os.Getenv("API_URL")}}
	client := checkout.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), checkout.ContextAccessToken, os.Getenv("API_KEY"))

	session, _, err := client.CheckoutsAPI.CreateCheckout(ctx).
		CheckoutRequest(*checkout.NewCheckoutRequest(product, "go")).Execute()
	check(err)
	fmt.Println(session.HostedUrl)
	bufio.NewReader(os.Stdin).ReadString('\n')

	shown, _, err := client.CheckoutsAPI.ShowCheckout(ctx, session.Id).Execute()
	check(err)
	paymentId := shown.GetPaymentId()
	refund, _, err := client.RefundsAPI.CreateRefund(ctx).IdempotencyKey("refund-" + paymentId).
		RefundRequest(refundOf(paymentId, 100)).Execute()
	check(err)
	_, _, err = client.RefundsAPI.CreateRefund(ctx).IdempotencyKey("more-" + paymentId).
		RefundRequest(refundOf(paymentId, 1000000)).Execute()
	refused := err.(*checkout.GenericOpenAPIError).Model().(checkout.Error)
	products, _, err := client.BillingAPI.ListProducts(ctx).Execute()
	check(err)
	price := int64(0)
	for _, each := range products.Data {
		if each.Id == product {
			price = int64(each.ActivePrice.Get().Amount)
		}
	}
	printed, err := json.Marshal(map[string]any{
		"state": shown.State, "refunded": refund.Amount, "refusal": refused.Code, "price": price,
	})
	check(err)
	fmt.Println(string(printed))
}

func refundOf(paymentId string, amount int32) checkout.RefundRequest {
	refund := checkout.NewRefundOfPayment(paymentId)
	refund.SetAmount(amount)
	return checkout.RefundRequest{RefundOfPayment: refund}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
