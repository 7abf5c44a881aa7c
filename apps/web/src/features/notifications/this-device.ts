/** Web Push on this device: browser support and the subscription. Makes no calls. */
import { isSecurePage } from '../../ui/secure-page.ts';

/**
 * `insecure`: the page has no HTTPS. `install`: an iPhone or iPad supports notifications only for apps on the home screen. `blocked`: the person has
 * denied permission in the browser. `able`: notifications can be switched on.
 */
export type PushSupport = 'insecure' | 'unsupported' | 'install' | 'blocked' | 'able';

function isAppleTouchDevice(): boolean {
  // An iPad identifies as a Mac, but no Mac has a touch screen.
  return (
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  );
}

export function pushSupport(): PushSupport {
  if (!isSecurePage()) return 'insecure';
  const isInstalled = matchMedia('(display-mode: standalone)').matches;
  if (isAppleTouchDevice() && !isInstalled) return 'install';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return 'unsupported';
  return Notification.permission === 'denied' ? 'blocked' : 'able';
}

/** The subscription in the contract's format. */
export interface DeviceSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** Asks for permission if needed, and subscribes. Null if the person refuses. Rethrows the browser's errors. */
export async function subscribeDevice(publicKey: string): Promise<DeviceSubscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription made with another key is unusable.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint, keys } = subscription.toJSON();
  if (endpoint === undefined || keys?.p256dh === undefined || keys.auth === undefined)
    throw new Error('The browser gave no keys');
  return { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } };
}

export async function unsubscribeDevice(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
