import { gatewayRow, serviceTable, servicesWithout } from "./service-table.js";

test("a system may do without investment, and nobody in it is given its address", () => {
  expect(servicesWithout(undefined)).toEqual(serviceTable);
  expect(servicesWithout("")).toEqual(serviceTable);
  const rows = servicesWithout("investment");
  expect(rows).toEqual(serviceTable.filter(({ name }) => name !== "investment"));
  expect([...rows, gatewayRow(rows)].filter(({ calls }) => calls.includes("investment"))).toEqual([]);
});

test.each(serviceTable.map(({ name }) => name).filter((name) => name !== "investment"))(
  "nothing runs without %s",
  (name) => {
    expect(() => servicesWithout(`investment,${name}`)).toThrow(new RegExp(`nothing runs without ${name}`));
  },
);
