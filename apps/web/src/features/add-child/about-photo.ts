/** Which refusals another photo can solve. */
import { ApiError } from '../../calls/api-error.ts';
import { failureText } from '../../calls/failure.ts';

/** The server's sentence about the photo, to be shown at the photo until there is another; null for any other failure. */
export function photoRefusalOf(error: Error): string | null {
  if (!(error instanceof ApiError)) return null;
  return error.status === 422 || error.status === 415 || error.status === 413 ? failureText(error) : null;
}
