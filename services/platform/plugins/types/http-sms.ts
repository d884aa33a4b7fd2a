import type { PluginManifest } from "../manifest.js";

/** Any text message service with an HTTP request: the request is a template. */
export const httpSms: PluginManifest = {
  name: "http-sms",
  kind: "SMS",
  connector: "sms-request",
  title: "Text messages by an HTTP request",
  version: "1.0.0",
  capabilities: [],
  configuration: {
    type: "object",
    additionalProperties: false,
    required: ["url", "body"],
    properties: {
      url: { type: "string", format: "uri", isAddress: true, maxLength: 2000, title: "URL" },
      method: { enum: ["POST", "PUT"], default: "POST", title: "Method" },
      contentType: {
        enum: ["application/json", "application/x-www-form-urlencoded"],
        default: "application/json",
        title: "Form of the body",
      },
      headers: {
        type: "object",
        isTemplate: true,
        maxProperties: 20,
        propertyNames: { pattern: "^[A-Za-z0-9-]{1,64}$" },
        additionalProperties: { type: "string", maxLength: 1000 },
        title: "Headers; {{secret}} stands for the secret",
      },
      body: {
        type: "string",
        isTemplate: true,
        minLength: 1,
        maxLength: 4000,
        title: "Body; {{to}}, {{text}}, {{id}} and {{secret}} are filled in, escaped for its form",
      },
      successStatus: {
        type: "array",
        items: { type: "integer", minimum: 200, maximum: 299 },
        maxItems: 10,
        title: "Statuses of success; all from 200 to 299 where there is none",
      },
    },
  },
  secrets: [{ name: "secret", title: "What {{secret}} stands for", isRequired: false }],
  hasCallbacks: false,
  isCertified: true,
};
