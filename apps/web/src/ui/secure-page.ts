/** Whether the browser gives this page what it gives to secure pages only: camera, push notifications, passkeys. */

/** True over HTTPS, and on the machine itself. */
export function isSecurePage(): boolean {
  return window.isSecureContext;
}
