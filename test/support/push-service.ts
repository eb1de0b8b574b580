import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { serveLocally } from './listen-locally.ts'

/** A message as the browser would see it, and how it was sent. */
export interface ReceivedPush {
  path: string
  headers: IncomingHttpHeaders
  /** The claims of the token, whose signature was right. */
  claims: Record<string, unknown>
  byteCount: number
  message: Record<string, unknown>
}

/** A browser that has subscribed. */
export interface FakeBrowser {
  subscription: { endpoint: string; p256dh: string; auth: string }
  messages: ReceivedPush[]
}

/** A push service over TLS that decrypts what it gets with the keys of its browsers (RFC 8291). */
export interface PushService {
  subscribe(): FakeBrowser
  /** The status of its answers from now on. Default: 201. */
  answer(status: number, headers?: Record<string, string>): void
  close(): Promise<void>
}

/** Starts a push service for `localhost` on this machine. */
export async function startPushService(certificate: { key: string; cert: string }): Promise<PushService> {
  const browsers = new Map<string, FakeBrowser & { open: (body: Buffer) => string }>()
  let [status, headers]: [number, Record<string, string>] = [201, {}]
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    const browser = browsers.get(request.url ?? '')
    if (browser !== undefined && status < 300)
      browser.messages.push({
        path: request.url ?? '',
        headers: request.headers,
        claims: readToken(request.headers.authorization ?? ''),
        byteCount: body.length,
        message: JSON.parse(browser.open(body)) as Record<string, unknown>,
      })
    response.writeHead(browser === undefined ? 404 : status, headers).end()
  }
  const server = createServer(certificate, (request, response) => {
    take(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)))
  })
  const { port, close } = await serveLocally(server)
  return {
    subscribe() {
      const keys = createECDH('prime256v1')
      const point = keys.generateKeys()
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(12).toString('base64url')}`
      const browser = {
        subscription: {
          endpoint: `https://localhost:${port}${path}`,
          p256dh: point.toString('base64url'),
          auth: auth.toString('base64url'),
        },
        messages: [],
        open: (body: Buffer) => decrypt(body, { keys, point, auth }),
      }
      browsers.set(path, browser)
      return browser
    },
    answer(next, withHeaders = {}) {
      ;[status, headers] = [next, withHeaders]
    },
    close,
  }
}

interface BrowserKeys {
  keys: ReturnType<typeof createECDH>
  point: Buffer
  auth: Buffer
}

/** RFC 8188 §2 and RFC 8291 §3.4, from the side of the browser. */
function decrypt(body: Buffer, { keys, point, auth }: BrowserKeys): string {
  const salt = body.subarray(0, 16)
  const pointLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + pointLength)
  const record = body.subarray(21 + pointLength)
  if (body.length > 4_096 || record.length > body.readUInt32BE(16)) throw new Error('more than one record')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), point, sender])
  const secret = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32))
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end === -1 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('no last record')
  return padded.subarray(0, end).toString('utf8')
}

/** Checks the token by the key that it names (RFC 8292 §3). Returns its claims. */
function readToken(authorization: string): Record<string, unknown> {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=([A-Za-z0-9_-]+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('the token has a wrong signature')
  return { k: key, ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as object) }
}
