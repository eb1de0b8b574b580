import { fetchTunnel } from '#server/console/tunnel/tunnel.functions.ts'
import { pageQuery } from './page-query.ts'

/** The upstreams: a live page. */
export function tunnelQuery() {
  return pageQuery(['tunnel'], fetchTunnel)
}
