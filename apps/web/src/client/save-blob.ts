/** Gives bytes to the person at this device as a file. Knows no call. */

/** Gives the bytes to the person as a file, as if a link had been followed. No address has the token or a name in it. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
