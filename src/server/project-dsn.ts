import { formatDsn } from '#protocol/dsn.ts'

/** The DSN under which SDKs reach a project of this installation, at `origin` (scheme, host and port). */
export function toProjectDsn(origin: string, key: { publicKey: string; projectId: number }): string {
  const { protocol, host } = new URL(origin)
  return formatDsn({
    protocol: protocol === 'https:' ? 'https' : 'http',
    publicKey: key.publicKey,
    host,
    path: '',
    projectId: String(key.projectId),
  })
}
