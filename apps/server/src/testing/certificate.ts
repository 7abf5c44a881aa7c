/** Certificates that the tests make themselves. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Makes `<name>.pem` and `<name>.key` in a folder, valid for two days, for `localhost` and 127.0.0.1 unless `names` says
 * otherwise. Returns their paths.
 */
export function makeCertificate(
  folder: string,
  name: string,
  names = 'DNS:localhost,IP:127.0.0.1',
): { cert: string; key: string } {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names}`];
  execFileSync('openssl', [...kind, '-days', '2', '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  });
  return { cert, key };
}
