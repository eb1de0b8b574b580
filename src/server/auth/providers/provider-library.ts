import { setTimeout as sleep } from 'node:timers/promises'
import type { AuthLibrary } from '#server/auth/auth-library.ts'
import type { OidcSettings } from '#server/env.ts'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { oidcProviderId, recordIssuer } from '#server/store/accounts/provider-identities.ts'
import type { Store } from '#server/store/store.ts'

interface ProviderLibraryOptions {
  oidc: OidcSettings
  /** Opens the library with the provider. */
  open: () => Promise<AuthLibrary>
  store: Store
  log: Log
}

/**
 * The library with the identity provider, opened on first use. Opening it reads the provider's discovery
 * document; if the provider does not answer within `limits.providerWaitMs` the result is undefined, and the
 * next call retries. Separate from the library for passwords and sessions, which must not wait for the
 * provider.
 */
export function createProviderLibrary(
  options: ProviderLibraryOptions,
): () => Promise<AuthLibrary | undefined> {
  const { oidc, store, log } = options
  let opened: Promise<AuthLibrary | undefined> | undefined

  const open = async (): Promise<AuthLibrary | undefined> => {
    const library = await findWithProvider(options)
    if (library === undefined) {
      opened = undefined
      log.warn({ issuer: oidc.issuer }, 'the identity provider does not respond')
      return undefined
    }
    const disconnected = await recordIssuer(store, oidc.issuer)
    if (disconnected > 0)
      log.warn(
        { issuer: oidc.issuer, disconnected },
        'the issuer has changed: identities of the previous issuer are disconnected',
      )
    return library
  }

  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
}

async function findWithProvider({ open }: ProviderLibraryOptions): Promise<AuthLibrary | undefined> {
  const library = await open()
  const waiting = new AbortController()
  const context = await Promise.race([
    library.$context,
    sleep(limits.providerWaitMs, undefined, { ref: false, signal: waiting.signal }).catch(() => undefined),
  ])
  waiting.abort()
  return context?.socialProviders.some(({ id }) => id === oidcProviderId) === true ? library : undefined
}
