import type { CallOptions } from "@manilla/client";
import { useQuery } from "@tanstack/react-query";
import { Download, Eye } from "lucide-react";
import { useEffect, useState } from "react";
import { api, type RowOf } from "../../lib/api";
import { saveFile } from "../../lib/files";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Dialog, DialogActions } from "../../ui/dialog";
import { KeyValue } from "../../ui/facts";
import { Figure, Time } from "../../ui/figures";
import { Empty, Loaded } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { texts } from "./texts";
import type { Customer } from "./types";

type Document = RowOf<typeof api.compliance.listDocuments>;

/** What was handed in, to be looked at. Each reading is in the audit trail. */
export function Documents({ customer: { customerId } }: { customer: Customer }) {
  const t = useTexts(texts);
  const may = useMay();
  const [shown, setShown] = useState<Document>();
  const columns: readonly Column<Document>[] = [
    { header: t.requirement, cell: (row) => inWords(row.requirement) },
    { header: t.file, cell: (row) => row.fileName },
    { header: t.size, isNumber: true, cell: (row) => <Figure value={sizeText(row.sizeBytes)} unit="kB" /> },
    { header: t.handedIn, cell: (row) => <Time at={row.submittedAt} /> },
    { header: t.status, cell: (row) => <StatusBadge status={row.status} /> },
    { header: t.reviewedBy, cell: (row) => <Person id={row.reviewedBy} /> },
    { header: t.because, cell: (row) => row.reason },
    {
      header: t.look,
      cell: (row) =>
        may("readDocument") && (
          <Button icon={Eye} variant="quiet" onClick={() => setShown(row)}>
            {t.look}
          </Button>
        ),
    },
  ];
  return (
    <>
      <DataTable
        label={t.documents}
        area="customers"
        operation="listDocuments"
        query={{ customerId }}
        list={api.compliance.listDocuments}
        columns={columns}
        rowKey={(row) => row.documentId}
        empty={<Empty title={t.noDocuments}>{t.noDocumentsHint}</Empty>}
      />
      {shown && <Viewer document={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

const sizeText = (bytes: number) => String(Math.ceil(bytes / 1_000));

function Viewer({ document, onClose }: { document: Document; onClose: () => void }) {
  const t = useTexts(texts);
  const { documentId, contentType, fileName } = document;
  const content = useQuery({
    ...read("customers", "readDocument", { documentId }, (options) => wholeDocument(documentId, options)),
    // Each reading is noted: none is made that nobody asked for.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  return (
    <Dialog title={fileName} wide onClose={onClose}>
      <Loaded query={content} lines={8}>
        {(bytes) => (
          <>
            {contentType.startsWith("image/") ? (
              <Picture bytes={bytes} type={contentType} name={inWords(document.requirement)} />
            ) : (
              <p className="py-6 text-center text-muted">{t.noPreview}</p>
            )}
            <div className="mt-3">
              <KeyValue
                columns={2}
                facts={[
                  { label: t.requirement, value: inWords(document.requirement) },
                  { label: t.type, value: contentType },
                  { label: "SHA-256", value: <span className="font-mono text-xs">{document.sha256}</span> },
                ]}
              />
            </div>
            <DialogActions>
              <Button icon={Download} onClick={() => saveFile(bytes, fileName, contentType)}>
                {t.save}
              </Button>
            </DialogActions>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

function Picture({ bytes, type, name }: { bytes: Uint8Array; type: string; name: string }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes as BlobPart], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  return url && <img src={url} alt={name} className="mx-auto max-h-[60dvh] max-w-full object-contain" />;
}

/** The API gives documents part by part. */
async function wholeDocument(documentId: string, options: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const query: { offset?: string } = offset > 0 ? { offset: String(offset) } : {};
    const part: { content: string; nextOffset?: number } = await api.compliance.readDocument(
      documentId,
      query,
      options,
    );
    parts.push(Uint8Array.from(atob(part.content), (letter) => letter.charCodeAt(0)));
    offset = part.nextOffset;
  }
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
}
