import { Manilla } from "@manilla/client";
import { createShop } from "./shop.ts";

const { MANILLA_URL = "http://localhost:8080", SHOP_PORT = "3000" } = process.env;
const { MANILLA_EMAIL = "manager@demo.example", MANILLA_PASSWORD = "Demo-Manager-1" } = process.env;
const credentials = { email: MANILLA_EMAIL, password: MANILLA_PASSWORD };
const manilla = new Manilla({ baseUrl: MANILLA_URL, sandbox: true, credentials });

let secret = "";
const prices = { tea: "3.50", teapot: "42.00" } as const;
const shop = createShop({ manilla, name: "Tea Shop", currency: "USD", prices, secrets: () => [secret] });
const server = shop.listen(Number(SHOP_PORT));

// An endpoint of a run before is removed: its secret was shown once, to that run.
const url = `http://localhost:${SHOP_PORT}/events`;
const { endpoints } = await manilla.webhooks.listEndpoints();
for (const endpoint of endpoints) {
  if (endpoint.url === url) await manilla.webhooks.removeEndpoint(endpoint.endpointId);
}
({ secret } = await manilla.webhooks.createEndpoint({ url, eventTypes: ["payment.succeeded"] }));
process.stdout.write(`the shop is open: curl -X POST -d '{"item":"tea"}' http://localhost:${SHOP_PORT}/orders/1\n`);

process.once("SIGINT", () => server.close());
