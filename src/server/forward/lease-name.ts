/** The name of the lease under which one process at a time sends to an upstream. */
export function toLeaseName(upstreamId: string): string {
  return `forward:${upstreamId}`
}
