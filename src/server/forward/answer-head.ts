/** What is looked at in the head of an answer. */
export interface AnswerHead {
  status: number
  retryAfter?: string
  rateLimits?: string
  /** How the end of the body is found; `closing`: the connection ends with it. */
  framing: { kind: 'length'; bodyBytes: number } | { kind: 'chunked' } | { kind: 'closing' }
  /** The upstream keeps the connection for a next request. */
  isKept: boolean
  /** For how long, where it says so. */
  keptSeconds?: number
}

const statusLine = /^HTTP\/1\.([01]) ([1-5][0-9]{2})(?: .*)?$/
const noBody = { kind: 'length', bodyBytes: 0 } as const

/**
 * Reads the head of an answer, without the empty line behind it (RFC 9112 §4 to §6, §9.3); undefined when it is none, or leaves in doubt
 * where the answer ends.
 */
export function parseAnswerHead(text: string): AnswerHead | undefined {
  const [first = '', ...lines] = text.split(/\r?\n/)
  const [, minor, digits] = statusLine.exec(first) ?? []
  if (digits === undefined) return undefined
  const fields = toFields(lines)
  const status = Number(digits)
  const framing = isWithoutBody(status) ? noBody : toFraming(fields)
  if (framing === undefined) return undefined
  const retryAfter = fields.get('retry-after')?.[0]
  const rateLimits = fields.get('x-sentry-rate-limits')?.join(', ')
  const kept = /(?:^|[,;\s])timeout=([0-9]{1,9})/i.exec(fields.get('keep-alive')?.[0] ?? '')?.[1]
  const isClosing = fields.get('connection')?.some((value) => /\bclose\b/i.test(value)) === true
  return {
    status,
    framing,
    isKept: minor === '1' && !isClosing && framing.kind !== 'closing',
    ...(retryAfter !== undefined && { retryAfter }),
    ...(rateLimits !== undefined && { rateLimits }),
    ...(kept !== undefined && { keptSeconds: Number(kept) }),
  }
}

function toFields(lines: readonly string[]): Map<string, string[]> {
  const fields = new Map<string, string[]>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) continue
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    const known = fields.get(name)
    if (known === undefined) fields.set(name, [value])
    else known.push(value)
  }
  return fields
}

function isWithoutBody(status: number): boolean {
  return status < 200 || status === 204 || status === 304
}

function toFraming(fields: ReadonlyMap<string, string[]>): AnswerHead['framing'] | undefined {
  const codings = fields.get('transfer-encoding')
  const lengths = fields.get('content-length')
  if (codings !== undefined) {
    // Both is how one answer is passed off as two.
    if (lengths !== undefined) return undefined
    return /(?:^|,)\s*chunked$/i.test(codings.join(',')) ? { kind: 'chunked' } : { kind: 'closing' }
  }
  if (lengths === undefined) return { kind: 'closing' }
  const [length = ''] = lengths
  const isClear = /^[0-9]{1,15}$/.test(length) && lengths.every((each) => each === length)
  return isClear ? { kind: 'length', bodyBytes: Number(length) } : undefined
}
