import { createSign, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Whom the provider says that somebody is. */
export interface Identity {
  sub: string
  email: string
  email_verified: boolean
  name: string
}

/** An identity provider that speaks OpenID Connect over real HTTP: discovery, keys, authorization and tokens. */
export interface IdentityProvider {
  issuer: string
  /** Who signs in next. */
  identity: Identity
  /** Changes the signature of the next token. */
  breaksSignature: boolean
  stop(): Promise<void>
}

type Answer = [status: number, headers: Record<string, string>, body: string]

function json(value: unknown): Answer {
  return [200, { 'content-type': 'application/json' }, JSON.stringify(value)]
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Starts a provider on a free port. It lets in whoever asks, as `identity`. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const nonces = new Map<string, string>()
  const server = createServer((request, response) => {
    void answer(request).then(([status, headers, body]) => response.writeHead(status, headers).end(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const provider: IdentityProvider = {
    issuer,
    identity: { sub: '1', email: 'ada@example.com', email_verified: true, name: 'Ada' },
    breaksSignature: false,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const url = new URL(request.url ?? '/', issuer)
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
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
        const code = `code-${nonces.size}`
        nonces.set(code, url.searchParams.get('nonce') ?? '')
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
          expires_in: 300,
          id_token: signToken(nonces.get(code) ?? ''),
        })
      }
      default:
        return [404, {}, '']
    }
  }

  function signToken(nonce: string): string {
    const now = Math.floor(Date.now() / 1_000)
    const claims = { iss: issuer, aud: 'culvert', iat: now, exp: now + 300, nonce, ...provider.identity }
    const signed = `${encode({ alg: 'RS256', kid: 'k' })}.${encode(claims)}`
    const signature = createSign('RSA-SHA256').update(signed).sign(privateKey)
    if (provider.breaksSignature) signature[9] = (signature[9] ?? 0) ^ 1
    return `${signed}.${signature.toString('base64url')}`
  }

  return provider
}
