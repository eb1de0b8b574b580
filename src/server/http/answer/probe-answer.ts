import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import * as v from 'valibot'
import { normalizeForwarding } from '#server/http/forwarding-headers.ts'
import { isPrivateAddress } from '#server/networks.ts'
import type { Services } from '#server/services.ts'
import { readInstallationSecret } from '#server/store/installation/secret.ts'

/** The header by which `culvert doctor` proves that it knows the installation's secret. */
export const probeHeader = 'x-culvert-probe'

const ProbeAnswer = v.object({
  /** The signature of the answer, which proves that the server has the same secret. */
  proof: v.string(),
  /** Unix milliseconds. */
  now: v.number(),
  /** The effective `Host`. */
  host: v.string(),
  isHttps: v.boolean(),
  /** A proxy forwarded the client's address, but its own is not trusted. */
  ignoredProxy: v.optional(v.string()),
})

/** The request of `culvert doctor` as the server received it. */
export type ProbeAnswer = v.InferOutput<typeof ProbeAnswer>

/** A request of `culvert doctor`: the value of its header, and the parser of the answer. */
export interface Probe {
  value: string
  /** The answer; undefined if the server is another installation. */
  parse(body: unknown): ProbeAnswer | undefined
}

/** Creates a probe that only servers with this secret answer. */
export function createProbe(secret: string): Probe {
  const nonce = randomBytes(16).toString('hex')
  const proof = sign(secret, `answer ${nonce}`)
  return {
    value: `${nonce}.${sign(secret, nonce)}`,
    parse(body) {
      const answer = v.safeParse(ProbeAnswer, body)
      return answer.success && answer.output.proof === proof ? answer.output : undefined
    },
  }
}

/**
 * Answers a probe with the server's view of the request. Undefined without a valid signature. It contains
 * only what the client has sent, so replaying a signature reveals nothing.
 */
export async function findProbeAnswer(
  services: Services,
  request: IncomingMessage,
): Promise<ProbeAnswer | undefined> {
  const [nonce = '', signature = ''] = String(request.headers[probeHeader]).split('.')
  const secret = await readInstallationSecret(services.store, services.env.secret)
  if (!isEqual(signature, sign(secret, nonce))) return undefined
  const { clientAddresses, env, clock } = services
  const peer = request.socket.remoteAddress
  const header = (name: string) => request.headers[name]?.toString()
  const { proxyCount } = clientAddresses.find(peer, header)
  const isForwarded = env.clientAddressHeaders.some((name) => header(name) !== undefined)
  const isIgnored = isForwarded && proxyCount === 0 && peer !== undefined && isPrivateAddress(peer)
  normalizeForwarding(request, services)
  return {
    proof: sign(secret, `answer ${nonce}`),
    now: clock(),
    host: request.headers.host ?? '',
    isHttps: header('x-forwarded-proto') === 'https',
    ignoredProxy: isIgnored ? peer : undefined,
  }
}

function sign(secret: string, text: string): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'culvert doctor', 32))
  return createHmac('sha256', key).update(text).digest('hex')
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
