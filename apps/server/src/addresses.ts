/** Which addresses other machines can reach. */
import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whether a host is only this machine to itself; its address in the facility's network is not. Pure. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

/** Whether other machines can connect to a server that listens on `host`. Pure. */
export function listensToNetwork(host: string): boolean {
  return !isLoopback(host);
}

/** The host of a URL, an IPv6 address without its brackets. Pure. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

/** Whether a certificate is for a host name or an IP address. Pure. */
export function covers(certificate: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
}

/** Whether no other device can open the URL. Pure. */
export function opensOnlyHere(url: string): boolean {
  const host = hostOf(url);
  return isLoopback(host) || host === '0.0.0.0' || host === '::';
}
