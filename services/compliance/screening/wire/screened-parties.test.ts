import { PersonalDetails, PersonDocument } from "../../../../proto/gen/common/v1/personal_details.js";
import { partyText } from "../domain/screened-subject.js";
import { partyOfPerson } from "./screened-parties.js";

const person = (...genders: string[]) => {
  const identityDocuments = genders.map((gender, at) => PersonDocument.fromPartial({ number: `A${at}`, gender }));
  const details = PersonalDetails.fromPartial({ identityDocuments });
  return partyOfPerson({ firstName: "Ada", lastName: "Obi", country: "NGA", details });
};

it.each<[string[], string | undefined]>([
  [[], undefined],
  [[""], undefined],
  [["FEMALE"], "FEMALE"],
  [["", "MALE", "MALE"], "MALE"],
  [["FEMALE", "MALE"], undefined],
])("documents that say %j make somebody %s", (genders, gender) => {
  expect(person(...genders).gender).toBe(gender);
});

it("whose document is told to be of another gender is compared anew", () => {
  expect(partyText(person("FEMALE"))).not.toBe(partyText(person("MALE")));
});
