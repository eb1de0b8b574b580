/**
 * The network that a client address is limited with: an IPv4 address by itself, of an IPv6 one the first 64
 * bits, since whoever has one address has all of those. Takes valid addresses only.
 */
export function toClientNetwork(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  // An IPv4 address in the last place stands for two groups; the zeros are between head and tail.
  const lastCount = last.length + (tail?.includes('.') === true ? 1 : 0)
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - lastCount)
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/**
 * True for this machine itself: an application beside the server, or a proxy that does not say whom it
 * forwards.
 */
export function isLoopbackAddress(address: string): boolean {
  return address.startsWith('127.') || address === '::1'
}
