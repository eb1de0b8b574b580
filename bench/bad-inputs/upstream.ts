import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { serveLocally } from '#test/listen-locally.ts'

/** The host in the cases' DSN; it is never resolved. */
const host = 'o4507.ingest.us.sentry.io'

/** The only upstream that a target may connect to: HTTPS on this machine, with its own certificate. */
export interface BadInputUpstream {
  host: string
  /** HOST:PORT */
  address: string
  /** Path of the certificate, for NODE_EXTRA_CA_CERTS. */
  certificatePath: string
  /** The headers of each request, as received. */
  received: string[]
  close(): Promise<void>
}

/** Starts an upstream that accepts everything. Needs openssl. */
export async function startBadInputUpstream(folder: string): Promise<BadInputUpstream> {
  const [keyPath, certificatePath] = [join(folder, 'upstream.key'), join(folder, 'upstream.crt')]
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  const files = ['-keyout', keyPath, '-out', certificatePath]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, ...files], { stdio: 'ignore' })
  const received: string[] = []
  const server = createServer(
    { key: readFileSync(keyPath), cert: readFileSync(certificatePath) },
    (request, response) => {
      received.push(request.rawHeaders.join('\n'))
      request.resume().on('end', () => response.end('{"id":"ok"}'))
    },
  )
  const { port, close } = await serveLocally(server)
  return {
    host,
    address: `127.0.0.1:${port}`,
    certificatePath,
    received,
    close,
  }
}
