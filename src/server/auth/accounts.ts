import { createHash } from 'node:crypto'
import { BoundedMap } from '#server/bounded-map.ts'
import type { Env } from '#server/env.ts'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { deleteSession, hasUsers, noteSessionUse, readPreferences } from '#server/store/accounts/users.ts'
import { readInstallationSecret } from '#server/store/installation/secret.ts'
import type { Store } from '#server/store/store.ts'
import { openAuthLibrary, type AuthLibrary } from './auth-library.ts'
import { createProviderLibrary } from './providers/provider-library.ts'
import { createSignInGate, type SignInGate } from './sign-in/gate.ts'
import { createKnownBrowsers, type KnownBrowsers } from './sign-in/known-browser.ts'
import { createSignInThrottle, type SignInThrottle } from './sign-in/throttle.ts'
import { readMemberships } from './user-viewer.ts'
import type { Viewer } from './viewer.ts'

/** The users of the console, and the library that authenticates them. */
export interface Accounts {
  readonly store: Store
  readonly throttle: SignInThrottle
  readonly signInGate: SignInGate
  /** Recognizes browsers that have signed in before. */
  knownBrowsers(): Promise<KnownBrowsers>
  /** The name of the configured identity provider; absent if there is none. */
  readonly oidcName?: string
  /** The authentication library without the identity provider, opened on first use. */
  library(): Promise<AuthLibrary>
  /** The authentication library with the identity provider; undefined while the provider does not answer. */
  providerLibrary(): Promise<AuthLibrary | undefined>
  /** True once an account exists. */
  hasUsers(): Promise<boolean>
  /** The user of a request, by its session cookie; undefined without one. */
  findViewer(headers: Headers): Promise<Viewer | undefined>
  /** Clears the viewer cache. Call after changing sessions, users or memberships. */
  forgetViewers(): void
}

export interface AccountsOptions {
  store: Store
  log: Log
  /** Called when the library is opened: the origin is known only once the server listens. */
  origin: () => string
  /** By default a secret is created and stored. */
  env: Pick<Env, 'secret' | 'oidc'>
}

/** Creates the accounts of an installation. Opens no file and no connection. */
export function createAccounts({ store, log, origin, env: { secret, oidc } }: AccountsOptions): Accounts {
  const readSecret = () => readInstallationSecret(store, secret)
  const readOptions = async () => ({ store, log, secret: await readSecret(), origin: origin() })
  const library = onceUnlessFailed(async () => openAuthLibrary(await readOptions()))
  const viewers = createViewerCache(store)

  return {
    store,
    throttle: createSignInThrottle(store),
    signInGate: createSignInGate(),
    knownBrowsers: onceUnlessFailed(async () =>
      createKnownBrowsers(await readSecret(), origin().startsWith('https:')),
    ),
    ...(oidc !== undefined && { oidcName: oidc.name }),
    library,
    providerLibrary:
      oidc === undefined
        ? () => Promise.resolve(undefined)
        : createProviderLibrary({
            oidc,
            open: async () => openAuthLibrary({ ...(await readOptions()), oidc }),
            store,
            log,
          }),
    hasUsers: () => hasUsers(store.db),
    async findViewer(headers) {
      const cookie = headers.get('cookie')
      // Most requests without a session have no session cookie, and need no library.
      if (cookie === null || !cookie.includes(sessionCookie)) return undefined
      const known = await viewers.find(cookie)
      if (known !== undefined) return known
      const keep = viewers.prepare(cookie)
      const viewer = await readViewer(await library(), store, cookie)
      if (viewer !== undefined) keep(viewer)
      return viewer
    },
    forgetViewers: viewers.clear,
  }
}

/** Creates a value on first use, and retries only after a failure. */
function onceUnlessFailed<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    }))
}

/** Part of the session cookie's name under every prefix. */
const sessionCookie = 'culvert.session_token='

async function readViewer(library: AuthLibrary, store: Store, cookie: string): Promise<Viewer | undefined> {
  const found = await library.api.getSession({ headers: new Headers({ cookie }) })
  if (found === null) return undefined
  const { user, session } = found
  const now = store.clock()
  const unusedMs = now - session.updatedAt.getTime()
  if (session.createdAt.getTime() + limits.sessionMs <= now || unusedMs >= limits.sessionIdleMs) {
    await deleteSession(store, session.token)
    return undefined
  }
  if (unusedMs >= limits.sessionUseNotedMs) await noteSessionUse(store, session.token)
  return {
    userId: user.id,
    name: user.name,
    email: user.email,
    hasTwoFactor: user.twoFactorEnabled === true,
    ...(await readPreferences(store.db, user.id)),
    sessionToken: session.token,
    memberships: await readMemberships(store, user.id),
  }
}

/**
 * Caches the viewer of a cookie for a few seconds. Changes by another process are seen within
 * `limits.viewersCheckMs`.
 */
function createViewerCache(store: Store) {
  const viewers = new BoundedMap<string, { viewer: Viewer; until: number }>(limits.cachedViewers)
  let version: number | undefined
  let checkedAt = Number.NEGATIVE_INFINITY
  let generation = 0
  const clear = () => {
    generation++
    viewers.clear()
  }
  const check = async () => {
    const beganAt = store.clock()
    const current = await store.engine.readDataVersion()
    checkedAt = beganAt
    if (current !== version) clear()
    version = current
  }
  let checking: Promise<void> | undefined
  const forgetIfChanged = async () => {
    // The absolute difference: a clock that was set back must not extend a session.
    if (Math.abs(store.clock() - checkedAt) < limits.viewersCheckMs) return
    await (checking ??= check().finally(() => {
      checking = undefined
    }))
  }
  return {
    async find(cookie: string): Promise<Viewer | undefined> {
      await forgetIfChanged()
      const found = viewers.get(toKey(cookie))
      return found !== undefined && store.clock() < found.until ? found.viewer : undefined
    },
    /** Call before the query: a change in between must not be cached in its old state. */
    prepare(cookie: string): (viewer: Viewer) => void {
      const begun = generation
      return (viewer) => {
        if (generation !== begun) return
        viewers.set(toKey(cookie), { viewer, until: store.clock() + limits.cachedViewerMs })
      }
    },
    clear,
  }
}

/** A memory dump must not contain open sessions. */
function toKey(cookie: string): string {
  return createHash('sha256').update(cookie).digest('base64')
}
