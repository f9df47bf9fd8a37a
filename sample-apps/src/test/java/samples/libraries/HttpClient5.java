package samples.libraries;

import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.util.Timeout;

/** Requests through a client with fewer connections than threads. */
final class HttpClient5 {
  public static void main(String[] args) throws Exception {
    String url = "http://127.0.0.1:" + HttpServer.start() + "/";
    CloseableHttpClient client =
        HttpClients.custom()
            .setConnectionManager(
                PoolingHttpClientConnectionManagerBuilder.create()
                    .setMaxConnPerRoute(4)
                    .setMaxConnTotal(4)
                    .build())
            .setDefaultRequestConfig(
                RequestConfig.custom().setConnectionRequestTimeout(Timeout.ofSeconds(1)).build())
            .build();
    Calls.run(
        thread ->
            client.execute(
                new HttpGet(url), response -> EntityUtils.toString(response.getEntity())));
  }

  private HttpClient5() {}
}
