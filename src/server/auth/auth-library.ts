import type { OidcSettings } from '#server/env.ts'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import type { Store } from '#server/store/store.ts'
import { appConfig } from '../../../app.config.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'
import { rejectOtherIdentity, toProviderConfig } from './providers/identity.ts'

export interface LibraryOptions {
  store: Store
  log: Log
  /**
   * Signs cookies and encrypts second factors. Changing it signs everybody out and breaks their second
   * factors.
   */
  secret: string
  /** The origin under which browsers reach the console. */
  origin: string
  /** By default there is no sign-in at a provider, and no request to one. */
  oidc?: OidcSettings
}

/** The header in which the library finds the client address; Culvert sets it after evaluating proxies. */
export const clientAddressHeader = 'x-culvert-client-address'

export type AuthLibrary = Awaited<ReturnType<typeof openAuthLibrary>>

/**
 * Sets up better-auth on Culvert's store. Imported on first use: it takes 25 MB and a quarter of a second,
 * and an installation that only ingests events never needs it.
 */
export async function openAuthLibrary({ store, log, secret, origin, oidc }: LibraryOptions) {
  const [{ betterAuth }, { kyselyAdapter }, { twoFactor }, { genericOAuth }, { secondFactorPlugin }] =
    await Promise.all([
      import('better-auth/minimal'),
      import('@better-auth/kysely-adapter'),
      import('better-auth/plugins/two-factor'),
      import('better-auth/plugins/generic-oauth'),
      import('./sign-in/second-factor-plugin.ts'),
    ])
  const isSecure = origin.startsWith('https:')
  return betterAuth({
    appName: appConfig.name,
    secret,
    baseURL: origin,
    // The identity provider sends browsers back to `/auth/callback/oidc`; no other route of the library is
    // reachable.
    basePath: '/auth',
    // On both engines: the store has instants as texts and booleans as 0 and 1, as in SQLite.
    database: kyselyAdapter(store.writer, { type: 'sqlite' }),
    // Any client can trigger its errors with an unsolicited callback, so they are warnings.
    logger: { level: 'error', log: (_level, message) => log.warn({ message }, 'authentication failed') },
    telemetry: { enabled: false },
    // The target of a browser whose callback from the provider has no valid state, or an expired one.
    onAPIError: { errorURL: `${origin}/login?step=provider-failed` },
    emailAndPassword: {
      enabled: true,
      // Accounts are created at /setup, through an invite link or on the command line.
      disableSignUp: true,
      password: {
        hash: hashPassword,
        verify: ({ hash, password }) => verifyPassword(hash, password),
      },
    },
    // `accounts.ts` records the use of a session: the library's refresh would need a new cookie each time.
    session: { ...sessionTable, expiresIn: limits.sessionMs / 1_000, disableSessionRefresh: true },
    user: { ...userTable, validateUserInfo: rejectOtherIdentity(store) },
    // Anybody can start a sign-in at the provider: its state must not take a row of the database.
    account: { ...credentialTable, updateAccountOnSignIn: false, storeStateStrategy: 'cookie' },
    databaseHooks: { account: { create: { before: withoutTokens } } },
    verification: verificationTable,
    advanced: {
      // The library reads the schema with SQLite's PRAGMA, even on PostgreSQL. The tests validate it on
      // SQLite instead.
      database: { validateSchema: false },
      // Browsers reject a `__Host-` cookie from any other host, and without TLS.
      cookiePrefix: isSecure ? '__Host-culvert' : 'culvert',
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
    plugins: [
      twoFactor({
        issuer: appConfig.name,
        twoFactorTable: 'two_factors',
        schema: twoFactorTables,
        // The library counts a wrong code after checking it, so that many simultaneous attempts get through.
        // `sign-in.ts` counts before.
        accountLockout: { enabled: false },
      }),
      genericOAuth({ config: oidc === undefined ? [] : [toProviderConfig(oidc)] }),
      secondFactorPlugin({ asksAfterProvider: oidc?.bringsSecondFactor !== true }),
    ],
  })
}

/** Does not store the provider's tokens, because Culvert never calls the provider's API. */
function withoutTokens() {
  const data = {
    accessToken: null,
    refreshToken: null,
    idToken: null,
    accessTokenExpiresAt: null,
    refreshTokenExpiresAt: null,
    scope: null,
  }
  return Promise.resolve({ data })
}

const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' }

const userTable = { modelName: 'users', fields: { emailVerified: 'email_verified', ...timestamps } }

const sessionTable = {
  modelName: 'sessions',
  fields: {
    expiresAt: 'expires_at',
    ipAddress: 'ip_address',
    userAgent: 'user_agent',
    userId: 'user_id',
    ...timestamps,
  },
}

const credentialTable = {
  modelName: 'credentials',
  fields: {
    accountId: 'account_id',
    providerId: 'provider_id',
    userId: 'user_id',
    accessToken: 'access_token',
    refreshToken: 'refresh_token',
    idToken: 'id_token',
    accessTokenExpiresAt: 'access_token_expires_at',
    refreshTokenExpiresAt: 'refresh_token_expires_at',
    ...timestamps,
  },
}

const verificationTable = { modelName: 'verifications', fields: { expiresAt: 'expires_at', ...timestamps } }

const twoFactorTables = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    modelName: 'two_factors',
    fields: {
      backupCodes: 'backup_codes',
      userId: 'user_id',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
}
