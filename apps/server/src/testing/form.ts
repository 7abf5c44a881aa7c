/** Creates multipart bodies like a browser. */

interface FilePart {
  readonly bytes: Uint8Array;
  readonly filename?: string;
  readonly type?: string;
}

export type FormParts = Readonly<Record<string, string | Uint8Array | FilePart | undefined>>;

export interface EncodedForm {
  readonly payload: Buffer;
  readonly contentType: string;
}

/** Encodes fields (text) and files (bytes). */
export async function encodeForm(parts: FormParts): Promise<EncodedForm> {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (value === undefined) continue;
    if (typeof value === 'string') form.append(name, value);
    else {
      const file = value instanceof Uint8Array ? { bytes: value } : value;
      const blob = new Blob([file.bytes as Uint8Array<ArrayBuffer>], { type: file.type ?? 'image/png' });
      form.append(name, blob, file.filename ?? 'photo.png');
    }
  }
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type') ?? '';
  return { payload: Buffer.from(await encoded.arrayBuffer()), contentType };
}
