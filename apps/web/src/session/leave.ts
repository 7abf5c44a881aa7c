/** Leaves the app for another site. */

/** Loads an address in this tab. */
export function leaveFor(address: string): void {
  location.assign(address);
}
