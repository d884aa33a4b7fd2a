// What `helm test` runs: one payment in a sandbox, by the customer that the environment names.
import { payInSandbox } from "./sandbox-payment.js";

const needed = ["GATEWAY_URL", "TENANT_HOST", "CUSTOMER_EMAIL", "CUSTOMER_PASSWORD"] as const;
const missing = needed.filter((name) => !process.env[name]);

if (missing.length > 0) {
  console.error(`helm test: ${missing.join(", ")} must be set`);
  process.exitCode = 2;
} else {
  const [gatewayUrl = "", host = "", email = "", password = ""] = needed.map((name) => process.env[name]);
  try {
    await payInSandbox({ gatewayUrl, host, email, password }, (line) => console.log(`helm test: ${line}`));
  } catch (error) {
    console.error(`helm test: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
