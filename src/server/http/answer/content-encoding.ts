/** The supported encodings, preferred first. */
const encodings = ['br', 'gzip'] as const
export type ContentEncoding = (typeof encodings)[number]

/**
 * Finds the best encoding that a request's `Accept-Encoding` allows (RFC 9110 §12.5.3); undefined for none.
 * Weights other than 0 are ignored: the server decides which encoding is better.
 */
export function findContentEncoding(acceptEncoding: string | undefined): ContentEncoding | undefined {
  if (acceptEncoding === undefined) return undefined
  const isAllowed = new Map<string, boolean>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    isAllowed.set(name, !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter)))
  }
  return encodings.find((encoding) => isAllowed.get(encoding) ?? isAllowed.get('*'))
}
