/** Web Push on this device: what the browser can, and its subscription. Knows no call. */

/**
 * `install`: an iPhone or iPad gets notices only from the home screen. `blocked`: the person has forbidden them in the
 * browser. `able`: it can be switched on.
 */
export type PushSupport = 'unsupported' | 'install' | 'blocked' | 'able';

function isAppleTouchDevice(): boolean {
  // An iPad says that it is a Mac; no Mac has a touch screen.
  return (
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  );
}

export function pushSupport(): PushSupport {
  const isInstalled = matchMedia('(display-mode: standalone)').matches;
  if (isAppleTouchDevice() && !isInstalled) return 'install';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return 'unsupported';
  return Notification.permission === 'denied' ? 'blocked' : 'able';
}

/** What the contract wants of a subscription. */
export interface DeviceSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** Asks the person, if need be, and subscribes. Null: the person said no. Throws what the browser throws. */
export async function subscribeDevice(publicKey: string): Promise<DeviceSubscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const { pushManager } = await navigator.serviceWorker.ready;
  // One that was made with another key cannot be used any more.
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

/** `Chrome, Android`: enough to know one's own devices apart. */
export function describeDevice(userAgent: string): string {
  const browser = [
    ['Edg', 'Edge'],
    ['Firefox', 'Firefox'],
    ['Chrome', 'Chrome'],
    ['Safari', 'Safari'],
  ].find(([mark = '']) => userAgent.includes(mark))?.[1];
  const system = [
    ['iPhone', 'iPhone'],
    ['iPad', 'iPad'],
    ['Android', 'Android'],
    ['Windows', 'Windows'],
    ['Macintosh', 'Mac'],
    ['CrOS', 'ChromeOS'],
    ['Linux', 'Linux'],
  ].find(([mark = '']) => userAgent.includes(mark))?.[1];
  return [browser, system].filter(Boolean).join(', ') || 'Browser';
}
