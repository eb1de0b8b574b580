import { isIP } from 'node:net'
import * as v from 'valibot'
import { appConfig } from '../../app.config.ts'
import { Host, Origin, Port, PostgresUrl, readUpstreamDsns, Size, Switch } from './env-values.ts'
import { OperatorError } from './errors.ts'
import { limits } from './limits.ts'
import { logLevels, type LogLevel } from './log.ts'
import { findMailAddress, parseSmtpUrl, type MailSettings, type SmtpServer } from './mail-settings.ts'
import { parseNetworks } from './networks.ts'
import {
  parseHostAndPort,
  parsePrivateDestinations,
  type PrivateDestinations,
  type PrivateHost,
} from './private-destinations.ts'

/** The parsed environment. */
export interface Env {
  /** 0: any free port. */
  port: number
  host: string
  dataDir: string
  /** URL of a PostgreSQL database. Absent: SQLite in `dataDir`. */
  databaseUrl?: string
  /** URL of a replica of that database, for reads of the console and the API. */
  readDatabaseUrl?: string
  /** Public scheme, host and port for SDKs and browsers. */
  origin?: string
  /** The environment of Culvert's own errors. */
  environment: string
  logLevel: LogLevel
  /** The share of the console's requests that are traced, in Culvert's own project. */
  ownTracesRate: number
  /** Maximum size of the database. */
  maxBytes: number
  /** Signs session cookies and encrypts second factors. Absent: generated and stored. */
  secret?: string
  /** Bearer token for Prometheus. Absent: metrics are disabled. */
  metricsToken?: string
  /** Sign-in with OpenID Connect. Absent: disabled. */
  oidc?: OidcSettings
  /** Path of the tunnel. */
  tunnelPath: string
  /** Upstreams may be on this machine or in a private network. */
  allowsPrivateUpstreams: boolean
  /** Destinations of alerts on this machine or in a private network. */
  privateDestinations: PrivateDestinations
  /** Contacted when an uptime check fails, before the failure counts. */
  uptimeSecondTarget?: Required<PrivateHost>
  /** Absent: no email. */
  mail?: MailSettings
  /** Addresses and networks (`ADDRESS/BITS`) of proxies whose forwarding headers are trusted. */
  trustedProxies: readonly string[]
  /** Lower-case names of the headers with the client's address. The first one present counts. */
  clientAddressHeaders: readonly string[]
  /** The host does not expose the peer address: every request has passed its own proxy. */
  hidesPeer: boolean
  /** The host starts and suspends instances with the requests: after an answer only awaited work may run. */
  isServerless: boolean
  /** Bearer token of the host's scheduler for `/api/cron`. Absent: the route is closed. */
  cronSecret?: string
  /** DSNs of upstreams by project slug, in upper case with underscores. */
  upstreamDsns: ReadonlyMap<string, string>
}

/** An OpenID Connect provider. */
export interface OidcSettings {
  /** Label of the button: "Sign in with …". */
  name: string
  /** `https://id.example.com`, without the path of the discovery document. */
  issuer: string
  clientId: string
  clientSecret: string
  /** Treats an email address as verified if the token does not say. */
  assumesVerifiedEmail: boolean
  /** The provider requires a second factor, so the account's own is not required. */
  bringsSecondFactor: boolean
}

export type EnvResult = { ok: true; env: Env } | { ok: false; problems: string[] }

const variables = {
  PORT: { schema: Port, problem: 'must be a whole number from 0 (any free port) to 65535', example: '3000' },
  HOST: { schema: Host, problem: 'must be an IP address or a host name', example: '127.0.0.1' },
  CULVERT_DATA_DIR: {
    schema: v.pipe(
      v.string(),
      v.check((path) => !path.includes('\0')),
    ),
    problem: 'must be the path of a directory',
    example: '/var/lib/culvert',
  },
  DATABASE_URL: {
    schema: PostgresUrl,
    problem:
      'must be the URL of a PostgreSQL database, its password percent-encoded; leave it out for SQLite',
    example: 'postgres://culvert:password@localhost:5432/culvert',
    isSecret: true,
  },
  CULVERT_READ_DATABASE_URL: {
    schema: PostgresUrl,
    problem: 'must be the URL of a replica of the PostgreSQL database in DATABASE_URL',
    example: 'postgres://culvert:password@replica:5432/culvert',
    isSecret: true,
  },
  CULVERT_ORIGIN: {
    schema: Origin,
    problem: 'must be http:// or https:// with a host and nothing after it',
    example: 'https://culvert.example.com',
  },
  SENTRY_ENVIRONMENT: {
    // Relay rejects longer names, and these characters, in an event's environment.
    schema: v.pipe(v.string(), v.regex(/^[^/\n\r]{1,64}$/)),
    problem: 'must be 1 to 64 characters without a slash',
    example: 'production',
  },
  // Set by Vercel: production, preview or development.
  VERCEL_ENV: {
    schema: v.pipe(v.string(), v.regex(/^[^/\n\r]{1,64}$/)),
    problem: 'must be 1 to 64 characters without a slash',
    example: 'preview',
  },
  LOG_LEVEL: {
    schema: v.picklist(logLevels),
    problem: `must be one of ${logLevels.join(', ')}`,
    example: 'info',
  },
  CULVERT_OWN_TRACES_RATE: {
    schema: v.pipe(v.string(), v.regex(/^(?:0|1|0?\.\d{1,9}|1\.0+)$/), v.transform(Number)),
    problem: 'must be a number from 0 to 1',
    example: '0.01',
  },
  CULVERT_MAX_BYTES: {
    schema: Size,
    problem: 'must be a size from 100MB on: a number and MB, GB or TB',
    example: '20GB',
  },
  CULVERT_SECRET: {
    schema: v.pipe(v.string(), v.minLength(32)),
    problem: 'must have at least 32 characters, drawn at random',
    isSecret: true,
    example: '"$(openssl rand -base64 32)"',
  },
  CULVERT_METRICS_TOKEN: {
    schema: v.pipe(v.string(), v.regex(/^\S{16,200}$/)),
    problem: 'must have 16 to 200 characters without spaces, drawn at random',
    isSecret: true,
    example: '"$(openssl rand -hex 16)"',
  },
  // Sent by Vercel's scheduler.
  CRON_SECRET: {
    schema: v.pipe(v.string(), v.regex(/^[!-~]{16,200}$/)),
    problem: 'must have 16 to 200 characters without spaces, drawn at random',
    isSecret: true,
    example: '"$(openssl rand -hex 16)"',
  },
  CULVERT_TUNNEL_PATH: {
    schema: v.pipe(
      v.string(),
      v.regex(/^\/[a-z0-9][a-z0-9/_.-]{0,98}[a-z0-9]$/i),
      v.check((path) => !/\/{2}|\.\.|\/\.\/|^\/(?:api|assets|_serverFn)(?:\/|$)/.test(path)),
    ),
    problem: 'must be a path of letters, digits, dots, dashes and slashes that is not under /api',
    example: '/crumbs',
  },
  CULVERT_ALLOW_PRIVATE_UPSTREAMS: {
    schema: Switch,
    problem: 'must be 1 or 0',
    example: '1',
  },
  CULVERT_UPTIME_SECOND_TARGET: {
    schema: v.pipe(
      v.string(),
      v.check((text) => parseHostAndPort(text) !== undefined),
      v.transform((text) => parseHostAndPort(text)),
    ),
    problem: 'must be a host and a port that are nearly always reachable',
    example: '1.1.1.1:443',
  },
  CULVERT_ALLOW_PRIVATE_DESTINATIONS: {
    schema: v.pipe(
      v.string(),
      v.check((text) => parsePrivateDestinations(text) !== undefined),
      v.transform((text): PrivateDestinations => parsePrivateDestinations(text) ?? noPrivateDestinations),
    ),
    problem: 'must be a list of hosts with or without a port, IP addresses and networks',
    example: 'ntfy.lan:8080,10.1.0.0/16',
  },
  CULVERT_SMTP_URL: {
    schema: v.pipe(
      v.string(),
      v.transform(parseSmtpUrl),
      v.custom<SmtpServer>((server) => server !== undefined),
    ),
    problem: 'must be smtp:// or smtps:// with a host; user and password are percent-encoded',
    example: 'smtps://culvert:PASSWORD@mail.example.com:465',
    isSecret: true,
  },
  CULVERT_MAIL_FROM: {
    schema: v.pipe(
      v.string(),
      v.check((text) => findMailAddress(text) !== undefined),
    ),
    problem: 'must be an email address, or a name and the address in angle brackets',
    example: '"Culvert <culvert@example.com>"',
  },
  CULVERT_TRUSTED_PROXIES: {
    schema: v.pipe(
      v.string(),
      v.check((text) => parseNetworks(text) !== undefined),
      v.transform((text) => parseNetworks(text) ?? []),
    ),
    problem:
      'must be a list of IP addresses and networks, or one of the names loopback, private and none among them',
    example: 'loopback,10.1.0.0/16',
  },
  CULVERT_CLIENT_ADDRESS_HEADERS: {
    schema: v.pipe(
      v.string(),
      v.toLowerCase(),
      v.regex(/^\s*[a-z0-9-]{1,64}(?:[\s,]+[a-z0-9-]{1,64})*\s*$/),
      v.transform((text) => text.split(/[\s,]+/).filter((name) => name !== '')),
    ),
    problem: 'must be a list of header names',
    example: 'X-Forwarded-For',
  },
  // Set to 1 by Vercel, where the build and the function run.
  VERCEL: { schema: v.string(), problem: 'must be a text', example: '1' },
  CULVERT_OIDC_ISSUER: {
    schema: v.pipe(
      v.string(),
      v.check((text) => isIssuer(text)),
    ),
    problem: 'must be the https:// address of an identity provider, or http:// on this machine',
    example: 'https://id.example.com',
  },
  CULVERT_OIDC_CLIENT_ID: { schema: v.string(), problem: 'must be a text', example: 'culvert' },
  CULVERT_OIDC_CLIENT_SECRET: { schema: v.string(), problem: 'must be a text', example: 's3cr3t' },
  CULVERT_OIDC_NAME: {
    schema: v.pipe(v.string(), v.maxLength(40)),
    problem: 'must have at most 40 characters',
    example: 'Example ID',
  },
  CULVERT_OIDC_ASSUME_VERIFIED_EMAIL: { schema: Switch, problem: 'must be 1 or 0', example: '1' },
  CULVERT_OIDC_SECOND_FACTOR: {
    schema: v.picklist(['culvert', 'provider']),
    problem: 'must be culvert or provider',
    example: 'provider',
  },
} as const

const noPrivateDestinations: PrivateDestinations = { networks: [], hosts: [] }

type Name = keyof typeof variables

/**
 * Parses the environment variables. An empty variable counts as unset. Reports all problems together, each
 * with the variable, the reason and a valid example.
 */
export function parseEnv(record: Record<string, string | undefined>): EnvResult {
  const problems: string[] = []
  function read<N extends Name>(name: N): v.InferOutput<(typeof variables)[N]['schema']> | undefined {
    const text = record[name]
    if (text === undefined || text === '') return undefined
    const { schema, problem, example } = variables[name]
    const result = v.safeParse(schema, text)
    if (result.success) return result.output
    // Problems are logged, so a secret's value is left out.
    const value = 'isSecret' in variables[name] ? 'not usable' : JSON.stringify(text)
    problems.push(`${name} is ${value}: it ${problem}. Example: ${name}=${example}`)
    return undefined
  }

  const origin = read('CULVERT_ORIGIN')
  const isOnVercel = read('VERCEL') !== undefined
  const env: Env = {
    port: read('PORT') ?? 3000,
    host: read('HOST') ?? '127.0.0.1',
    dataDir: read('CULVERT_DATA_DIR') ?? 'data',
    ...(origin === undefined ? {} : { origin }),
    environment: read('SENTRY_ENVIRONMENT') ?? read('VERCEL_ENV') ?? appConfig.defaultEnvironment,
    logLevel: read('LOG_LEVEL') ?? 'info',
    ownTracesRate: read('CULVERT_OWN_TRACES_RATE') ?? limits.ownTracesRate,
    maxBytes: read('CULVERT_MAX_BYTES') ?? limits.retentionBytes,
    tunnelPath: read('CULVERT_TUNNEL_PATH') ?? appConfig.tunnelPath,
    allowsPrivateUpstreams: read('CULVERT_ALLOW_PRIVATE_UPSTREAMS') ?? false,
    privateDestinations: read('CULVERT_ALLOW_PRIVATE_DESTINATIONS') ?? noPrivateDestinations,
    uptimeSecondTarget: read('CULVERT_UPTIME_SECOND_TARGET'),
    // Vercel overwrites both headers; the second one also behind another proxy.
    trustedProxies: read('CULVERT_TRUSTED_PROXIES') ?? parseNetworks('loopback') ?? [],
    clientAddressHeaders: read('CULVERT_CLIENT_ADDRESS_HEADERS') ?? [
      isOnVercel ? 'x-vercel-forwarded-for' : 'x-forwarded-for',
    ],
    hidesPeer: isOnVercel,
    isServerless: isOnVercel,
    upstreamDsns: readUpstreamDsns(record, problems),
  }
  const databaseUrl = read('DATABASE_URL')
  if (databaseUrl !== undefined) env.databaseUrl = databaseUrl
  const readDatabaseUrl = read('CULVERT_READ_DATABASE_URL')
  if (readDatabaseUrl !== undefined) env.readDatabaseUrl = readDatabaseUrl
  if (readDatabaseUrl !== undefined && !record['DATABASE_URL'])
    problems.push('CULVERT_READ_DATABASE_URL needs DATABASE_URL: it names a replica of that database.')
  const secret = read('CULVERT_SECRET')
  if (secret !== undefined) env.secret = secret
  const cronSecret = read('CRON_SECRET')
  if (cronSecret !== undefined) env.cronSecret = cronSecret
  const metricsToken = read('CULVERT_METRICS_TOKEN')
  if (metricsToken !== undefined) env.metricsToken = metricsToken
  const mail = readMail(read('CULVERT_SMTP_URL'), read('CULVERT_MAIL_FROM'))
  if (typeof mail === 'string') problems.push(mail)
  else if (mail !== undefined) env.mail = mail
  const oidc = readOidc({
    issuer: read('CULVERT_OIDC_ISSUER'),
    clientId: read('CULVERT_OIDC_CLIENT_ID'),
    clientSecret: read('CULVERT_OIDC_CLIENT_SECRET'),
    name: read('CULVERT_OIDC_NAME'),
    assumesVerifiedEmail: read('CULVERT_OIDC_ASSUME_VERIFIED_EMAIL') ?? false,
    bringsSecondFactor: read('CULVERT_OIDC_SECOND_FACTOR') === 'provider',
  })
  if (typeof oidc === 'string') problems.push(oidc)
  else if (oidc !== undefined) env.oidc = oidc
  return problems.length === 0 ? { ok: true, env } : { ok: false, problems }
}

/** Settings of commands and tests, and variables that Kubernetes sets for a service named `culvert`. */
const otherNames = /^CULVERT_(?:UPSTREAM_\w+_DSN|IMPORT_TOKEN|TEST_\w+|SERVICE_\w+|PORT(?:_\d\w*)?)$/i

/** The `CULVERT_…` variables that Culvert does not read: nearly always typing errors. */
export function findUnknownSettings(record: Record<string, string | undefined>): string[] {
  return Object.keys(record).filter(
    (name) => name.startsWith('CULVERT_') && !(name in variables) && !otherNames.test(name),
  )
}

/** Parses the settings. Throws one `OperatorError` (exit code 2) with all problems. */
export function requireEnv(record: Record<string, string | undefined>): Env {
  const result = parseEnv(record)
  if (result.ok) return result.env
  const problems = result.problems.map((problem) => `  - ${problem}`).join('\n')
  throw new OperatorError(`Culvert cannot start with these settings:\n${problems}`, 2)
}

/** True for a loopback address: 127.0.0.0/8, ::1 and localhost. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** `http://host:port` of an address, with brackets around IPv6. */
export function toHttpOrigin(host: string, port: number): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

/** Mail; undefined if neither is set, or a message about the missing one. */
function readMail(
  server: SmtpServer | undefined,
  from: string | undefined,
): MailSettings | string | undefined {
  if (server === undefined && from === undefined) return undefined
  if (server === undefined || from === undefined)
    return 'CULVERT_SMTP_URL and CULVERT_MAIL_FROM belong together: set both or none.'
  return { server, from }
}

interface OidcParts extends Pick<OidcSettings, 'assumesVerifiedEmail' | 'bringsSecondFactor'> {
  issuer: string | undefined
  clientId: string | undefined
  clientSecret: string | undefined
  name: string | undefined
}

/** The provider; undefined if none is set, or a message about missing settings. */
function readOidc(parts: OidcParts): OidcSettings | string | undefined {
  const { issuer, clientId, clientSecret, name, ...trust } = parts
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    return 'CULVERT_OIDC_ISSUER, CULVERT_OIDC_CLIENT_ID and CULVERT_OIDC_CLIENT_SECRET belong together: set all three or none.'
  }
  return { issuer, clientId, clientSecret, name: name ?? new URL(issuer).hostname, ...trust }
}

function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (url === null) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))
}
