// The bare pair's edge: Koa, one route, one call over grpc-js. No token, tenant, limit, validation,
// log or deadline.
import { credentials, makeGenericClientConstructor } from "@grpc/grpc-js";
import Koa from "koa";
import { bareDefinition } from "./bare-definition.js";

const [servicePort = "", port = ""] = process.argv.slice(2);
const Client = makeGenericClientConstructor(bareDefinition, "Bare");
const client = new Client(`127.0.0.1:${servicePort}`, credentials.createInsecure()) as unknown as {
  read(request: Buffer, answer: (error: Error | null, value: Buffer) => void): void;
};
const nothing = Buffer.alloc(0);

const app = new Koa();
app.use(async (ctx) => {
  const value = await new Promise<Buffer>((resolve, reject) =>
    client.read(nothing, (error, answer) => (error ? reject(error) : resolve(answer))),
  );
  ctx.type = "application/json";
  ctx.body = value.toString();
});
app.listen(Number(port), "127.0.0.1", () => process.send?.("ready"));
