/** Starts an evacuation, and shows the roll call on this device at once. */
import { incidentRoutes } from '@haris/contract/http/incidents';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { evacuationKey } from './api.ts';

export function useStartEvacuation(onStarted: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(incidentRoutes.startEvacuation, { body: {} }),
    onSuccess: (answer) => {
      onStarted();
      // Opens the roll call on this device at once, even if the event stream is down.
      client.setQueryData(evacuationKey, answer);
      void client.invalidateQueries({ queryKey: [keys.incidents] });
    },
    onError: (error) => showFailure(error),
  });
}
