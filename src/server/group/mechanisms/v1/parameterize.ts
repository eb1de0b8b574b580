import { datePattern } from './date-pattern.ts'

/** Top-level domains that files and properties rarely end in; without countries that are English words. */
const plainDomains =
  'com|net|org|edu|gov|mil|biz|io|co|de|uk|fr|jp|ru|br|ca|au|cn|nl|eu|pl|ch|es|se|kr|cz|mx|tw|ua|ir|vn|dk|ar|hu|gr|il|ro|ie|za|nz|sg|hk|tr|pt|fi|xyz|cloud'

/** Top-level domains that are also common in code; they only count after two further labels. */
const wordyDomains = 'app|dev|ai|tv|us|local|internal'

const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
const group = '[0-9a-fA-F]{1,4}'
const groups = (most: number) => `${group}(?::${group}){0,${most - 1}}`

/**
 * The replaced values by their names in the result. The first match counts, so a format precedes those that
 * it contains.
 *
 * Every repetition is bounded or does not backtrack, so the time is linear in the message's length. The names
 * and most of the formats are those of Sentry's parameterization.
 */
const patterns: Record<string, string> = {
  url: String.raw`[a-zA-Z][a-zA-Z0-9+.-]{1,20}://\S+`,
  email: String.raw`[a-zA-Z0-9][a-zA-Z0-9.!#$%&'*+/?^_{|}~-]{0,63}@(?:(?:[a-zA-Z0-9-]{1,63}\.){1,8}[a-zA-Z]{2,24}|localhost)(?![\w-])`,
  hostname: String.raw`(?!(?:javax?|this|self|props|window|document)\.)(?:(?:[a-z0-9-]{1,63}\.){1,10}(?:${plainDomains})|(?:[a-z0-9-]{1,63}\.){2,10}(?:${wordyDomains}))(?![\w(-]|\.\w)`,
  ip: [
    String.raw`(?:${octet}\.){3}${octet}(?![\w-]|\.\d)`,
    // With a digit, because otherwise `Bad::cafe` would be an address.
    String.raw`(?<!:)(?=[a-fA-F:]{0,32}\d)(?:${group}(?::${group}){7}|(?:${groups(7)})?::(?:(?:${groups(6)}:)?(?:${octet}\.){3}${octet}|${groups(7)})?)(?:%\w{1,16})?(?![\w:(]|\.\d)`,
  ].join('|'),
  // W3C Trace Context, and the X-Amzn-Trace-Id of load balancers.
  traceparent: '[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?!\\w)|1-[0-9a-f]{8}-[0-9a-f]{24}(?!\\w)',
  uuid: String.raw`[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}(?!\w)`,
  sha1: String.raw`[0-9a-fA-F]{40}(?!\w)`,
  md5: String.raw`[0-9a-fA-F]{32}(?!\w)`,
  mac: String.raw`[0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2}){5}(?![\w:-])`,
  date: datePattern,
  duration: String.raw`-?\d+(?:\.\d+)?(?:ns|us|µs|ms|secs?|mins?|hrs?|s|m|h|d)(?:\d+(?:\.\d+)?(?:ms|s|m|h)){0,3}(?!\w)`,
  // OpenStack Swift.
  swift_txn_id: String.raw`tx[0-9a-f]{21}-[0-9a-f]{10}\S{0,100}`,
  // ULID.
  uniq_id: String.raw`[0-7][0-9A-HJKMNP-TV-Z]{25}(?!\w)`,
  hex: [
    String.raw`0[xX][0-9a-fA-F]+(?!\w)`,
    // A digit and a letter, in one case: neither a word nor a number.
    String.raw`(?=[a-f]{0,127}\d)(?=\d{0,127}[a-f])[0-9a-f]{8,128}(?!\w)`,
    String.raw`(?=[A-F]{0,127}\d)(?=\d{0,127}[A-F])[0-9A-F]{8,128}(?!\w)`,
    // The hash code that Java prints after a class: `com.acme.Job@1b2c3d`.
    String.raw`(?<=\w@)(?=[a-f]{0,7}\d)[0-9a-f]{5,8}(?!\w)`,
  ].join('|'),
  git_sha: String.raw`(?=[a-f]{0,6}\d)(?=\d{0,6}[a-f])[0-9a-f]{7}(?!\w)`,
  float: String.raw`-?\d+(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)(?!\w)`,
  // `utf-8` is a name, not a word and a number.
  int: String.raw`(?<!\b(?:utf|ucs|sha|iso|rfc|cve|UTF|UCS|SHA|ISO|RFC|CVE)-)-?\d+(?!\w)`,
  quoted_str: String.raw`(?<==)(?:'[^'\n]+'|"[^"\n]+")`,
  bool: String.raw`(?<==)(?:[Tt]rue|[Ff]alse)(?!\w)`,
}

const names = Object.keys(patterns)

/** A match cannot start inside a word: `abc123`, `x86_64` and `step2` are names. */
const anyPattern = new RegExp(
  `(?<!\\w)(?:${names.map((name) => `(?<${name}>${patterns[name]})`).join('|')})`,
  'g',
)

/**
 * The message with variable parts replaced by their kinds: `took 30s` → `took <duration>`.
 *
 * Kinds: url, email, hostname, ip, traceparent, uuid, sha1, md5, mac, date, duration, swift_txn_id, uniq_id,
 * hex, git_sha, float, int; after `=` also quoted_str and bool.
 */
export function parameterize(message: string): string {
  // Every kind contains a digit, an at sign, a dot, a colon or an equals sign; most messages contain none of
  // them.
  if (!/[\d@.=:]/.test(message)) return message
  let result = ''
  let end = 0
  for (const match of message.matchAll(anyPattern)) {
    const kind = names.find((name) => match.groups?.[name] !== undefined)
    result += `${message.slice(end, match.index)}<${kind}>`
    end = match.index + match[0].length
  }
  return result + message.slice(end)
}
