import { httpSms } from "../../../../services/platform/plugins/types/http-sms.js";
import { pluginTypes } from "../../../../services/platform/plugins/types/index.js";
import { smtp } from "../../../../services/platform/plugins/types/smtp.js";
import { configurationOf, fieldsOf, textsOf } from "./schema-fields.js";

test.each(pluginTypes.map((type) => [type.name, type] as const))(
  "every field of %s has a label in words",
  (_name, type) => {
    const fields = fieldsOf(type.configuration);
    expect(fields.length).toBeGreaterThan(0);
    for (const { name, label } of fields) expect(label).not.toBe(name);
  },
);

test("what is read comes back as it was", () => {
  const configuration = {
    url: "https://sms.example/messages",
    method: "PUT",
    contentType: "application/json",
    headers: { Authorization: "Bearer {{secret}}", "X-Url": "https://a.example:1/" },
    body: '{\n  "to": "{{to}}", "text": "{{text}}"\n}',
    successStatus: [200, 202],
  };
  const fields = fieldsOf(httpSms.configuration);
  expect(configurationOf(fields, textsOf(fields, configuration))).toEqual(configuration);
});

test("a type's usual values are filled in, and what stays empty is left out", () => {
  const fields = fieldsOf(smtp.configuration);
  const typed = { ...textsOf(fields, {}), host: "mail.example", port: "587" };
  expect(configurationOf(fields, typed)).toEqual({ host: "mail.example", port: 587, security: "STARTTLS" });
});

test("a number that is none goes as it was typed, so that it is refused by name", () => {
  expect(configurationOf(fieldsOf(smtp.configuration), { port: "often" })).toEqual({ port: "often" });
});
