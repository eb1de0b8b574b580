import { isIP } from 'node:net'
import * as v from 'valibot'
import { parseDsn } from '#protocol/dsn.ts'
import { limits } from './limits.ts'

/** A port; 0 for any free one. */
export const Port = v.pipe(v.string(), v.regex(/^[0-9]{1,5}$/), v.transform(Number), v.maxValue(65_535))

/** An IP address or a host name. */
export const Host = v.pipe(
  v.string(),
  v.check((host) => isIP(host) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(host)),
)

/** `https://culvert.example.com`: without path, query and credentials. */
export const Origin = v.pipe(
  v.string(),
  v.check((text) => parseOrigin(text) !== undefined),
  v.transform((text) => parseOrigin(text) ?? text),
)

/** On or off. */
export const Switch = v.pipe(
  v.picklist(['1', 'true', '0', 'false']),
  v.transform((text) => text === '1' || text === 'true'),
)

const sizeUnits = { MB: 1_000_000, GB: 1_000_000_000, TB: 1_000_000_000_000 } as const

/** `20GB`: a number and a decimal unit. At least the size of an empty database and its log. */
export const Size = v.pipe(
  v.string(),
  v.transform((text) => /^([0-9]{1,6}(?:\.[0-9]{1,3})?) ?(MB|GB|TB)$/i.exec(text)),
  v.transform((match) => Number(match?.[1]) * toUnitBytes(match?.[2])),
  v.number(),
  v.minValue(limits.smallestMaxBytes),
)

function toUnitBytes(unit: string | undefined): number {
  return Object.entries(sizeUnits).find(([name]) => name === unit?.toUpperCase())?.[1] ?? Number.NaN
}

/** The URL of a PostgreSQL database. A `#` in its password would end its address. */
export const PostgresUrl = v.pipe(
  v.string(),
  v.regex(/^postgres(?:ql)?:\/\/[^#]*$/),
  v.check((url) => URL.canParse(url)),
)

function parseOrigin(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  const hasOnlyOrigin =
    url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  return hasOnlyOrigin ? url.origin : undefined
}

/**
 * `CULVERT_UPSTREAM_MY_SHOP_DSN` is the upstream of the project `my-shop`. Adds a message to `problems` for
 * each invalid DSN.
 */
export function readUpstreamDsns(
  record: Record<string, string | undefined>,
  problems: string[],
): ReadonlyMap<string, string> {
  const dsns = new Map<string, string>()
  for (const [name, text] of Object.entries(record)) {
    const [, slug] = /^CULVERT_UPSTREAM_([A-Z0-9_]+)_DSN$/i.exec(name) ?? []
    if (slug === undefined || text === undefined || text === '') continue
    if (parseDsn(text) === undefined)
      problems.push(
        `${name} is not usable: it must be a DSN. Example: ${name}=https://KEY@o4507.ingest.us.sentry.io/42`,
      )
    else dsns.set(slug.toUpperCase(), text)
  }
  return dsns
}
