import type { ReactNode } from "react";
import type { FieldPath, UseFormReturn } from "react-hook-form";
import { genders, identityDocumentTypes } from "../../generated/enums";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { SelectField, TextField } from "../../ui/form";
import { worded } from "../../ui/options";
import { texts } from "./texts";
import type { Customer } from "./types";

/** Personal details as they are typed: all optional. */
export interface PersonalValues {
  dateOfBirth: string;
  birthCity: string;
  birthCountry: string;
  nationality: string;
  line1: string;
  line2: string;
  city: string;
  region: string;
  postalCode: string;
  addressCountry: string;
  documentType: string;
  documentNumber: string;
  documentCountry: string;
  documentExpiresAt: string;
  documentGender: string;
}

export interface IdentityDocument {
  type: (typeof identityDocumentTypes)[number];
  number: string;
  country: string;
  expiresAt?: string;
  gender?: (typeof genders)[number];
}

export function personalDefaults(customer?: Customer): PersonalValues {
  const { dateOfBirth = "", placeOfBirth, nationality = "", address } = customer ?? {};
  return {
    dateOfBirth,
    birthCity: placeOfBirth?.city ?? "",
    birthCountry: placeOfBirth?.country ?? "",
    nationality,
    line1: address?.lines[0] ?? "",
    line2: address?.lines.slice(1).join(", ") ?? "",
    city: address?.city ?? "",
    region: address?.region ?? "",
    postalCode: address?.postalCode ?? "",
    addressCountry: address?.country ?? "",
    documentType: "",
    documentNumber: "",
    documentCountry: "",
    documentExpiresAt: "",
    documentGender: "",
  };
}

/** Members of the API's request → where they are typed. */
export const personalPaths = {
  "body.placeOfBirth.city": "birthCity",
  "body.placeOfBirth.country": "birthCountry",
  "body.address.lines": "line1",
  "body.address.lines.0": "line1",
  "body.address.lines.1": "line2",
  "body.address.city": "city",
  "body.address.region": "region",
  "body.address.postalCode": "postalCode",
  "body.address.country": "addressCountry",
  "body.identityDocuments.0.type": "documentType",
  "body.identityDocuments.0.number": "documentNumber",
  "body.identityDocuments.0.country": "documentCountry",
  "body.identityDocuments.0.expiresAt": "documentExpiresAt",
  "body.identityDocuments.0.gender": "documentGender",
} as const satisfies Record<string, keyof PersonalValues>;

/** As the API takes them; what nothing was typed for is left out. */
export function personalDetails(values: PersonalValues) {
  const { dateOfBirth, nationality, line1, line2, city, region, postalCode, addressCountry } = values;
  const [birthCity, birthCountry] = [values.birthCity.trim(), values.birthCountry.trim().toUpperCase()];
  const lines = [line1, line2].map((line) => line.trim()).filter(Boolean);
  const document = typedDocument(values);
  return {
    ...(dateOfBirth && { dateOfBirth }),
    ...((birthCity || birthCountry) && { placeOfBirth: { city: birthCity, country: birthCountry } }),
    ...(nationality.trim() && { nationality: nationality.trim().toUpperCase() }),
    ...((lines.length > 0 || city.trim() || addressCountry.trim()) && {
      address: {
        lines,
        city: city.trim(),
        country: addressCountry.trim().toUpperCase(),
        ...(region.trim() && { region: region.trim() }),
        ...(postalCode.trim() && { postalCode: postalCode.trim() }),
      },
    }),
    ...(document && { identityDocuments: [document] }),
  };
}

export function typedDocument(values: DocumentValues): IdentityDocument | undefined {
  const { documentType, documentNumber, documentCountry, documentExpiresAt, documentGender } = values;
  if (!documentType && !documentNumber.trim()) return undefined;
  return {
    type: documentType as IdentityDocument["type"],
    number: documentNumber.trim(),
    country: documentCountry.trim().toUpperCase(),
    ...(documentExpiresAt && { expiresAt: documentExpiresAt }),
    ...(documentGender && { gender: documentGender as (typeof genders)[number] }),
  };
}

interface Props<Values extends PersonalValues> {
  form: UseFormReturn<Values>;
  withDocument?: boolean;
}

/** The fields of PersonalValues, two beside each other where there is room. */
export function PersonalFields<Values extends PersonalValues>({ form, withDocument = true }: Props<Values>) {
  const t = useTexts(texts);
  const { countries } = useOrganisation();
  const name = (field: keyof PersonalValues) => field as FieldPath<Values>;
  return (
    <>
      <Fields legend={t.birth}>
        <TextField form={form} name={name("dateOfBirth")} label={t.dateOfBirth} type="date" />
        <TextField form={form} name={name("birthCity")} label={t.placeOfBirth} />
        <TextField
          form={form}
          name={name("birthCountry")}
          label={t.birthCountry}
          hint={t.countryHint}
          list={countries}
        />
        <TextField form={form} name={name("nationality")} label={t.nationality} hint={t.countryHint} list={countries} />
      </Fields>
      <Fields legend={t.address}>
        <TextField form={form} name={name("line1")} label={t.line1} />
        <TextField form={form} name={name("line2")} label={t.line2} />
        <TextField form={form} name={name("city")} label={t.city} />
        <TextField form={form} name={name("region")} label={t.region} />
        <TextField form={form} name={name("postalCode")} label={t.postalCode} />
        <TextField form={form} name={name("addressCountry")} label={t.country} hint={t.countryHint} list={countries} />
      </Fields>
      {withDocument && <DocumentFields form={form} />}
    </>
  );
}

type DocumentValues = Pick<
  PersonalValues,
  "documentType" | "documentNumber" | "documentCountry" | "documentExpiresAt" | "documentGender"
>;

/** Of one identity document. */
export function DocumentFields<Values extends DocumentValues>({ form }: { form: UseFormReturn<Values> }) {
  const t = useTexts(texts);
  const { countries } = useOrganisation();
  const name = (field: keyof DocumentValues) => field as FieldPath<Values>;
  return (
    <Fields legend={t.identityDocument}>
      <SelectField
        form={form}
        name={name("documentType")}
        label={t.documentType}
        nothing={t.noDocument}
        options={worded(identityDocumentTypes)}
      />
      <TextField form={form} name={name("documentNumber")} label={t.documentNumber} />
      <TextField form={form} name={name("documentCountry")} label={t.issuedBy} hint={t.countryHint} list={countries} />
      <TextField form={form} name={name("documentExpiresAt")} label={t.validUntil} type="date" />
      <SelectField
        form={form}
        name={name("documentGender")}
        label={t.gender}
        nothing={t.notSaid}
        options={worded(genders)}
      />
    </Fields>
  );
}

export function Fields({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">{legend}</legend>
      <div className="grid grid-cols-1 gap-x-4 gap-y-3 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}
