/** The subscription that a browser returns. */
interface OwnSubscription {
  endpoint: string
  p256dh: string
  auth: string
}

type Subscribed = { ok: true; subscription: OwnSubscription } | { ok: false; problem: string }

const workerUrl = '/push-worker.js'

/** Requests permission, and subscribes this browser. `publicKey`: of the installation, in base64url. */
export async function subscribe(publicKey: string): Promise<Subscribed> {
  if (!hasPush()) return { ok: false, problem: 'This browser does not support notifications.' }
  if ((await Notification.requestPermission()) !== 'granted')
    return {
      ok: false,
      problem: 'Notifications are blocked. Allow them in the browser’s settings for this site.',
    }
  try {
    await navigator.serviceWorker.register(workerUrl)
    const { pushManager } = await navigator.serviceWorker.ready
    const former = await pushManager.getSubscription()
    // It may belong to another key.
    await former?.unsubscribe()
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    const { endpoint, keys } = made.toJSON()
    return {
      ok: true,
      subscription: { endpoint: endpoint ?? '', p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' },
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { ok: false, problem: `The browser could not subscribe to notifications: ${reason}` }
  }
}

/** Ends the subscription of this browser. */
export async function endSubscription(): Promise<void> {
  await (await findSubscription())?.unsubscribe()
}

/** The id of this browser's row: SHA-256 of its endpoint, hex. */
export async function findOwnBrowserId(): Promise<string | undefined> {
  const subscription = await findSubscription()
  if (!subscription) return undefined
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function findSubscription(): Promise<PushSubscription | null | undefined> {
  if (!hasPush()) return undefined
  const registration = await navigator.serviceWorker.getRegistration('/')
  return registration?.pushManager.getSubscription()
}

function hasPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
}

/** For the list: "Firefox on Linux". */
export function nameOfBrowser(userAgent: string): string {
  const browsers: [RegExp, string][] = [
    [/Edg\//, 'Edge'],
    [/Firefox\//, 'Firefox'],
    [/Chrome\//, 'Chrome'],
    [/Safari\//, 'Safari'],
  ]
  const systems: [RegExp, string][] = [
    [/Android/, 'Android'],
    [/iPhone|iPad/, 'iOS'],
    [/Mac OS X/, 'macOS'],
    [/Windows/, 'Windows'],
    [/Linux/, 'Linux'],
  ]
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = find(systems)
  return `${find(browsers) ?? 'Browser'}${system === undefined ? '' : ` on ${system}`}`
}
