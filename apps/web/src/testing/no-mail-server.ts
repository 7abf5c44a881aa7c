/** An installation whose mails are only kept on the server. */
import { operationRoutes } from '@haris/contract/http/operations';
import { handle, server } from './contract-server.ts';

/** From now on no mail server is set. */
export function serveNoMailServer(): void {
  server.use(
    handle(operationRoutes.getClientConfig, () => ({
      demo: false,
      registerUrl: '',
      sendsMail: false,
      oidc: null,
      facility: { name: null, phone: null, timeZone: 'Africa/Cairo', region: 'EG' },
      now: new Date().toISOString(),
    })),
  );
}
