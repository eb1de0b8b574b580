import { createSign, generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { serveLocally } from './listen-locally.ts'

/** The claims of the user who signs in at the provider. */
export interface Identity {
  sub: string
  email: string
  /** Not every provider sends it. */
  email_verified?: unknown
  name: string
}

/** An OpenID Connect provider over real HTTP: discovery, keys, authorization and tokens. */
export interface IdentityProvider {
  issuer: string
  /** The next user who signs in. */
  identity: Identity
  /** Changes the signature of the next token. */
  breaksSignature: boolean
  /** Omits the id token from the token answer: the claims are at the userinfo endpoint only. */
  omitsIdToken: boolean
  /** Accepts connections and never answers. */
  hangs: boolean
  stop(): Promise<void>
}

type Answer = [status: number, headers: Record<string, string>, body: string]

function json(value: unknown): Answer {
  return [200, { 'content-type': 'application/json' }, JSON.stringify(value)]
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Starts a provider, on a free port by default. Every sign-in returns `identity`. */
export async function startIdentityProvider(onPort = 0): Promise<IdentityProvider> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  /** The nonce of the sign-in and the user, by code. */
  const grants = new Map<string, Identity & { nonce: string }>()
  const server = createServer((request, response) => {
    if (provider.hangs) return
    void answer(request).then(([status, headers, body]) => response.writeHead(status, headers).end(body))
  })
  const { origin: issuer, close } = await serveLocally(server, onPort)
  const provider: IdentityProvider = {
    issuer,
    identity: { sub: '1', email: 'ada@example.com', email_verified: true, name: 'Ada' },
    breaksSignature: false,
    omitsIdToken: false,
    hangs: false,
    stop: close,
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const url = new URL(request.url ?? '/', issuer)
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        })
      case '/keys':
        return json({
          keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }],
        })
      case '/authorize': {
        const code = `code-${grants.size}`
        grants.set(code, { ...provider.identity, nonce: url.searchParams.get('nonce') ?? '' })
        const back = new URL(url.searchParams.get('redirect_uri') ?? '')
        back.searchParams.set('code', code)
        back.searchParams.set('state', url.searchParams.get('state') ?? '')
        return [302, { location: back.href }, '']
      }
      case '/token': {
        const code = new URLSearchParams(await text(request)).get('code') ?? ''
        return json({
          access_token: 'access',
          token_type: 'Bearer',
          refresh_token: 'refresh',
          expires_in: 300,
          ...(!provider.omitsIdToken && { id_token: signToken(grants.get(code)) }),
        })
      }
      case '/userinfo':
        return json(provider.identity)
      default:
        return [404, {}, '']
    }
  }

  function signToken(claimed: object = {}): string {
    const now = Math.floor(Date.now() / 1_000)
    const claims = { iss: issuer, aud: 'culvert', iat: now, exp: now + 300, ...claimed }
    const signed = `${encode({ alg: 'RS256', kid: 'k' })}.${encode(claims)}`
    const signature = createSign('RSA-SHA256').update(signed).sign(privateKey)
    if (provider.breaksSignature) signature[9] = (signature[9] ?? 0) ^ 1
    return `${signed}.${signature.toString('base64url')}`
  }

  return provider
}
