import type { Env } from '#server/env.ts'
import { errorMessage } from '#server/errors.ts'
import { createProbe, probeHeader, type ProbeAnswer } from '#server/http/answer/probe-answer.ts'
import { limits } from '#server/limits.ts'
import type { InstallationHealth } from '#server/store/installation/health.ts'
import { ok, problem, skipped, warning, type Check } from './check.ts'
import { clockCheck } from './database-checks.ts'

/** The program that runs the checks: the version of its package and the release of its build. */
export interface ProgramVersion {
  version: string
  release: string
}

/** The input of the checks of a running server. */
export interface ServerFacts {
  env: Env
  health: InstallationHealth
  program: ProgramVersion
}

/** Compares the versions of the running servers. */
export function checkVersions({ health, program: { version, release } }: ServerFacts): Check {
  const own = `${version} (${release})`
  const versions = [...new Set(health.processes.map((each) => each.version))]
  if (versions.length === 0) return ok('Version', `${own}; no server is running`)
  if (versions.length === 1 && versions[0] === release)
    return ok('Version', `${own}, ${health.processes.length} running`)
  return warning(
    'Version',
    `this is ${own}, running are ${versions.join(' and ')}`,
    'Restart the servers that still run another version.',
  )
}

/**
 * Sends a request to the public address, and evaluates how the server received it: whether the address is
 * reachable and leads to this installation, and whether proxies pass host and scheme, and are trusted.
 */
export async function checkAddress({ env, health }: ServerFacts): Promise<Check[]> {
  const name = 'Base URL'
  const origin = env.origin ?? health.publicOrigin
  if (origin === undefined) return [skipped(name, 'the server was never started')]
  const secret = env.secret ?? health.storedSecret
  if (secret === undefined)
    return [skipped(name, 'the server has no secret yet by which it could be recognized')]
  const unset =
    env.origin === undefined
      ? [
          warning(
            name,
            `CULVERT_ORIGIN is not set: DSNs and links have the address of the process, ${origin}`,
            'Set it to the address under which SDKs and browsers reach the server.',
          ),
        ]
      : []
  if (health.processes.length === 0) return [...unset, skipped(name, `${origin}: the server is not running`)]
  const probe = createProbe(secret)
  let body: unknown
  const sentAt = Date.now()
  try {
    const answer = await fetch(new URL('/healthz', origin), {
      headers: { [probeHeader]: probe.value },
      redirect: 'manual',
      signal: AbortSignal.timeout(limits.doctorAnswerMs),
    })
    if (answer.status !== 200) {
      await answer.body?.cancel()
      return [...unset, answersOtherwise(origin, `returned ${answer.status}`)]
    }
    body = await answer.json()
  } catch (error) {
    return [...unset, problem(name, `${origin} is unreachable: ${reasonOf(error)}`, unreachableRemedy)]
  }
  const seen = probe.parse(body)
  if (seen === undefined) return [...unset, answersOtherwise(origin, 'is not this installation')]
  const offsetMs = Math.round(seen.now - (sentAt + Date.now()) / 2)
  return [
    ...unset,
    ok(name, `${origin} is this installation`),
    hostCheck(origin, seen),
    proxyCheck(seen),
    ...(env.databaseUrl === undefined ? [clockCheck('Clock', offsetMs, 'the server')] : []),
  ]
}

const unreachableRemedy =
  'Check DNS, certificate and proxy; behind some routers a network cannot connect to its own public address.'

function answersOtherwise(origin: string, text: string): Check {
  return problem(
    'Base URL',
    `${origin} ${text}`,
    'Check that CULVERT_ORIGIN and the proxy lead to this server, and that it runs with the same CULVERT_SECRET.',
  )
}

/** `$host` has no port. */
const hostWithPort = '$http_host, which has the port'

/** Forms are accepted only from the server's own origin, which is determined from these. */
function hostCheck(origin: string, { host, isHttps }: ProbeAnswer): Check {
  const name = 'Same origin'
  const url = new URL(origin)
  if (host !== url.host)
    return problem(
      name,
      `the server sees the host ${JSON.stringify(host)}, not ${url.host}: it rejects forms`,
      `Let the proxy pass Host on (nginx: proxy_set_header Host ${host === url.hostname ? hostWithPort : '$host'}), or X-Forwarded-Host.`,
    )
  if (url.protocol === 'https:' && !isHttps)
    return problem(
      name,
      'the server does not detect that the browser uses https: it rejects forms',
      'Let the proxy set X-Forwarded-Proto, and name the proxy in CULVERT_TRUSTED_PROXIES.',
    )
  return ok(name, `the server sees ${isHttps ? 'https' : 'http'}://${host}`)
}

function proxyCheck({ ignoredProxy }: ProbeAnswer): Check {
  const name = 'Proxy headers'
  if (ignoredProxy === undefined) return ok(name, 'client addresses are read as configured')
  return problem(
    name,
    `the proxy ${ignoredProxy} forwards client addresses, but is not trusted: all clients share one limit`,
    `Add ${ignoredProxy} to CULVERT_TRUSTED_PROXIES.`,
  )
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return errorMessage(cause instanceof Error && cause.message !== '' ? cause : error)
}
