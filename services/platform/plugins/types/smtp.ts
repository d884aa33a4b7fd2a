import type { PluginManifest } from "../manifest.js";

/** A mail server (RFC 5321), by nodemailer. */
export const smtp: PluginManifest = {
  name: "smtp",
  kind: "EMAIL",
  connector: "mail-server",
  title: "Mail server (SMTP)",
  version: "1.0.0",
  capabilities: [],
  configuration: {
    type: "object",
    additionalProperties: false,
    required: ["host", "port", "from"],
    properties: {
      host: { type: "string", isAddress: true, minLength: 1, maxLength: 253, title: "Host" },
      port: { type: "integer", isAddress: true, minimum: 1, maximum: 65535, title: "Port" },
      security: { enum: ["TLS", "STARTTLS", "NONE"], default: "STARTTLS", title: "Encryption; NONE only in a sandbox" },
      from: { type: "string", format: "email", maxLength: 254, title: "Sender's address" },
      fromName: { type: "string", maxLength: 100, title: "Sender's name" },
      username: { type: "string", maxLength: 200, title: "User name" },
    },
  },
  liveConfiguration: { properties: { security: { enum: ["TLS", "STARTTLS"] } } },
  secrets: [{ name: "password", title: "Password", isRequired: false }],
  hasCallbacks: false,
  isCertified: true,
};
