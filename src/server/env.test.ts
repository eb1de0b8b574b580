import { describe, expect, it } from 'vitest'
import { findUnknownSettings, isLoopbackHost, parseEnv, toHttpOrigin } from './env.ts'

describe('parseEnv', () => {
  it('requires no variable', () => {
    expect(parseEnv({})).toEqual({
      ok: true,
      env: {
        port: 3000,
        host: '127.0.0.1',
        dataDir: 'data',
        environment: 'production',
        logLevel: 'info',
        ownTracesRate: 0.01,
        maxBytes: 10_000_000_000,
        tunnelPath: '/monitoring',
        allowsPrivateUpstreams: false,
        privateDestinations: { networks: [], hosts: [] },
        trustedProxies: ['127.0.0.0/8', '::1'],
        clientAddressHeaders: ['x-forwarded-for'],
        hidesPeer: false,
        isServerless: false,
        upstreamDsns: new Map(),
      },
    })
  })

  it.each([
    [{ SENTRY_ENVIRONMENT: 'staging', VERCEL_ENV: 'preview' }, 'staging'],
    [{ VERCEL_ENV: 'preview' }, 'preview'],
    [{ SENTRY_ENVIRONMENT: '', VERCEL_ENV: '', NODE_ENV: 'development' }, 'production'],
  ])('reads from %j the environment %s', (variables, environment) => {
    expect(parseEnv(variables)).toMatchObject({ ok: true, env: { environment } })
  })

  it('reports all problems at once, each with the variable and an example', () => {
    const result = parseEnv({
      PORT: '70000',
      HOST: 'no host',
      CULVERT_ORIGIN: 'culvert.example.com/path',
      LOG_LEVEL: 'loud',
      SENTRY_ENVIRONMENT: 'a/b',
    })
    if (result.ok) throw new Error('accepted')
    expect(result.problems).toHaveLength(5)
    for (const name of ['PORT', 'HOST', 'CULVERT_ORIGIN', 'LOG_LEVEL', 'SENTRY_ENVIRONMENT']) {
      expect(
        result.problems.some((problem) => problem.startsWith(`${name} is `) && problem.includes(`${name}=`)),
      ).toBe(true)
    }
  })

  it.each(['postgres://culvert:1#a@db.example/culvert', 'postgres://culvert:a/b@db.example/culvert'])(
    'rejects %s, whose password is not percent-encoded, without repeating it',
    (url) => {
      const result = parseEnv({ DATABASE_URL: url })
      if (result.ok) throw new Error('accepted')
      expect(result.problems).toEqual([expect.stringContaining('its password percent-encoded')])
      expect(result.problems.join()).not.toContain('db.example')
    },
  )

  it.each([{}, { DATABASE_URL: '' }])('rejects a read replica with the database %j', (database) => {
    const variables = { ...database, CULVERT_READ_DATABASE_URL: 'postgres://replica/culvert' }
    expect(parseEnv(variables)).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('needs DATABASE_URL')],
    })
  })

  it('does not repeat a secret that is too short', () => {
    const result = parseEnv({ CULVERT_SECRET: 'short but still mine' })
    if (result.ok) throw new Error('accepted')
    expect(result.problems).toEqual([expect.stringMatching(/^CULVERT_SECRET is not usable: it must have/)])
    expect(result.problems.join()).not.toContain('short but')
  })

  it.each(['-1', '3000.5', '0x10', ' 80', '1e3', '65536', 'NaN'])('rejects PORT=%j', (PORT) => {
    expect(parseEnv({ PORT }).ok).toBe(false)
  })

  it.each([
    '10.0.0.0/33',
    '10.0.0',
    '2001:db8::/129',
    'fe80::1%eth0',
    'localhost',
    '10.0.0.0/8/8',
    '10.0.0.1/',
    '/8',
  ])('rejects CULVERT_TRUSTED_PROXIES=%j', (CULVERT_TRUSTED_PROXIES) => {
    expect(parseEnv({ CULVERT_TRUSTED_PROXIES }).ok).toBe(false)
  })

  it('reads networks and header names from lists', () => {
    const CULVERT_TRUSTED_PROXIES = 'none, loopback 10.1.0.0/16,2001:db8::1'
    expect(parseEnv({ CULVERT_TRUSTED_PROXIES, CULVERT_CLIENT_ADDRESS_HEADERS: 'X-Real-IP' })).toMatchObject({
      env: {
        trustedProxies: ['127.0.0.0/8', '::1', '10.1.0.0/16', '2001:db8::1'],
        clientAddressHeaders: ['x-real-ip'],
      },
    })
    expect(parseEnv({ CULVERT_CLIENT_ADDRESS_HEADERS: 'x real: ip' }).ok).toBe(false)
  })

  it('reads a size with its unit', () => {
    for (const [text, maxBytes] of [
      ['20GB', 20_000_000_000],
      ['1.5 tb', 1_500_000_000_000],
      ['100MB', 100_000_000],
    ] as const) {
      expect(parseEnv({ CULVERT_MAX_BYTES: text })).toMatchObject({ ok: true, env: { maxBytes } })
    }
  })

  it.each(['20', '99MB', '0GB', '-1GB', '1e3GB', '20GiB', 'GB', '1.2345GB'])(
    'rejects CULVERT_MAX_BYTES=%j',
    (CULVERT_MAX_BYTES) => {
      expect(parseEnv({ CULVERT_MAX_BYTES }).ok).toBe(false)
    },
  )

  it('accepts port 0 for any free port, and treats an empty variable as unset', () => {
    expect(parseEnv({ PORT: '0', HOST: '' })).toMatchObject({ ok: true, env: { port: 0, host: '127.0.0.1' } })
  })

  it.each(['0.0.0.0', '::', '192.168.1.4', 'culvert.example.com', '127.example.com'])(
    'recognizes %s as an address that other machines can reach',
    (HOST) => {
      expect(isLoopbackHost(HOST)).toBe(false)
      expect(parseEnv({ HOST })).toMatchObject({ ok: true, env: { host: HOST } })
    },
  )

  it('reads an identity provider only when it is complete', () => {
    const complete = {
      CULVERT_OIDC_ISSUER: 'https://id.example.com',
      CULVERT_OIDC_CLIENT_ID: 'culvert',
      CULVERT_OIDC_CLIENT_SECRET: 's3cr3t',
    }
    expect(parseEnv(complete)).toMatchObject({
      ok: true,
      env: { oidc: { issuer: 'https://id.example.com', clientId: 'culvert', name: 'id.example.com' } },
    })
    const { CULVERT_OIDC_CLIENT_ID: _id, ...half } = complete
    expect(parseEnv(half)).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('belong together')],
    })
    expect(parseEnv({ ...complete, CULVERT_OIDC_ISSUER: 'http://id.example.com' }).ok).toBe(false)
  })

  it.each(['127.0.0.1', '127.8.0.1', '::1', 'localhost'])('listens on %s', (HOST) => {
    expect(isLoopbackHost(HOST)).toBe(true)
    expect(parseEnv({ HOST }).ok).toBe(true)
  })

  it.each([
    ['https://Culvert.example.com/', 'https://culvert.example.com'],
    ['http://10.0.0.1:8080', 'http://10.0.0.1:8080'],
  ])('reads the origin %s', (CULVERT_ORIGIN, origin) => {
    expect(parseEnv({ CULVERT_ORIGIN })).toMatchObject({ ok: true, env: { origin } })
  })

  it.each(['ftp://a', 'https://user@a', 'https://a/b', 'https://a?b', 'javascript:alert(1)'])(
    'rejects the origin %s',
    (CULVERT_ORIGIN) => {
      expect(parseEnv({ CULVERT_ORIGIN }).ok).toBe(false)
    },
  )
})

describe('findUnknownSettings', () => {
  it('finds names that no setting has', () => {
    const known = {
      CULVERT_SMTP_URL: '',
      CULVERT_UPSTREAM_MY_SHOP_DSN: '',
      CULVERT_SERVICE_HOST: '10.1.2.3',
      CULVERT_PORT_3000_TCP: 'tcp://10.1.2.3:3000',
      PATH: '/bin',
    }
    expect(findUnknownSettings({ ...known, CULVERT_SMPT_URL: 'smtp://mail' })).toEqual(['CULVERT_SMPT_URL'])
    expect(findUnknownSettings(known)).toEqual([])
  })
})

describe('toHttpOrigin', () => {
  it('puts IPv6 into brackets', () => {
    expect(toHttpOrigin('::1', 3000)).toBe('http://[::1]:3000')
    expect(toHttpOrigin('127.0.0.1', 80)).toBe('http://127.0.0.1:80')
  })
})
