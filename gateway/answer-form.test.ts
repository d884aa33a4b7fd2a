import { answerFormPattern } from "../services/shared/grpc/metadata.js";
import { formOf, formText, inForm, readForm } from "./answer-form.js";
import { routes } from "./routes/index.js";

test("every operation's form travels between services and is read as it was written", () => {
  for (const route of routes) {
    expect([route.operationId, formText(route)]).toEqual([
      route.operationId,
      expect.stringMatching(answerFormPattern) as string,
    ]);
    expect(readForm(formText(route))).toEqual(formOf(route));
  }
});

test.each(["", "0 Paid", "Paid", "1", "-1 Paid"])("%j is no form", (text) => {
  expect(readForm(text)).toBeUndefined();
});

test("an earlier form lacks what came later, in lists too, and keeps the order of members", () => {
  const route = { message: "Paid", added: { "items.fee": 2, "payer.name": 3, note: 3 } };
  const answer = { id: 1, payer: { name: "A", code: "B" }, items: [{ fee: 1, sum: 2 }], note: "", last: true };
  const printed = (revision: number) => JSON.stringify(inForm(answer, route, revision));
  expect(printed(1)).toBe('{"id":1,"payer":{"code":"B"},"items":[{"sum":2}],"last":true}');
  expect(printed(2)).toBe('{"id":1,"payer":{"code":"B"},"items":[{"fee":1,"sum":2}],"last":true}');
  expect(printed(3)).toBe(JSON.stringify(answer));
  expect(formText(route)).toBe("3 Paid");
});
