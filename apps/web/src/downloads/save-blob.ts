/** Saves bytes as a file on this device. */

/** Saves the bytes through a temporary link. Its address contains neither a token nor a name. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By then the browser has begun to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
