import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dayMs } from '#time/time-steps.ts'
import { createTempDir } from './temp-dir.ts'

/** A key and a certificate, as PEM. */
export interface Certificate {
  key: string
  cert: string
}

/** An authority that issues certificates for tests. */
export interface Authority {
  /** Its own certificate, as PEM. */
  cert: string
  /** Issues a certificate for a name, until so many days from now; less than 0: it has expired. */
  issue(name: string, days: number): Certificate
  remove(): Promise<void>
}

const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

const settings = `[ca]
default_ca = own
[own]
database = index.txt
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = names
copy_extensions = copy
unique_subject = no
[names]
commonName = supplied
`

/** Creates an authority in a temporary folder, with the openssl program. */
export async function createAuthority(): Promise<Authority> {
  const folder = await createTempDir()
  const run = (...command: string[]) =>
    execFileSync('openssl', command, { cwd: folder.path, stdio: 'ignore' })
  const read = (name: string) => readFileSync(join(folder.path, name), 'utf8')
  writeFileSync(join(folder.path, 'ca.cnf'), settings)
  writeFileSync(join(folder.path, 'index.txt'), '')
  run(
    'req',
    '-x509',
    ...curve,
    '-days',
    '30',
    '-subj',
    '/CN=Test authority',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
  )
  let count = 0
  return {
    cert: read('ca.pem'),
    issue(name, days) {
      count += 1
      const [key, request, cert] = [`${count}.key`, `${count}.csr`, `${count}.pem`]
      const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
      run('req', '-new', ...curve, ...names, '-keyout', key, '-out', request)
      const until = toOpenssl(Date.now() + days * dayMs)
      const from = toOpenssl(Date.now() - 40 * dayMs)
      const times = ['-startdate', from, '-enddate', until]
      const by = ['-cert', 'ca.pem', '-keyfile', 'ca.key', '-batch', '-notext']
      run('ca', '-config', 'ca.cnf', ...by, ...times, '-in', request, '-out', cert)
      return { key: read(key), cert: read(cert) }
    },
    remove: () => folder.remove(),
  }
}

/** `20261126120000Z`. */
function toOpenssl(at: number): string {
  return `${new Date(at).toISOString().replaceAll(/[-:T]|\..*/g, '')}Z`
}
