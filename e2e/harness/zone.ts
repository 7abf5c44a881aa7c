/** A time zone in which it is noon now, for tests of a day that must be neither early nor late. */
export function zoneAtNoon(): string {
  const ahead = 12 - new Date().getUTCHours();
  // The signs of these zones are the other way round.
  return ahead === 0 ? 'Etc/UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}
