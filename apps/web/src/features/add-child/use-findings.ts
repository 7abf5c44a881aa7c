/** What the server has found in the photo of a new child: a refusal, and who looks alike, before and after saving. */
import type { AdultCandidate, FaceCandidate } from '@haris/contract/errors';
import { useState } from 'react';
import type { ApiError } from '../../calls/api-error.ts';
import { showFailure } from '../../calls/failure.ts';
import { photoRefusalOf } from './about-photo.ts';

/** What was found last, and functions that take in what a save has brought. */
export function useFindings() {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [candidates, setCandidates] = useState<readonly FaceCandidate[] | null>(null);
  const [adults, setAdults] = useState<readonly AdultCandidate[]>([]);
  const [lookalikes, setLookalikes] = useState<readonly FaceCandidate[] | null>(null);

  return {
    /** The server's reason for refusing the photo. */
    refusal,
    /** Null if there is nothing to ask. */
    candidates,
    adults,
    /** Null until the child is saved and looks like others. */
    lookalikes,
    /** Asks whether the child is one of those whom the server has named. */
    ask(error: ApiError) {
      setAdults(error.adults);
      setCandidates(error.candidates);
    },
    forgetCandidates: () => setCandidates(null),
    /** Tells why nothing was saved. */
    refuse(error: Error) {
      setCandidates(null);
      // The notice is the specification's; it is gone after seconds, the sentence at the photo stays.
      showFailure(error);
      setRefusal(photoRefusalOf(error));
    },
    forgetRefusal: () => setRefusal(null),
    showLookalikes: (found: readonly FaceCandidate[]) => setLookalikes(found),
  };
}
