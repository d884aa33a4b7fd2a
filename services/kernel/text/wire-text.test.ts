import { idFromWire, textFromWire, trimmedFromWire } from "./wire-text.js";

const fault = (message: string) => ({ code: "INVALID_INPUT", details: { errors: [{ path: "name", message }] } });
const thrownBy = (parse: () => unknown) => {
  try {
    return parse();
  } catch (error) {
    return error;
  }
};

test("text is taken as it is within its bounds", () => {
  expect(textFromWire(" Ama ", "name")).toBe(" Ama ");
  expect(textFromWire("", "name", { minimum: 0 })).toBe("");
  expect(thrownBy(() => textFromWire("", "name"))).toMatchObject(fault("is required"));
  expect(thrownBy(() => textFromWire("abcd", "name", { maximum: 3 }))).toMatchObject(
    fault("must have at most 3 characters"),
  );
  expect(thrownBy(() => textFromWire("a\nb", "name"))).toMatchObject(fault("must not hold control characters"));
});

test("trimmed text is bounded by what is left of it", () => {
  expect(trimmedFromWire(" Ama ", "name", 3)).toBe("Ama");
  expect(trimmedFromWire("  ", "name", 3, true)).toBe("");
  expect(thrownBy(() => trimmedFromWire("  ", "name", 3))).toMatchObject(fault("must have 1 to 3 characters"));
  expect(thrownBy(() => trimmedFromWire("Amas", "name", 3, true))).toMatchObject(fault("must have 0 to 3 characters"));
});

test("an id has 1 to 128 characters", () => {
  expect(idFromWire("x".repeat(128), "name")).toBe("x".repeat(128));
  for (const id of ["", "x".repeat(129)]) {
    expect(thrownBy(() => idFromWire(id, "name"))).toMatchObject(fault("must have 1 to 128 characters"));
  }
});
