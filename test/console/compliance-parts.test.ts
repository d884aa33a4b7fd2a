import { piecesOf } from "../../console/src/pages/compliance/alike.js";
import { clockIn, dayIn, endOfDay, momentIn } from "../../console/src/pages/compliance/zoned.js";

test("what a person chooses on the organisation's clocks is that moment, also where they are turned on that day", () => {
  expect(momentIn("2026-11-30T23:59", "Africa/Lagos")).toBe("2026-11-30T22:59:00.000Z");
  expect(endOfDay("2026-07-01", "America/New_York")).toBe("2026-07-02T03:59:00.000Z");
  // Clocks go forward at 2:00 on 8 March and back at 2:00 on 1 November.
  expect(momentIn("2026-03-08T03:30", "America/New_York")).toBe("2026-03-08T07:30:00.000Z");
  expect(momentIn("2026-11-01T03:30", "America/New_York")).toBe("2026-11-01T08:30:00.000Z");
  const zones = ["UTC", "Asia/Kolkata", "Pacific/Auckland", "America/St_Johns"];
  expect(zones.map((zone) => clockIn(momentIn("2026-06-15T12:07", zone), zone))).toEqual(
    zones.map(() => "2026-06-15T12:07"),
  );
  expect(dayIn("2026-11-30T23:30:00Z", "Africa/Lagos")).toBe("2026-12-01");
});

test("letters that differ are told from those that are alike, accents and capitals aside", () => {
  const texts = ({ ours, theirs }: ReturnType<typeof piecesOf>) =>
    [ours, theirs].map((pieces) => pieces.map(({ text, isAlike }) => (isAlike ? text : `[${text}]`)).join(""));
  expect(texts(piecesOf("Katarina", "Katerina"))).toEqual(["Kat[a]rina", "Kat[e]rina"]);
  expect(texts(piecesOf("José", "JOSE"))).toEqual(["José", "JOSE"]);
  expect(texts(piecesOf("Vorskoutine", "Vorskutin"))).toEqual(["Vorsk[o]utin[e]", "Vorskutin"]);
  expect(texts(piecesOf("", "Ostapovich"))).toEqual(["", "[Ostapovich]"]);
});
