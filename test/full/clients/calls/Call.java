import org.openapitools.client.ApiClient;
import org.openapitools.client.api.BillingApi;

public class Call {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("API_URL"));
    client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + System.getenv("API_KEY")));
    int price =
        new BillingApi(client)
            .listProducts("2026-01-01").getData().stream()
                .filter(product -> product.getId().equals(System.getenv("PRODUCT")))
                .map(product -> product.getActivePrice().getAmount().intValue())
                .findFirst()
                .orElseThrow();
    System.out.println(price);
  }
}
