import Koa from "koa";
import { webhooks, WebhookError, type Body, type Decimal, type Manilla } from "@manilla/client";

export interface Order {
  orderId: string;
  item: string;
  /** What the customer pays in the own app, as payableType MERCHANT. */
  payableId: string;
  total: Decimal;
  currency: string;
  isPaid: boolean;
}

export interface ShopOptions {
  /** Signed in as a cashier or manager of the organisation. */
  manilla: Manilla;
  name: string;
  currency: Body<"issuePayable">["currency"];
  prices: Readonly<Record<string, `${number}`>>;
  /** The webhook's secret; both while one is rotated. */
  secrets: () => readonly string[];
}

/**
 * POST /orders/{orderId} with `{ "item": "tea" }` orders; GET /orders/{orderId} says whether it is
 * paid; POST /events is told so by Manilla. Orders live as long as the process: a real shop keeps
 * them in its database.
 */
export function createShop({ manilla, name, currency, prices, secrets }: ShopOptions): Koa {
  const orders = new Map<string, Order>();
  const app = new Koa();

  app.use(async (ctx) => {
    const [, place, orderId = ""] = ctx.path.split("/");
    if (place === "events" && ctx.method === "POST") return takeEvent(ctx);
    if (place !== "orders" || !/^[\w-]{1,64}$/.test(orderId)) return;
    if (ctx.method === "POST") await takeOrder(ctx, orderId);
    if (ctx.method === "GET" && orders.has(orderId)) ctx.body = orders.get(orderId);
  });

  async function takeOrder(ctx: Koa.Context, orderId: string): Promise<void> {
    const item = itemOf(await bodyOf(ctx));
    const price = Object.hasOwn(prices, item) ? prices[item] : undefined;
    if (price === undefined) return refuse(ctx, 400, `item must be one of ${Object.keys(prices).join(", ")}`);
    const known = orders.get(orderId);
    if (known && known.item !== item) return refuse(ctx, 409, `order ${orderId} is of ${known.item}`);
    // The order's id is the key: ordered twice, also after a crash, it is one payable.
    const { payableId, total } = await manilla.payments.issuePayable(
      { type: "MERCHANT", payeeName: name, reference: orderId, description: item, currency, principal: price },
      { idempotencyKey: `order-${orderId}` },
    );
    const order = orders.get(orderId) ?? { orderId, item, payableId, total, currency, isPaid: false };
    orders.set(orderId, order);
    ctx.body = order;
  }

  async function takeEvent(ctx: Koa.Context): Promise<void> {
    try {
      const event = await webhooks.unwrap(await bodyOf(ctx), ctx.req.headers, secrets());
      if (event.type === "payment.succeeded") {
        const { payableId } = event.data;
        const order = [...orders.values()].find((one) => one.payableId === payableId);
        // To be told twice changes nothing.
        if (order) order.isPaid = true;
      }
      ctx.status = 204;
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      refuse(ctx, 400, error.message);
    }
  }

  return app;
}

const maxBytes = 1_000_000;

/** The bytes as they came: a signature is of these. */
async function bodyOf(ctx: Koa.Context): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) ctx.throw(413, "the body is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function itemOf(body: Uint8Array): string {
  try {
    const { item } = JSON.parse(new TextDecoder().decode(body)) as { item?: unknown };
    return typeof item === "string" ? item : "";
  } catch {
    return "";
  }
}

function refuse(ctx: Koa.Context, status: number, message: string): void {
  ctx.status = status;
  ctx.body = { message };
}
