/**
 * The network for a client's rate limit: an IPv4 address itself, the first 64 bits of an IPv6 address, since
 * a client usually has all of them. The address must be valid.
 */
export function toClientNetwork(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  // A trailing IPv4 address counts as two groups. The zeros are between head and tail.
  const lastCount = last.length + (tail?.includes('.') === true ? 1 : 0)
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - lastCount)
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** True for a loopback address: an application on this machine, or a proxy without the client's address. */
export function isLoopbackAddress(address: string): boolean {
  return address.startsWith('127.') || address === '::1'
}
