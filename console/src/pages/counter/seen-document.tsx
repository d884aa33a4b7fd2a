import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { DocumentFields, typedDocument } from "../customers/personal-fields";
import { texts } from "./texts";

type Body = Parameters<typeof api.people.noteSeenDocument>[1];

const paths = {
  "body.document.type": "documentType",
  "body.document.number": "documentNumber",
  "body.document.country": "documentCountry",
  "body.document.expiresAt": "documentExpiresAt",
  "body.document.gender": "documentGender",
} as const;

interface Props {
  customerCode: string;
  onSeen: () => void;
  onClose: () => void;
}

/** A document that the customer shows; who saw it, and when, is kept. */
export function SeenDocumentDialog({ customerCode, onSeen, onClose }: Props) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "noteSeenDocument",
    run: (body: Body, options) => api.people.noteSeenDocument(customerCode, body, options),
    stales: ["customers", "transactions"],
    done: t.documentSeen,
    onDone: () => {
      onSeen();
      onClose();
    },
    defaults: {
      documentType: "",
      documentNumber: "",
      documentCountry: "",
      documentExpiresAt: "",
      documentGender: "",
    },
    paths,
    toInput: (values): Body => ({ document: typedDocument(values) }) as Body,
  });
  return (
    <FormDialog title={t.seeDocument} of={form} submit={t.save} onClose={onClose}>
      <DocumentFields form={form.form} />
    </FormDialog>
  );
}
