import type { OidcSettings } from '#server/env.ts'
import { hasProviderIdentity, oidcProviderId } from '#server/store/accounts/provider-identities.ts'
import type { Store } from '#server/store/store.ts'

/** The claims that identify a user, from the id token or the userinfo endpoint. */
interface IdentityClaims {
  sub?: string | number | null | undefined
  email?: string | null | undefined
  [claim: string]: unknown
}

/**
 * The library's configuration of the identity provider: its endpoints, and which of its identities are
 * accepted. For the library, an identity without a verified address has no address, and cannot sign in.
 */
export function toProviderConfig(oidc: OidcSettings) {
  return {
    providerId: oidcProviderId,
    name: oidc.name,
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    discoveryUrl: `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    requireIdTokenVerification: true,
    scopes: ['openid', 'email', 'profile'],
    // Signing in creates no account: users are invited.
    disableSignUp: true,
    accountSubject: ({
      tokens,
      profile,
    }: {
      tokens: { idToken?: string | undefined }
      profile: IdentityClaims
    }) =>
      // Only the id token is signed, and bound to this sign-in by its nonce. The library rejects an empty
      // subject.
      tokens.idToken === undefined ? '' : String(profile.sub ?? ''),
    mapProfileToUser: (claims: IdentityClaims) =>
      isVerifiedAddress(claims, oidc) ? { emailVerified: true } : { email: '', emailVerified: false },
  }
}

/** `"true"` and 1 are not `true`: OpenID Connect Core 5.1 requires a boolean. */
function isVerifiedAddress(claims: IdentityClaims, { assumesVerifiedEmail }: OidcSettings): boolean {
  const { email, email_verified: isVerified } = claims
  // No account has another kind of address, and lower-casing would convert a Kelvin sign to a k.
  if (typeof email !== 'string' || !/^[\x21-\x7e]+$/.test(email)) return false
  return isVerified === true || (isVerified === undefined && assumesVerifiedEmail)
}

/**
 * Called before the library links an identity to the account with its address. The provider may have
 * reassigned the address to another person since, so an account keeps its first identity.
 */
export function rejectOtherIdentity(store: Store) {
  return async ({ user, source }: { user: { id?: unknown }; source: { action: string } }) => {
    if (source.action !== 'link-account' || typeof user.id !== 'string') return undefined
    return (await hasProviderIdentity(store.db, user.id)) ? { error: 'other_identity' } : undefined
  }
}
